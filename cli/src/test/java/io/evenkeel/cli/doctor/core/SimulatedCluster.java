package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A cluster with at most one planted fault, all of it drawn from a seed: 1 to 8 DataNodes on a host
 * (some hosts have one less), one storage type or two (by host, or mixed on hosts) of which the
 * second is up to 20 times as slow, and rounds of 10 s.
 *
 * <p>Drawn for a cluster: traffic of 1 to 100 MiB/s that waves by up to 60 % for all; 5 to 40 %
 * between DataNodes and 20 to 60 % from interval to interval; time of a MiB written or read 0.05 to
 * 20 ms, of a flush 0.02 to 0.5 ms, of a sync 1 to 30 ms; 3 to 200 syncs in an interval; hosts that
 * differ by 2 to 5 % and DataNodes by up to 3 % more; times that grow with load to a power up to
 * 0.1; noise of an interval of 10 to 25 % (log-normal), of which 20 to 70 % stays in the next one,
 * up to 30 % of its variance is common to a host and up to 50 % to all metrics of a DataNode.
 * Single operations differ besides, times are whole milliseconds, up to 10 % of readings are
 * missing, up to 5 % of DataNodes have no traffic, one in a hundred restarts.
 */
final class SimulatedCluster {
  /** What a fault does. */
  enum Fault {
    NONE,
    SLOW_DATANODE,
    SLOW_HOST,
    BUSY_DATANODE,
    BUSY_HOST
  }

  /** What is drawn from. */
  record Limits(
      int fewest,
      int most,
      double shortest,
      double longest,
      double leastNoise,
      double mostNoise,
      double leastFactor,
      double mostFactor) {
    static final Limits ALL = new Limits(4, 1000, 2, 10, 0.10, 0.25, 1.25, 10);

    Limits upTo(int dataNodes) {
      return new Limits(
          fewest, dataNodes, shortest, longest, leastNoise, mostNoise, leastFactor, mostFactor);
    }

    Limits minutes(double least, double most) {
      return new Limits(
          fewest, this.most, least, most, leastNoise, mostNoise, leastFactor, mostFactor);
    }

    Limits sizes(int least, int most) {
      return new Limits(
          least, most, shortest, longest, leastNoise, mostNoise, leastFactor, mostFactor);
    }

    Limits noise(double least, double most) {
      return new Limits(fewest, this.most, shortest, longest, least, most, leastFactor, mostFactor);
    }

    Limits factor(double least, double most) {
      return new Limits(fewest, this.most, shortest, longest, leastNoise, mostNoise, least, most);
    }
  }

  private static final int WRITE = 0;
  private static final int READ = 1;
  private static final int FLUSH = 2;
  private static final int SYNC = 3;
  private static final int METRICS = 4;
  private static final List<Set<Integer>> HIT =
      List.of(
          Set.of(WRITE),
          Set.of(READ),
          Set.of(FLUSH),
          Set.of(SYNC),
          Set.of(WRITE, FLUSH, SYNC),
          Set.of(WRITE, READ, FLUSH, SYNC));
  private static final double INTERVAL = 10;
  private static final double MIB = 1 << 20;

  private final Random random;
  private final List<Node> nodes = new ArrayList<>();
  private final int rounds;
  private final double noise;
  private final double memory;
  private final double ofHost;
  private final double ofNode;
  private final double missing;
  private final double bursts;
  private final double loadPower;
  private final double[] wave;
  private final double[] base = new double[METRICS];
  private final double writes;
  private final double reads;
  private final double syncs;
  private final double transfers;
  private final boolean recent;
  private Fault fault;
  private double factor = 1;
  private Set<Integer> hit = Set.of();
  private String victim = "";
  private final ClusterHistory history;

  /** A DataNode. */
  private static final class Node {
    private final String name;
    private final int host;
    private final String type;
    private double load;
    private final double[] times = new double[METRICS];

    Node(String name, int host, String type) {
      this.name = name;
      this.host = host;
      this.type = type;
    }

    String hostName() {
      return "host" + host;
    }
  }

  SimulatedCluster(long seed, Fault wanted, Limits limits) {
    random = new Random(new SplittableRandom(seed).nextLong());
    int count = (int) Math.round(logUniform(limits.fewest, limits.most));
    rounds = 1 + (int) Math.round(uniform(limits.shortest, limits.longest) * 60 / INTERVAL);
    noise = uniform(limits.leastNoise, limits.mostNoise);
    memory = uniform(0.2, 0.7);
    ofHost = uniform(0, 0.3);
    ofNode = uniform(0, 0.5);
    missing = uniform(0, 0.1);
    bursts = uniform(0.2, 0.6);
    loadPower = uniform(0, 0.1);
    writes = logUniform(1, 100);
    reads = logUniform(1, 100);
    syncs = logUniform(3, 200);
    transfers = logUniform(2, 30);
    recent = random.nextBoolean();
    base[WRITE] = logUniform(0.05, 20);
    base[READ] = logUniform(0.05, 20);
    base[FLUSH] = logUniform(0.02, 0.5);
    base[SYNC] = logUniform(1, 30);
    wave = wave();
    place(count);
    plant(wanted, limits);
    history = play();
  }

  ClusterHistory history() {
    return history;
  }

  /** What was seen in the first minutes. */
  ClusterHistory history(int minutes) {
    int end = Math.min(rounds, 1 + (int) Math.round(minutes * 60 / INTERVAL));
    List<DataNodeHistory> first = new ArrayList<>();
    for (DataNodeHistory each : history.dataNodes()) {
      first.add(
          new DataNodeHistory(
              each.name(),
              each.host(),
              each.rack(),
              each.inService(),
              each.rounds().subList(0, end)));
    }
    return new ClusterHistory(
        first, history.nameNode(), Map.of(), "", history.topology(), history.listing());
  }

  /** What was planted; nothing where the cluster is too small for what was wanted. */
  Fault fault() {
    return fault;
  }

  double factor() {
    return factor;
  }

  /** The DataNode or host that was given the fault. */
  String victim() {
    return victim;
  }

  /** Whether a DataNode or host has the fault or a part of it. */
  boolean isVictim(String name) {
    return name.equals(victim)
        || nodes.stream().anyMatch(n -> n.name.equals(name) && n.hostName().equals(victim))
        || nodes.stream().anyMatch(n -> n.name.equals(victim) && n.hostName().equals(name));
  }

  int dataNodes() {
    return nodes.size();
  }

  double minutes() {
    return (rounds - 1) * INTERVAL / 60;
  }

  double noise() {
    return noise;
  }

  /** All that matters of it. */
  @Override
  public String toString() {
    return String.format(
        "%s %s x%.2f %s; %d DataNodes, %.1f min, noise %.0f %%, memory %.2f",
        fault, victim, factor, hit, nodes.size(), minutes(), 100 * noise, memory);
  }

  private double uniform(double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  private double logUniform(double from, double to) {
    return Math.exp(uniform(Math.log(from), Math.log(to)));
  }

  private double logNormal(double deviation) {
    return Math.exp(deviation * random.nextGaussian());
  }

  private double count(double mean) {
    if (mean > 50) {
      return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    int count = -1;
    for (double left = 1, end = Math.exp(-mean); left > end; count++) {
      left *= random.nextDouble();
    }
    return count;
  }

  private double[] wave() {
    double height = uniform(0, 0.6);
    double period = uniform(60, 900);
    double phase = uniform(0, 6);
    return IntStream.range(0, rounds)
        .mapToDouble(
            t -> (1 + height * Math.sin(phase + 6.28 * t * INTERVAL / period)) * logNormal(0.05))
        .toArray();
  }

  private void place(int count) {
    int perHost = Math.min(new int[] {1, 1, 2, 3, 4, 6, 8}[random.nextInt(7)], count / 3);
    perHost = Math.max(1, perHost);
    int mixed = random.nextInt(5);
    double slower = logUniform(1, 20);
    double hosts = uniform(0.02, 0.05);
    double apart = uniform(0, 0.03);
    double loads = uniform(0.05, 0.4);
    double idle = uniform(0, 0.05);
    for (int host = 0; nodes.size() < count; host++) {
      int here = perHost > 2 && random.nextInt(5) == 0 ? perHost - 1 : perHost;
      double[] ofThis = new double[METRICS];
      for (int m = 0; m < METRICS; m++) {
        ofThis[m] = logNormal(hosts);
      }
      for (int i = 0; i < here && nodes.size() < count; i++) {
        boolean second = mixed == 3 && host % 3 == 0 || mixed == 4 && i % 2 == 1;
        Node node = new Node("dn" + nodes.size(), host, second ? "ARCHIVE" : "DISK");
        node.load = count >= 10 && random.nextDouble() < idle ? 0 : logNormal(loads);
        for (int m = 0; m < METRICS; m++) {
          double pace =
              ofThis[m] * logNormal(apart) * Math.pow(Math.max(0.1, node.load), loadPower);
          node.times[m] = base[m] * pace * (second ? slower : 1);
        }
        nodes.add(node);
      }
    }
  }

  private void plant(Fault wanted, Limits limits) {
    fault = Fault.NONE;
    boolean host = wanted == Fault.SLOW_HOST || wanted == Fault.BUSY_HOST;
    List<Node> candidates = new ArrayList<>();
    for (Node node : nodes) {
      long peers = nodes.stream().filter(n -> n.type.equals(node.type) && n.load > 0).count();
      long others =
          nodes.stream()
              .filter(n -> n.type.equals(node.type))
              .mapToInt(n -> n.host)
              .distinct()
              .count();
      boolean group = mates(node).stream().filter(n -> n.load > 0).count() > 1 && others >= 3;
      if (node.load > 0 && peers >= 4 && (!host || group)) {
        candidates.add(node);
      }
    }
    if (wanted == Fault.NONE || candidates.isEmpty()) {
      return;
    }
    fault = wanted;
    Node node = candidates.get(random.nextInt(candidates.size()));
    factor = logUniform(limits.leastFactor, limits.mostFactor);
    victim = host ? node.hostName() : node.name;
    boolean slow = wanted == Fault.SLOW_HOST || wanted == Fault.SLOW_DATANODE;
    hit = slow ? HIT.get(random.nextInt(HIT.size())) : Set.of();
    for (Node each : host ? mates(node) : List.of(node)) {
      double own = host ? factor * logNormal(0.03) : factor;
      each.load *= slow ? 1 : own;
      hit.forEach(metric -> each.times[metric] *= own);
    }
  }

  private List<Node> mates(Node node) {
    return nodes.stream().filter(n -> n.host == node.host).toList();
  }

  private ClusterHistory play() {
    int hosts = nodes.get(nodes.size() - 1).host + 1;
    double[][][] shared = new double[hosts][METRICS][];
    for (double[][] host : shared) {
      for (int m = 0; m < METRICS; m++) {
        host[m] = series(noise * Math.sqrt(ofHost));
      }
    }
    List<DataNodeHistory> histories = new ArrayList<>();
    for (Node node : nodes) {
      double[] common = series(noise * Math.sqrt((1 - ofHost) * ofNode));
      double[][] noises = new double[METRICS][];
      for (int m = 0; m < METRICS; m++) {
        double[] own = series(noise * Math.sqrt((1 - ofHost) * (1 - ofNode)));
        double[] host = shared[node.host][m];
        noises[m] =
            IntStream.range(0, rounds)
                .mapToDouble(t -> Math.exp(own[t] + common[t] + host[t]))
                .toArray();
      }
      histories.add(
          new DataNodeHistory(node.name, node.hostName(), "/r", true, readings(node, noises)));
    }
    Map<String, Object> nameNode = Map.of("name", "Hadoop:service=NameNode,name=NameNodeInfo");
    return new ClusterHistory(
        histories,
        List.of(
            NameNodeReading.of(0, List.of(nameNode)),
            NameNodeReading.of((rounds - 1) * INTERVAL, List.of(nameNode))),
        Map.of(),
        "",
        new Topology(List.of(), Topology.Layers.AUTO),
        null);
  }

  private double[] series(double deviation) {
    double[] series = new double[rounds];
    double now = random.nextGaussian();
    for (int t = 0; t < rounds; t++) {
      series[t] = deviation * now;
      now = memory * now + Math.sqrt(1 - memory * memory) * random.nextGaussian();
    }
    return series;
  }

  private List<Reading> readings(Node node, double[][] noises) {
    Map<String, Object> counters = new LinkedHashMap<>();
    List<String> names =
        List.of("BytesWritten", "BytesRead", "TotalWriteTime", "TotalReadTime", "FlushNanosNumOps");
    double[] totals = new double[names.size() + 1];
    for (int i = 0; i < totals.length; i++) {
      totals[i] = random.nextInt(1_000_000_000);
    }
    double flush = 0;
    double sync = 0;
    int restart = random.nextInt(100) == 0 ? random.nextInt(rounds) : -1;
    List<Reading> readings = new ArrayList<>();
    for (int t = 0; t < rounds; t++) {
      if (t == restart) {
        totals = new double[totals.length];
      }
      double load = node.load * wave[t];
      if (load > 0 && t > 0) {
        double written = writes * load * logNormal(bursts) * INTERVAL;
        double read = reads * load * logNormal(bursts) * INTERVAL;
        totals[0] += Math.rint(written * MIB);
        totals[1] += Math.rint(read * MIB);
        totals[2] += count(written * node.times[WRITE] * noises[WRITE][t]);
        totals[3] += count(read * node.times[READ] * noises[READ][t]);
        double flushes = count(Math.min(1e5, written * 16));
        totals[4] += flushes;
        flush = average(flushes, node.times[FLUSH] * noises[FLUSH][t], flush);
        double fsyncs = count(syncs * load);
        totals[5] += fsyncs;
        sync = average(fsyncs, node.times[SYNC] * noises[SYNC][t], sync);
      }
      for (int i = 0; i < names.size(); i++) {
        counters.put(names.get(i), (long) totals[i]);
      }
      counters.put("FsyncNanosNumOps", (long) totals[5]);
      counters.put("FlushNanosAvgTime", flush);
      counters.put("FsyncNanosAvgTime", sync);
      double threads = count(transfers * load);
      counters.put("name", "Hadoop:service=DataNode,name=DataNodeActivity-" + node.name);
      counters.put("XceiverCount", (long) threads + 1);
      if (recent) {
        counters.put("DataNodeActiveXceiversCount", (long) threads);
      }
      counters.put(
          "VolumeInfo",
          "{\"/1\":{\"usedSpace\":1,\"freeSpace\":1,\"storageType\":\"" + node.type + "\"}}");
      readings.add(
          random.nextDouble() < missing
              ? null
              : Reading.of(t * INTERVAL + random.nextDouble() / 2, List.of(counters)));
    }
    return readings;
  }

  /** Single operations differ as much as they take; the average stays when there was none. */
  private double average(double operations, double millis, double before) {
    return operations == 0
        ? before
        : millis * 1e6 * Math.max(0.05, 1 + random.nextGaussian() / Math.sqrt(operations));
  }
}
