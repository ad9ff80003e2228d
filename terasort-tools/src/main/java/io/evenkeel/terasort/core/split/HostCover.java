package io.evenkeel.terasort.core.split;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chooses the hosts that read a small input: few, and together with a replica of every range.
 *
 * <p>Greedy: the next host is the one with most bytes that no chosen host has, the first by name
 * among equals. Stateless and deterministic.
 */
final class HostCover {
  private HostCover() {}

  /**
   * Hosts with a replica of every range that has any.
   *
   * @param wanted how many hosts should read; more are chosen where so few have not all ranges, and
   *     all are where there are not more
   */
  static Set<String> of(List<Range> ranges, long wanted) {
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
}
