package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.NodeStrikes.Strike;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once over locks by block: two DataNode processes with two block pools and five
 * volumes each, one of them in memory, under writers of both pools and full block reports without
 * end, are killed, and their volumes stall and are removed, also while they stall. After each such
 * round every acknowledged byte is read, both namespaces are healthy, and the disks hold what the
 * NameNodes know from the reports of the DataNodes' maps, no more and no less; at the end that also
 * holds for stock's dataset in the same directories.
 *
 * <p>System properties: {@code evenkeel.locking.mixed.minutes} is how long; {@code
 * evenkeel.locking.mixed.seed} fixes what is done, though not at which instruction; {@code
 * evenkeel.locking.mixed.stock=true} runs the same over stock's dataset; {@code
 * evenkeel.locking.mixed.exchange=true} lets each DataNode that is killed start with stock's
 * dataset if it had ours, and the other way round. What failed for the writers is kept in {@code
 * target/locking-mixed-SEED.log} and counted by class.
 */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.HOURS)
class LockingMixedLoadIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final String PREFIX = "evenkeel.locking.mixed.";
  private static final double MINUTES =
      Double.parseDouble(System.getProperty(PREFIX + "minutes", "5"));
  private static final long SEED = Long.getLong(PREFIX + "seed", System.currentTimeMillis());
  private static final boolean STOCK = Boolean.getBoolean(PREFIX + "stock");
  private static final boolean EXCHANGE = Boolean.getBoolean(PREFIX + "exchange");
  private static final String PLUGIN =
      "io.evenkeel:type=Plugin,module=locking,class=FineGrainedDatasetFactory";
  private static final String LOCKS = "io.evenkeel:type=Locks,module=locking*";
  private static final List<String> TYPES = List.of("SSD", "SSD", "DISK", "DISK", "RAM_DISK");
  private static final List<String> CONF =
      List.of(
          "dfs.namenode.fs-limits.min-block-size=" + CrashLoad.BLOCK,
          "dfs.namenode.redundancy.interval.seconds=1",
          "dfs.namenode.reconstruction.pending.timeout-sec=10",
          "dfs.datanode.directoryscan.interval=10s");
  private static final int WRITERS = 6;
  private static final String IN_MEMORY = "LAZY_PERSIST";
  private static final List<String> POLICIES = List.of("HOT", "ALL_SSD", IN_MEMORY);
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path temp;

  private final Random random = new Random(SEED);
  private final Map<Strike, Integer> made = new EnumMap<>(Strike.class);
  private final List<List<CrashLoad>> loads = List.of(new ArrayList<>(), new ArrayList<>());
  private final List<ReconfiguredNode> nodes = new ArrayList<>();
  private final Map<String, String> states = new HashMap<>(); // of the plugin, by node
  private PluginCluster plugin;
  private SecondPool second;
  private EndlessReports reports;
  private NodeStrikes strikes;
  private FailedOperations failed;
  private int orphans;
  private int shortCopies;

  @BeforeEach
  void start() throws IOException {
    plugin =
        new PluginCluster(
            "datanode-locking",
            Map.of(
                "dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory"));
    plugin.startTwo(HADOOP, CONF);
    Object id = plugin.jmx("nn").bean("Hadoop:service=NameNode,name=NameNodeInfo").get("ClusterId");
    second = new SecondPool(temp.resolve("second"), id.toString(), CONF);
    strikes = new NodeStrikes(plugin, temp, TYPES.indexOf("DISK"), random);
    failed = new FailedOperations(Path.of("target", "locking-mixed-" + SEED + ".log"));
    Path jar = temp.resolve("stall-agent.jar");
    StallAgent.pack(jar);
    String first = URI.create(plugin.cluster().status().rpc()).getAuthority();
    for (String name : List.of("dn1", "dn2")) {
      ReconfiguredNode node = new ReconfiguredNode(plugin, name, TYPES);
      nodes.add(node);
      states.put(name, "");
      Map<String, String> keys = new HashMap<>(second.keys(first));
      keys.put("dfs.datanode.plugins", StallAgent.class.getName());
      keys.put("dfs.datanode.data.dir", node.directories(-1));
      keys.put("dfs.datanode.lazywriter.interval.sec", "1");
      keys.put("dfs.datanode.max.locked.memory", String.valueOf(16 * CrashLoad.BLOCK));
      plugin.extend(name, "-javaagent:" + jar + "=" + strikes.command(node), keys);
    }
    for (int i = 0; i < WRITERS; i++) {
      CrashLoad load = new CrashLoad("writer" + i, random.nextLong(), CrashLoad.Replication.TWO);
      loads.get(i % 2).add(policy(i).equals(IN_MEMORY) ? load.withoutAppends() : load);
    }
    reports = new EndlessReports(nodes);
  }

  @AfterEach
  void endEverything() throws Exception {
    for (AutoCloseable started : Arrays.asList(reports, plugin, second)) {
      if (started != null) { // the start may have failed
        started.close();
      }
    }
  }

  @Test
  void twoPools_underEverything_disksMapsAndNameNodesAgree() throws Exception {
    if (!STOCK) {
      plugin.add("dn1", "dn2");
      states.replaceAll((node, state) -> "active");
    }
    awaitStates("at first");
    setPolicies();
    reports.begin();
    long end = System.nanoTime() + (long) (MINUTES * TimeUnit.MINUTES.toNanos(1));
    int round = 0;
    do {
      round++;
      ReconfiguredNode node = nodes.get(random.nextInt(nodes.size()));
      Strike strike = Strike.values()[random.nextInt(Strike.values().length)];
      if (EXCHANGE && states.get(node.name()).isEmpty()) {
        strike = Strike.KILL; // stock does not survive the removal of a volume that stalls
      }
      made.merge(strike, 1, Integer::sum);
      String when = "round " + round + " of seed " + SEED + ", " + strike + " of " + node.name();
      strikeUnderLoad(strike, node);
      for (CrashLoad load : all()) {
        failed.add(when, load, nodes);
      }
      check(EXCHANGE ? when + ", then " + states : when, true);
    } while (System.nanoTime() < end);
    System.out.println(summary(round));
    System.out.println(failed.summary());
    reports.close();
    assertThat(reports.made()).as("full reports").isGreaterThan(round);
    for (ReconfiguredNode node : nodes) {
      if (!states.put(node.name(), "").isEmpty()) {
        plugin.remove(node.name());
      }
    }
    check("stock after " + round + " rounds of seed " + SEED, false);
  }

  /** Of each pool one writer's files go to DISK, one's to SSD and one's to memory first. */
  private void setPolicies() throws IOException {
    for (int pool = 0; pool < 2; pool++) {
      try (DistributedFileSystem fs = client(pool)) {
        for (int i = pool; i < WRITERS; i += 2) {
          org.apache.hadoop.fs.Path dir = new org.apache.hadoop.fs.Path("/writer" + i);
          fs.mkdirs(dir);
          fs.setStoragePolicy(dir, policy(i));
        }
      }
    }
  }

  private static String policy(int writer) {
    return POLICIES.get(writer / 2);
  }

  private List<CrashLoad> all() {
    return loads.stream().flatMap(List::stream).toList();
  }

  private DistributedFileSystem client(int pool) throws IOException {
    return pool == 0 ? (DistributedFileSystem) plugin.client() : second.client();
  }

  private void strikeUnderLoad(Strike strike, ReconfiguredNode node) throws Exception {
    List<CrashLoad> all = all();
    try (DistributedFileSystem one = client(0);
        DistributedFileSystem two = client(1)) {
      int[] before = all.stream().mapToInt(CrashLoad::done).toArray();
      loads.get(0).forEach(load -> load.start(one));
      loads.get(1).forEach(load -> load.start(two));
      try {
        for (int i = 0; i < before.length; i++) {
          CrashLoad load = all.get(i);
          int had = before[i];
          CrashCheck.await("a writer is at work", () -> load.done() > had);
        }
        strikes.pause();
        if (EXCHANGE && strike == Strike.KILL) {
          exchange(node.name());
        } else {
          strikes.strike(strike, node);
        }
      } finally {
        for (CrashLoad load : all) {
          load.stop();
        }
      }
    }
  }

  /** As in a rolling restart that brings the jar, or takes it away. */
  private void exchange(String node) throws IOException {
    if (states.get(node).isEmpty()) {
      plugin.add(node);
      states.put(node, "active");
    } else {
      plugin.remove(node);
      states.put(node, "");
    }
  }

  private void check(String when, boolean withOrphans) throws Exception {
    assertThat(reports.made()).as("full reports").isPositive();
    awaitStates(when);
    List<URI> webs = List.of(URI.create(plugin.cluster().status().http()), second.web());
    for (int pool = 0; pool < 2; pool++) {
      try (DistributedFileSystem fs = client(pool)) {
        CrashCheck check = new CrashCheck(fs, webs.get(pool), loads.get(pool));
        check.replacing(new ShortCopies(fs, nodes, reports)).run(when + ", pool " + pool);
        shortCopies += check.replaced();
      }
    }
    awaitSame(when, withOrphans);
    for (ReconfiguredNode node : nodes) {
      if (states.get(node.name()).isEmpty()) {
        continue;
      }
      Map<String, Object> locks = plugin.jmx(node.name()).bean(LOCKS);
      assertThat(((Number) locks.get("BrokenRules")).longValue())
          .as("%s: rules of locks, %s", when, locks.get("LastBrokenRule"))
          .isZero();
    }
  }

  /**
   * A block that was copied while its volume was away is there twice when the volume is back, and
   * in the map once, with stock's dataset as well. The directory scanner deletes the other one; or,
   * when the block is deleted before, it sees that only 64 deletions later, or the next start does.
   *
   * @param withOrphans whether such replicas of deleted blocks may be there
   */
  private void awaitSame(String when, boolean withOrphans) {
    Set<String> wrong = new TreeSet<>();
    Processes.await(
        LIMIT,
        () -> {
          wrong.clear();
          try {
            wrong.addAll(differences(withOrphans));
          } catch (IOException e) {
            wrong.add(e.toString()); // files come and go
          }
          return wrong.isEmpty();
        });
    assertThat(wrong)
        .as(
            "%s: on disk and not known, or known and not on disk; %s",
            when, BlockStory.of(wrong, nodes))
        .isEmpty();
  }

  private Set<String> differences(boolean withOrphans) throws IOException {
    Set<ReplicaPlaces.Place> known = new LinkedHashSet<>();
    for (int pool = 0; pool < 2; pool++) {
      try (DistributedFileSystem fs = client(pool)) {
        known.addAll(ReplicaPlaces.known(fs));
      }
    }
    Set<String> blocks = new HashSet<>();
    known.forEach(place -> blocks.add(place.block()));
    Set<String> differences = new TreeSet<>();
    int found = 0;
    for (ReconfiguredNode node : nodes) {
      for (ReplicaPlaces.Place place : ReplicaPlaces.onDisk(node.paths())) {
        if (known.remove(place)) {
          continue;
        }
        if (withOrphans && !blocks.contains(place.block())) {
          found++;
        } else {
          differences.add(node.name() + " has " + place);
        }
      }
    }
    orphans = found;
    known.forEach(place -> differences.add("nobody has " + place));
    return differences;
  }

  private void awaitStates(String when) {
    boolean reached =
        Processes.await(
            LIMIT,
            () ->
                plugin.cluster().status().healthy()
                    && second.live() == nodes.size()
                    && nodes.stream().allMatch(n -> state(n).equals(states.get(n.name()))));
    assertThat(reached)
        .as(
            "%s: all live in both pools and %s; the first says %s, the second %d live, states %s",
            when,
            states,
            plugin.cluster().status().rows(),
            second.live(),
            nodes.stream().map(this::state).toList())
        .isTrue();
  }

  private String state(ReconfiguredNode node) {
    return plugin.state(node.name(), PLUGIN);
  }

  private String summary(int rounds) {
    List<CrashLoad> all = all();
    return String.format(
        Locale.ROOT,
        "%d rounds on Hadoop %s%s, seed %d: %s; %d full reports; %d operations done and %d failed;"
            + " %d files; %d orphans of deleted blocks; %d replicas replaced that stock made or called corrupt",
        rounds,
        HADOOP,
        STOCK ? " with stock's dataset" : EXCHANGE ? " with both datasets in turns" : "",
        SEED,
        made,
        reports.made(),
        all.stream().mapToInt(CrashLoad::done).sum(),
        all.stream().mapToInt(CrashLoad::failed).sum(),
        all.stream().mapToInt(load -> load.files().size()).sum(),
        orphans,
        shortCopies);
  }
}
