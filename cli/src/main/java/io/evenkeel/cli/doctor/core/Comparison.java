package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;

/**
 * DataNodes that have more of something than their peers, and hosts of which all DataNodes have.
 *
 * <p>DataNodes of one role are compared with each other. Then hosts are compared with hosts: a
 * host's value in an interval is the median of what its DataNodes have over their own peers. What
 * all measures show a little is seen by their mean, which is compared like a measure. Of a host on
 * which anything stands out, all measures decide together which explains what was seen with less
 * chance: that all its DataNodes are alike, or that some of them differ by themselves. Not
 * thread-safe.
 */
final class Comparison {
  /**
   * What it costs to suppose that one more DataNode differs by itself, in squared standard
   * deviations: about one in a hundred does.
   */
  private static final double ONE_MORE = 9;

  /**
   * By how much better it must explain what was seen that all are alike, if only one stands out.
   */
  private static final double MARGIN = 4;

  /** All measures as one: it shows what each of them shows a little. */
  private static final Measure TOGETHER =
      new Measure("all measures together", "", (before, after) -> Double.NaN);

  /** Intervals are not made longer when fewer than this would be left. */
  private static final int LEAST_INTERVALS = 4;

  /** Zeros in a larger part of the intervals say that the numbers are too small. */
  private static final double FEW_ZEROS = 0.05;

  private final List<DataNodeHistory> dataNodes = new ArrayList<>();
  private final Map<String, List<Integer>> roles = new LinkedHashMap<>();
  private final Map<String, List<Integer>> hosts = new TreeMap<>();
  private final List<Result> results = new ArrayList<>();
  private final double least;

  private Comparison(ClusterHistory cluster, double least) {
    this.least = least;
    cluster
        .roles()
        .forEach(
            (types, nodes) -> {
              for (DataNodeHistory node : nodes) {
                int number = dataNodes.size();
                dataNodes.add(node);
                roles.computeIfAbsent(types, t -> new ArrayList<>()).add(number);
                hosts.computeIfAbsent(node.host(), h -> new ArrayList<>()).add(number);
              }
            });
  }

  /** What is compared. Immutable. */
  static final class Measure {
    private final String label;
    private final String unit;
    private final ToDoubleBiFunction<Reading, Reading> value;

    Measure(String label, String unit, ToDoubleBiFunction<Reading, Reading> value) {
      this.label = label;
      this.unit = unit;
      this.value = value;
    }

    /** What it is about, in the plural. */
    String label() {
      return label;
    }

    /** Unit of its values. */
    String unit() {
      return unit;
    }
  }

  /** One measure by which something stands out. Immutable. */
  static final class Seen {
    private final Measure measure;
    private final double factor;
    private final double certainty;
    private final double value;
    private final double usual;
    private final int peers;
    private final double seconds;

    private Seen(
        Measure measure,
        Peers.Outlier outlier,
        double value,
        double usual,
        int peers,
        double secs) {
      this.measure = measure;
      this.factor = outlier.factor();
      this.certainty = outlier.certainty();
      this.value = value;
      this.usual = usual;
      this.peers = peers;
      this.seconds = secs;
    }

    /** What was compared. */
    Measure measure() {
      return measure;
    }

    /** How many times what its peers have. */
    double factor() {
      return factor;
    }

    /** How far it is beyond chance. */
    double certainty() {
      return certainty;
    }

    /** Its median. */
    double value() {
      return value;
    }

    /** The median of its peers' medians. */
    double usual() {
      return usual;
    }

    /** How many peers it was compared with. */
    int peers() {
      return peers;
    }

    /** How long it was compared for. */
    double seconds() {
      return seconds;
    }
  }

  /** A DataNode or a whole host that stands out. Immutable. */
  static final class Found {
    private final String subject;
    private final List<String> members;
    private final List<Seen> seen;

    private Found(String subject, List<String> members, List<Seen> seen) {
      this.subject = subject;
      List<String> ordered = new ArrayList<>(members);
      Collections.sort(ordered);
      this.members = Collections.unmodifiableList(ordered);
      List<Seen> sorted = new ArrayList<>(seen);
      if (sorted.stream().anyMatch(each -> each.measure != TOGETHER)) {
        sorted.removeIf(each -> each.measure == TOGETHER);
      }
      sorted.sort(Comparator.comparingDouble(each -> -each.factor));
      this.seen = Collections.unmodifiableList(sorted);
    }

    /** The DataNode or the host. */
    String subject() {
      return subject;
    }

    /** The DataNodes of a whole host; empty for a single DataNode. */
    List<String> members() {
      return members;
    }

    /** By what it stands out, the worst first. */
    List<Seen> seen() {
      return seen;
    }

    /** How far it is beyond chance by the measure that shows it best. */
    double certainty() {
      return seen.stream().mapToDouble(each -> each.certainty).max().orElse(0);
    }
  }

  /** Factors of a group, and which DataNode or host each of its members is. */
  private static final class Group {
    private final Peers.Factors factors;
    private final List<Integer> members;

    Group(Peers.Factors factors, List<Integer> members) {
      this.factors = factors;
      this.members = members;
    }
  }

  /** One measure of all DataNodes. */
  private final class Result {
    private final Measure measure;
    private final double[] medians = new double[dataNodes.size()];
    private final double[] logs = new double[dataNodes.size()];
    private final double[] deviations = new double[dataNodes.size()];
    private final double[] seconds = new double[dataNodes.size()];
    private final double[][] relative = new double[dataNodes.size()][];
    private final List<Group> groups = new ArrayList<>();
    private final Map<Integer, Seen> dataNodesSeen = new LinkedHashMap<>();
    private final Map<String, Seen> hostsSeen = new LinkedHashMap<>();
    private final List<String> hostNames = new ArrayList<>();
    private Peers.Factors hostFactors;

    Result(Measure measure, double[][] values, double likeness) {
      this.measure = measure;
      for (List<Integer> role : roles.values()) {
        double[][] ofRole = new double[role.size()][];
        for (int i = 0; i < ofRole.length; i++) {
          int number = role.get(i);
          DataNodeHistory node = dataNodes.get(number);
          ofRole[i] = values[number];
          medians[number] = Peers.median(values[number]);
          seconds[number] = node.last().seconds() - node.first().seconds();
        }
        Object[] hostOf = role.stream().map(i -> dataNodes.get(i).host()).toArray();
        Peers.Factors factors = Peers.compare(ofRole, likeness, hostOf);
        groups.add(new Group(factors, role));
        for (int i = 0; i < ofRole.length; i++) {
          logs[role.get(i)] = Math.log(factors.of(i));
          deviations[role.get(i)] = factors.deviation(i);
          relative[role.get(i)] =
              factors.known() < Peers.LEAST_PEERS ? new double[0] : factors.relative(i);
        }
      }
      List<double[]> ofHosts = new ArrayList<>();
      hosts.forEach(
          (host, nodes) -> {
            double[] medians = medians(nodes);
            if (medians.length > 0) {
              hostNames.add(host);
              ofHosts.add(medians);
            }
          });
      hostFactors = Peers.compare(ofHosts.toArray(new double[0][]), likeness);
    }

    /** Of each interval, of DataNodes that have peers; empty with fewer than two of them. */
    private double[] medians(List<Integer> nodes) {
      List<double[]> known = new ArrayList<>();
      for (int node : nodes) {
        if (!Double.isNaN(logs[node]) && relative[node].length > 0) {
          known.add(relative[node]);
        }
      }
      if (known.size() < 2) {
        return new double[0];
      }
      double[] medians = new double[known.get(0).length];
      for (int t = 0; t < medians.length; t++) {
        int now = t;
        medians[t] = Peers.median(known.stream().mapToDouble(values -> values[now]).toArray());
      }
      return medians;
    }

    int comparisons() {
      int comparisons = hostFactors.known();
      for (Group group : groups) {
        comparisons += group.factors.known();
      }
      return comparisons;
    }

    void judge(int comparisons) {
      for (Group group : groups) {
        double usual = Peers.median(group.members.stream().mapToDouble(i -> medians[i]).toArray());
        for (Peers.Outlier outlier : group.factors.above(least, comparisons)) {
          int node = group.members.get(outlier.peer());
          int peers = group.factors.known() - 1;
          dataNodesSeen.put(
              node, new Seen(measure, outlier, medians[node], usual, peers, seconds[node]));
        }
      }
      for (Peers.Outlier outlier : hostFactors.above(least, comparisons)) {
        String host = hostNames.get(outlier.peer());
        List<Integer> nodes = hosts.get(host);
        double value = Peers.median(nodes.stream().mapToDouble(i -> medians[i]).toArray());
        double usual =
            Peers.median(nodes.stream().mapToDouble(i -> medians[i] / Math.exp(logs[i])).toArray());
        double longest = nodes.stream().mapToDouble(i -> seconds[i]).max().orElse(0);
        int peers = hostFactors.known() - 1;
        hostsSeen.put(host, new Seen(measure, outlier, value, usual, peers, longest));
      }
    }

    /**
     * By how much less chance explains that all of these are alike than that the worst differ by
     * themselves; negative when the latter explains it better.
     */
    double together(List<Integer> nodes) {
      double[] away = new double[nodes.size()];
      int n = 0;
      for (int node : nodes) {
        if (!Double.isNaN(logs[node])) {
          away[n++] = logs[node] / deviations[node];
        }
      }
      away = Arrays.copyOf(away, n);
      Arrays.sort(away);
      double mean = Arrays.stream(away).average().orElse(0);
      double alike = ONE_MORE;
      double rest = 0;
      double apart = Double.POSITIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        alike += (away[i] - mean) * (away[i] - mean);
        rest += away[i] * away[i];
        apart = i == n - 1 ? apart : Math.min(apart, rest + ONE_MORE * (n - 1 - i));
      }
      return n < 2 ? 0 : apart - alike;
    }
  }

  /**
   * Compares.
   *
   * @param likeness how much healthy DataNodes are expected to differ, as a part of one
   * @param least the least factor that is worth a finding
   */
  static List<Found> find(
      ClusterHistory cluster, List<Measure> measures, double likeness, double least) {
    Comparison all = new Comparison(cluster, least);
    if (all.dataNodes.size() < Peers.LEAST_PEERS) {
      return new ArrayList<>();
    }
    all.compare(measures, likeness);
    int comparisons = all.results.stream().mapToInt(Result::comparisons).sum();
    for (Result result : all.results) {
      result.judge(comparisons);
    }
    List<Found> found = new ArrayList<>();
    all.hosts.forEach((host, nodes) -> all.judge(host, nodes, found));
    found.sort(Comparator.comparingDouble(each -> -each.seen.get(0).factor));
    return found;
  }

  /** Whether enough DataNodes of a kind have anything that is compared. */
  static boolean isPossible(ClusterHistory cluster, List<Measure> measures) {
    return cluster.roles().values().stream()
        .anyMatch(
            role ->
                measures.stream()
                    .anyMatch(
                        measure ->
                            role.stream().filter(node -> has(node, measure)).count()
                                >= Peers.LEAST_PEERS));
  }

  private static boolean has(DataNodeHistory node, Measure measure) {
    return Arrays.stream(node.series(measure.value)).anyMatch(value -> value > 0);
  }

  private void compare(List<Measure> measures, double likeness) {
    for (Measure measure : measures) {
      results.add(new Result(measure, values(measure), likeness));
    }
    results.add(new Result(TOGETHER, together(), likeness));
  }

  /**
   * By DataNode and interval. Zeros say that an interval is too short for Hadoop's whole numbers;
   * to leave them out would make the rest seem more than it is. So intervals are made longer until
   * three quarters of the DataNodes of each role have hardly any, and DataNodes that still have
   * some are not compared.
   */
  private double[][] values(Measure measure) {
    int step = 1;
    double[][] values = values(measure, step);
    while (tooShort(values)) {
      step *= 2;
      values = values(measure, step);
    }
    for (double[] each : values) {
      if (zeros(each) > FEW_ZEROS) {
        Arrays.fill(each, Double.NaN);
      }
    }
    return values;
  }

  private boolean tooShort(double[][] values) {
    boolean zeros = false;
    for (List<Integer> role : roles.values()) {
      double[] parts = role.stream().mapToDouble(i -> zeros(values[i])).sorted().toArray();
      int known = (int) Arrays.stream(parts).filter(part -> !Double.isNaN(part)).count();
      zeros |= known > 0 && parts[known - 1 - known / 4] > FEW_ZEROS;
    }
    return zeros && values[0].length >= 2 * LEAST_INTERVALS;
  }

  private double[][] values(Measure measure, int step) {
    double[][] values = new double[dataNodes.size()][];
    for (int i = 0; i < values.length; i++) {
      List<Reading> rounds = dataNodes.get(i).rounds();
      values[i] = new double[Math.max(0, rounds.size() - 1) / step];
      for (int t = 0; t < values[i].length; t++) {
        Reading before = rounds.get(t * step);
        Reading after = rounds.get((t + 1) * step);
        boolean known = before != null && after != null;
        values[i][t] = known ? measure.value.applyAsDouble(before, after) : Double.NaN;
      }
    }
    return values;
  }

  /** Which part of what is known is 0. */
  private static double zeros(double[] values) {
    int known = 0;
    int zeros = 0;
    for (double value : values) {
      known += Double.isNaN(value) ? 0 : 1;
      zeros += value == 0 ? 1 : 0;
    }
    return known == 0 ? Double.NaN : (double) zeros / known;
  }

  /** The mean of what each DataNode has over its peers by all measures, with logarithms. */
  private double[][] together() {
    double[][] values = new double[dataNodes.size()][];
    for (int i = 0; i < values.length; i++) {
      int node = i;
      int intervals = results.stream().mapToInt(r -> r.relative[node].length).max().orElse(0);
      values[i] = new double[intervals];
      for (int t = 0; t < intervals; t++) {
        double sum = 0;
        int n = 0;
        for (Result result : results) {
          boolean same = result.relative[i].length == intervals;
          double log = same ? Math.log(result.relative[i][t]) : Double.NaN;
          sum += Double.isNaN(log) ? 0 : log;
          n += Double.isNaN(log) ? 0 : 1;
        }
        values[i][t] = n < 2 ? Double.NaN : Math.exp(sum / n);
      }
    }
    return values;
  }

  /** Of each measure that which shows it most. */
  private static Collection<Seen> worst(Collection<List<Seen>> all) {
    Map<Measure, Seen> worst = new LinkedHashMap<>();
    for (List<Seen> seen : all) {
      for (Seen each : seen) {
        worst.merge(each.measure, each, (a, b) -> a.factor >= b.factor ? a : b);
      }
    }
    return worst.values();
  }

  private void judge(String host, List<Integer> nodes, List<Found> found) {
    List<Seen> ofHost = new ArrayList<>();
    Map<Integer, List<Seen>> ofNodes = new LinkedHashMap<>();
    double together = 0;
    for (Result result : results) {
      Seen whole = result.hostsSeen.get(host);
      boolean any = whole != null;
      if (whole != null) {
        ofHost.add(whole);
      }
      for (int node : nodes) {
        Seen single = result.dataNodesSeen.get(node);
        if (single != null) {
          any = true;
          ofNodes.computeIfAbsent(node, n -> new ArrayList<>()).add(single);
        }
      }
      together += any ? result.together(nodes) : 0;
    }
    boolean allOfThem = nodes.size() > 1 && ofNodes.size() == nodes.size();
    boolean several = !ofHost.isEmpty() || ofNodes.size() > 1;
    boolean alike = !ofNodes.isEmpty() || several;
    alike &= together > (several ? 0 : MARGIN);
    if (nodes.size() > 1 && (allOfThem || alike)) {
      List<String> names = new ArrayList<>();
      nodes.forEach(node -> names.add(dataNodes.get(node).name()));
      if (ofHost.isEmpty()) {
        ofHost.addAll(worst(ofNodes.values()));
      }
      found.add(new Found(host, names, ofHost));
    } else {
      ofNodes.forEach(
          (node, seen) ->
              found.add(new Found(dataNodes.get(node).name(), new ArrayList<>(), seen)));
    }
  }
}
