package io.evenkeel.terasort.core.split;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ranges of one host that no split has yet. Gives them out in bundles that share other hosts,
 * too: a task that only one host can take waits for that host, or runs where it has no data. Apart
 * from {@link SplitPlanner}, which shares the ranges out to hosts.
 *
 * <p>Confined to one thread.
 */
final class Shelf {
  /** So many ranges tell which second host to add: a bound on the time, not on the plan. */
  private static final int LOOKED_AT = 128;

  private final String host;
  private final List<Range> ranges;
  private final BitSet rest = new BitSet();
  private final Map<String, BitSet> with = new TreeMap<>();
  private final Map<String, Long> bytes = new TreeMap<>();

  Shelf(String host, List<Range> ranges) {
    this.host = host;
    this.ranges = ranges;
    rest.set(0, ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      for (String other : ranges.get(i).hosts()) {
        if (!other.equals(host)) {
          with.computeIfAbsent(other, h -> new BitSet()).set(i);
          bytes.merge(other, ranges.get(i).length(), Long::sum);
        }
      }
    }
  }

  boolean isEmpty() {
    return rest.isEmpty();
  }

  /**
   * Takes the next bundle: one that shares hosts if it gets two thirds of the usual size.
   *
   * @param wanted bytes it should have
   * @param usual bytes of a split of this host
   * @param most bytes it may have when it is more than one range
   */
  List<Range> take(long wanted, long usual, long most) {
    BitSet from = sharing(usual * 3 / 4);
    return takeFrom(from.equals(rest) ? sharing(usual * 2 / 3) : from, wanted, most);
  }

  /** Ranges of at least so many bytes that share as many hosts as they can; else all. */
  private BitSet sharing(long least) {
    BitSet from = (BitSet) rest.clone();
    String other = largest(bytes);
    while (other != null) {
      BitSet narrowed = (BitSet) from.clone();
      narrowed.and(with.get(other));
      if (!reaches(narrowed, least)) {
        break;
      }
      from = narrowed;
      other = largest(sharedIn(from));
    }
    return from;
  }

  private List<Range> takeFrom(BitSet from, long wanted, long most) {
    List<Range> bundle = new ArrayList<>();
    long filled = 0;
    for (int i = from.nextSetBit(0); i >= 0; i = from.nextSetBit(i + 1)) {
      Range range = ranges.get(i);
      boolean enough = filled + range.length() / 2 > wanted;
      if (!bundle.isEmpty() && (enough || filled + range.length() > most)) {
        break;
      }
      bundle.add(range);
      filled += range.length();
      rest.clear(i);
      for (String shared : range.hosts()) {
        bytes.computeIfPresent(shared, (h, left) -> left - range.length());
      }
    }
    return bundle;
  }

  private boolean reaches(BitSet set, long least) {
    long sum = 0;
    for (int i = set.nextSetBit(0); i >= 0 && sum < least; i = set.nextSetBit(i + 1)) {
      sum += ranges.get(i).length();
    }
    return sum >= least;
  }

  /** Bytes by host that some ranges of the set have, but not all. */
  private Map<String, Long> sharedIn(BitSet set) {
    Map<String, Long> shared = new TreeMap<>();
    long sum = 0;
    int looked = 0;
    for (int i = set.nextSetBit(0); i >= 0 && looked < LOOKED_AT; i = set.nextSetBit(i + 1)) {
      looked++;
      long length = ranges.get(i).length();
      sum += length;
      ranges.get(i).hosts().forEach(name -> shared.merge(name, length, Long::sum));
    }
    long all = sum;
    shared.remove(host);
    shared.values().removeIf(part -> part == all);
    return shared;
  }

  /** The host with most bytes, the first by name among equals; null when there is none. */
  private static String largest(Map<String, Long> bytes) {
    String largest = null;
    for (Map.Entry<String, Long> entry : bytes.entrySet()) {
      if (entry.getValue() > 0 && (largest == null || entry.getValue() > bytes.get(largest))) {
        largest = entry.getKey();
      }
    }
    return largest;
  }
}
