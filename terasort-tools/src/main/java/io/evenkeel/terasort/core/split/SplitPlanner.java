package io.evenkeel.terasort.core.split;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plans the splits of a job: each range goes to the least loaded of its hosts, then the ranges of
 * one host are packed into splits of nearly equal size.
 *
 * <p>A packed split is local on the host it was planned for and on those that have a replica of
 * each of its ranges. Ranges are packed together that share a second host: where a host is full,
 * with an application master for example, a task that only this host can take runs where it has no
 * data. Ranges without hosts (erasure coded, not HDFS) are packed by themselves and name no host.
 * Pure; {@code BlockInputFormat} makes Hadoop's splits of these. Stateless and deterministic.
 */
public final class SplitPlanner {
  private static final int MOVES = 8;
  private static final String NOWHERE = "";

  private final long maxBytes;
  private final long leastBytes;
  private final int minPerHost;

  /**
   * Creates a planner.
   *
   * @param maxBytes largest split made of more than one range, in bytes; 0 packs nothing
   * @param leastBytes splits are not made smaller than about this where ranges can be packed: fewer
   *     hosts read a small input; 0 uses all hosts
   * @param minPerHost splits a host gets at least, as far as it has ranges, unless those would be
   *     too small; 1 or more
   */
  public SplitPlanner(long maxBytes, long leastBytes, int minPerHost) {
    this.maxBytes = maxBytes;
    this.leastBytes = leastBytes;
    this.minPerHost = minPerHost;
  }

  /** The splits, largest first: the long ones must not start last. */
  public List<PackedSplit> plan(List<Range> ranges) {
    List<PackedSplit> splits = new ArrayList<>();
    for (Map.Entry<String, List<Range>> host : assign(ranges).entrySet()) {
      splits.addAll(pack(host.getKey(), host.getValue()));
    }
    splits.sort(
        Comparator.comparingLong(PackedSplit::length)
            .reversed()
            .thenComparing(s -> s.ranges().get(0).file())
            .thenComparing(s -> s.ranges().get(0).start()));
    return splits;
  }

  /** Ranges by the host that is to read them, in the order of the listing. */
  private Map<String, List<Range>> assign(List<Range> ranges) {
    boolean few = maxBytes > 0 && leastBytes > 0;
    Set<String> readers = readers(ranges, few ? atLeastOne(ranges) : Long.MAX_VALUE);
    Map<String, Long> load = new TreeMap<>();
    String[] host = new String[ranges.size()];
    for (int i = 0; i < host.length; i++) {
      host[i] = leastLoaded(ranges.get(i), readers, load);
      load.merge(host[i], ranges.get(i).length(), Long::sum);
    }
    boolean moved = true;
    for (int round = 0; round < MOVES && moved; round++) {
      moved = false;
      for (int i = 0; i < host.length; i++) {
        Range range = ranges.get(i);
        String better = leastLoaded(range, readers, load);
        if (load.get(host[i]) - range.length() > load.getOrDefault(better, 0L)) {
          load.merge(host[i], -range.length(), Long::sum);
          load.merge(better, range.length(), Long::sum);
          host[i] = better;
          moved = true;
        }
      }
    }
    Map<String, List<Range>> assigned = new TreeMap<>();
    for (int i = 0; i < host.length; i++) {
      assigned.computeIfAbsent(host[i], h -> new ArrayList<>()).add(ranges.get(i));
    }
    return assigned;
  }

  /**
   * Chooses the hosts that read: few, and together with a replica of every range that has any.
   *
   * <p>Greedy: the next host is the one with most bytes that no chosen host has, the first by name
   * among equals.
   *
   * @param wanted how many hosts should read; more are chosen where so few have not all ranges, and
   *     all are where there are not more
   */
  private static Set<String> readers(List<Range> ranges, long wanted) {
    Map<String, Integer> count = new TreeMap<>();
    ranges.forEach(range -> range.hosts().forEach(host -> count.merge(host, 1, Integer::sum)));
    if (count.size() <= wanted) {
      return new TreeSet<>(count.keySet());
    }
    Map<String, Long> gain = new TreeMap<>();
    Map<String, int[]> rangesOf = new HashMap<>();
    count.forEach((host, ranged) -> rangesOf.put(host, new int[ranged]));
    Map<String, Integer> filled = new HashMap<>();
    for (int i = 0; i < ranges.size(); i++) {
      for (String host : ranges.get(i).hosts()) {
        gain.merge(host, ranges.get(i).length(), Long::sum);
        rangesOf.get(host)[filled.merge(host, 1, Integer::sum) - 1] = i;
      }
    }
    return choose(ranges, wanted, gain, rangesOf);
  }

  private static Set<String> choose(
      List<Range> ranges, long wanted, Map<String, Long> gain, Map<String, int[]> rangesOf) {
    Set<String> chosen = new LinkedHashSet<>();
    boolean[] covered = new boolean[ranges.size()];
    while (!gain.isEmpty()) {
      String best = gain.keySet().stream().max(Comparator.comparing(gain::get)).get();
      if (gain.get(best) == 0 && chosen.size() >= wanted) {
        break;
      }
      gain.remove(best);
      chosen.add(best);
      for (int i : rangesOf.get(best)) {
        if (!covered[i]) {
          covered[i] = true;
          long length = ranges.get(i).length();
          ranges.get(i).hosts().forEach(host -> gain.computeIfPresent(host, (h, g) -> g - length));
        }
      }
    }
    return chosen;
  }

  /** How many splits of the least size all ranges make. */
  private long atLeastOne(List<Range> ranges) {
    return Math.max(1, ranges.stream().mapToLong(Range::length).sum() / leastBytes);
  }

  private static String leastLoaded(Range range, Set<String> readers, Map<String, Long> load) {
    return range.hosts().stream()
        .filter(readers::contains)
        .min(Comparator.comparingLong(host -> load.getOrDefault(host, 0L)))
        .orElse(NOWHERE);
  }

  /** Cuts the ranges of a host into splits of nearly equal size that share other hosts, too. */
  private List<PackedSplit> pack(String host, List<Range> ranges) {
    List<PackedSplit> packed = new ArrayList<>();
    long left = ranges.stream().mapToLong(Range::length).sum();
    long splits = splitsOf(ranges.size(), left);
    if (splits == 1) {
      packed.add(new PackedSplit(ranges, shared(host, ranges)));
      return packed;
    }
    long usual = left / splits;
    Shelf shelf = new Shelf(host, ranges);
    while (!shelf.isEmpty()) {
      List<Range> bundle = shelf.take(left / splits, usual, maxBytes);
      PackedSplit split = new PackedSplit(bundle, shared(host, bundle));
      packed.add(split);
      left -= split.length();
      // more than planned where bundles were small
      splits = Math.max(1, Math.max(splits - 1, left / usual));
    }
    return packed;
  }

  /** How many splits this many ranges of {@code total} bytes should make. */
  private long splitsOf(int ranges, long total) {
    if (maxBytes <= 0) {
      return ranges;
    }
    long parallel = leastBytes > 0 ? Math.min(minPerHost, total / leastBytes) : minPerHost;
    long least = Math.max(1, (total + maxBytes - 1) / maxBytes);
    return Math.min(ranges, Math.max(parallel, least));
  }

  private static List<String> shared(String host, List<Range> ranges) {
    if (host.equals(NOWHERE)) {
      return Collections.emptyList();
    }
    List<String> hosts = new ArrayList<>(ranges.get(0).hosts());
    ranges.forEach(range -> hosts.retainAll(range.hosts()));
    hosts.remove(host);
    hosts.add(0, host);
    return hosts;
  }
}
