package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.blocks.Estimate;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.cli.core.blocks.StorageTypes;
import io.evenkeel.cli.core.topology.PolicyInForce;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.common.cli.CommandException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Where the replicas of listed blocks are: two on one physical host, all on one rack, on a wrong
 * storage type. Memory does not grow with the listing. Not thread-safe.
 */
final class Replicas {
  private static final int EXAMPLES = 3;

  private final Topology topology;
  private final Map<String, Topology.Spot> spots = new HashMap<>();
  private final Map<String, Long> byHost = new LinkedHashMap<>();
  private final List<String> doubledFiles = new ArrayList<>();
  private final List<String> oneRackFiles = new ArrayList<>();
  private String stranger;
  private long all;
  private long unjudged;
  private long replicated;
  private long doubled;
  private long oneRack;

  /** Prepares the count. */
  Replicas(Topology topology) {
    this.topology = topology;
  }

  /** Counts a block, unless its file is erasure-coded. */
  void accept(ListedBlock block) {
    if (block.schema() != null || block.replicas().size() < 2) {
      return;
    }
    all++;
    Set<String> hosts = new HashSet<>();
    Set<String> racks = new HashSet<>();
    String twice = null;
    int counted = 0;
    for (ListedBlock.Replica replica : block.replicas()) {
      if (!replica.readable() || replica.leaves()) {
        continue; // corrupt, about to be deleted, or copied elsewhere
      }
      counted++;
      Topology.Spot spot = spots.computeIfAbsent(replica.location(), topology::locate);
      if (spot == null) {
        unjudged++;
        stranger = replica.location();
        return;
      }
      racks.add(spot.rack());
      twice = hosts.add(spot.host()) ? twice : spot.host();
    }
    replicated++;
    if (twice != null) {
      doubled++;
      byHost.merge(twice, 1L, Long::sum);
      example(doubledFiles, block.path());
    }
    if (counted > 1 && racks.size() == 1 && topology.racks().size() > 1) {
      oneRack++;
      example(oneRackFiles, block.path());
    }
  }

  private static void example(List<String> files, String path) {
    if (files.size() < EXAMPLES && !files.contains(path)) {
      files.add(path);
    }
  }

  /** What is wrong with the blocks that were listed; nothing when none were. */
  static List<Diagnosis> find(ClusterHistory cluster) {
    if (cluster.listing() == null) {
      return Collections.emptyList();
    }
    Replicas replicas = new Replicas(cluster.topology());
    Migration migration = new Migration(cluster.topology());
    String why = "it breaks off before fsck's summary";
    Certainty certainty = Certainty.CERTAIN;
    BlockListing.Summary summary = null;
    try {
      summary = cluster.listing().read(migration, replicas::accept);
    } catch (CommandException e) {
      why = e.getMessage(); // the other findings took minutes
      certainty = Certainty.POSSIBLE; // of the cluster it says nothing
    }
    MigrationForecast forecast = summary == null ? migration.forecast(0) : summary.forecast();
    List<Diagnosis> found = replicas.find(cluster, cluster.listing().description(), forecast);
    if (summary != null && !summary.storageTypes().wrong().isEmpty()) {
      found.add(storageTypes(summary.storageTypes(), forecast));
    }
    if (summary == null || !summary.isWhole()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, certainty, cluster.listing().description())
              .evidence(why)
              .harm("Blocks that it does not list are not judged.")
              .stock(
                  "Run 'hdfs fsck / -files -blocks -locations -racks > FILE' as a user who may read"
                      + " everything, let it end, and give --fsck FILE.")
              .build());
    }
    return found;
  }

  private static Diagnosis storageTypes(StorageTypes types, MigrationForecast forecast) {
    long wrong = types.wrong().values().stream().mapToLong(Long::longValue).sum();
    List<String> how = new ArrayList<>();
    types.wrong().forEach((what, count) -> how.add(what + " (" + Figures.count(count) + ")"));
    boolean known = !types.paths().isEmpty() && !types.paths().contains("/");
    return new Diagnosis.Builder(
            Kind.WRONG_STORAGE, Certainty.CERTAIN, share(wrong, types.blocks(), forecast))
        .evidence(
            "replicas on other storage types than the storage policy of the file says: "
                + Fill.first(how)
                + (known ? "; for example below " + String.join(", ", types.paths()) : ""))
        .harm("They are read and kept at another speed and price than was asked for.")
        .stock(
            "'hdfs mover -p PATH', or 'hdfs storagepolicies -satisfyStoragePolicy -path PATH'"
                + " (Hadoop 3.2 and later, where the satisfier runs).")
        .evenkeel(
            "mover: 'evenkeel mover PATH' moves them, with --dry-run it counts them first;"
                + " --follow moves what is renamed from then on.")
        .build();
  }

  /**
   * What is wrong with those counted so far.
   *
   * @param source of the listing, in words
   * @param forecast what a switch copies
   */
  List<Diagnosis> find(ClusterHistory cluster, String source, MigrationForecast forecast) {
    PolicyInForce policy = PolicyInForce.of(cluster::conf, cluster.pluginState());
    List<Diagnosis> found = new ArrayList<>();
    if (unjudged > 0) {
      found.add(
          new Diagnosis.Builder(
                  Kind.INCOMPLETE,
                  Certainty.CERTAIN,
                  source + ": " + share(unjudged, all, forecast))
              .evidence(
                  "they have replicas on DataNodes that are unknown here, for example " + stranger)
              .harm("They are not judged by host or rack.")
              .stock(
                  "Is it the listing of this cluster, and of today? DataNodes that are not live are"
                      + " unknown, unless --map names them.")
              .build());
    }
    if (doubled > 0) {
      found.add(
          new Diagnosis.Builder(
                  Kind.TWO_ON_HOST, Certainty.CERTAIN, share(doubled, replicated, forecast))
              .evidence(
                  "two replicas on one physical host"
                      + (topology.hasNodeGroups() ? Configuration.LAYERS : "")
                      + "; most on "
                      + worst()
                      + "; for example "
                      + String.join(", ", doubledFiles))
              .harm(
                  "When the host fails, both are lost at once; of a file with two replicas that is all.")
              .stock(
                  policy.knowsHosts()
                      ? policy.name()
                          + " knows hosts: these blocks are older, or it found no other place. 'hdfs"
                          + " fsck / -replicate' (Hadoop 3.2 and later; before, a restart or"
                          + " failover of the NameNode) has them copied."
                      : "Let the mapping say /rack/nodegroup, and "
                          + Configuration.NODE_GROUPS
                          + "; then they copy these blocks.")
              .evenkeel(
                  "placement"
                      + copies(forecast)
                      + "."
                      + cluster.forecast(PlacementForecast::sharedHosts))
              .build());
    }
    if (oneRack > 0) {
      found.add(
          new Diagnosis.Builder(
                  Kind.ONE_RACK, Certainty.CERTAIN, share(oneRack, replicated, forecast))
              .evidence("all replicas on one rack; for example " + String.join(", ", oneRackFiles))
              .harm("A switch or a power feed of the rack takes all of them.")
              .stock(
                  "Look whether the mapping says the right racks; then 'hdfs fsck / -replicate'"
                      + " (Hadoop 3.2 and later; before, a restart or failover of the NameNode).")
              .evenkeel("placement keeps racks as well" + copies(forecast) + ".")
              .build());
    }
    return found;
  }

  private String worst() {
    String host = null;
    for (Map.Entry<String, Long> each : byHost.entrySet()) {
      host = host == null || each.getValue() > byHost.get(host) ? each.getKey() : host;
    }
    return host + " (" + Figures.count(byHost.get(host)) + ")";
  }

  private static String share(long count, long of, MigrationForecast forecast) {
    String share = Figures.count(count) + " of " + Figures.count(of, "block", "blocks");
    boolean sample = forecast.population() > forecast.sample();
    return sample ? share + ", a sample of " + Figures.count(forecast.population()) : share;
  }

  private static String copies(MigrationForecast forecast) {
    Estimate copies = forecast.copies();
    Estimate bytes = forecast.bytes();
    if (copies.value() == 0) {
      return ""; // nobody can say more by these blocks
    }
    String text = Figures.count(copies.value(), "replica", "replicas");
    if (copies.isExact()) {
      return ": a switch to it copies " + text + " (" + Figures.bytes(bytes.value()) + ")";
    }
    return String.format(
        Locale.ROOT,
        ": a switch to it copies about %s (95 %% confidence: %s to %s; %s to %s)",
        text,
        Figures.count(copies.low()),
        Figures.count(copies.high()),
        Figures.bytes(bytes.low()),
        Figures.bytes(bytes.high()));
  }
}
