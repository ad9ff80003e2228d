package io.evenkeel.placement.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which replica of a block is one too many, in the order of stock HDFS with the host added: the
 * delete hint when it weakens no rule; then, of those whose loss keeps two racks, one that shares a
 * host; among equals an overdue heartbeat, then the least free space.
 *
 * <p>Two replicas on one DataNode are not a doubled host: they go by rack and space. Not
 * thread-safe; one instance per block.
 *
 * @param <T> what stands for a replica outside
 */
public final class ExcessRedundancy<T> {
  private final List<Replica<T>> left;
  private final boolean everyRack;
  private final Map<String, Integer> inRack = new HashMap<>();
  private final Map<String, Integer> onHost = new HashMap<>();
  private final Map<String, Map<String, Integer>> onNodesOfHost = new HashMap<>();

  /** Creates the choice for a block with these replicas. */
  public ExcessRedundancy(List<Replica<T>> replicas) {
    this(replicas, false);
  }

  /**
   * Creates the choice for a block with these replicas.
   *
   * @param everyRack whether every rack counts, as for striped blocks, not only the first two
   */
  public ExcessRedundancy(List<Replica<T>> replicas, boolean everyRack) {
    this.left = new ArrayList<>(replicas);
    this.everyRack = everyRack;
    for (Replica<T> r : replicas) {
      inRack.merge(r.rack, 1, Integer::sum);
      onHost.merge(r.host, 1, Integer::sum);
      onNodesOfHost.computeIfAbsent(r.host, h -> new HashMap<>()).merge(r.node, 1, Integer::sum);
    }
  }

  /**
   * Whether the hint may go: hosts and racks stay as many, or what was added made up for it.
   *
   * @param added the replica that was added with this hint; null when there is none
   */
  public boolean hintFits(Replica<T> hint, Replica<T> added) {
    return keeps(hint.host, added == null ? null : added.host, onHost)
        && keeps(hint.rack, added == null ? null : added.rack, inRack);
  }

  private static boolean keeps(String hint, String added, Map<String, Integer> counts) {
    return counts.getOrDefault(hint, 0) > 1 || counts.getOrDefault(added, 0) == 1;
  }

  /**
   * The replica to delete next.
   *
   * @param excess whether a replica is of a storage type there is too much of
   * @return null when none fits
   */
  public Replica<T> next(Predicate<T> excess) {
    List<Replica<T>> candidates = new ArrayList<>();
    for (Replica<T> r : left) {
      if (r.isCandidate() && excess.test(r.source)) {
        candidates.add(r);
      }
    }
    if (inRack.size() == 2 && left.stream().anyMatch(this::sharesRack)) {
      candidates.removeIf(r -> !sharesRack(r)); // as stock: rather none than one rack
    }
    Replica<T> best = null;
    for (Replica<T> r : candidates) {
      if (best == null || goesBefore(r, best)) {
        best = r;
      }
    }
    return best;
  }

  private boolean goesBefore(Replica<T> one, Replica<T> other) {
    boolean shares = sharesHost(one);
    if (shares != sharesHost(other)) {
      return shares;
    }
    if (everyRack && sharesRack(one) != sharesRack(other)) {
      return sharesRack(one);
    }
    return one.goesBefore(other);
  }

  private boolean sharesHost(Replica<T> r) {
    return onNodesOfHost.get(r.host).size() > 1;
  }

  private boolean sharesRack(Replica<T> r) {
    return inRack.get(r.rack) > 1;
  }

  /** The replica is gone. */
  public void remove(Replica<T> replica) {
    if (left.remove(replica)) {
      inRack.computeIfPresent(replica.rack, ExcessRedundancy::less);
      onHost.computeIfPresent(replica.host, ExcessRedundancy::less);
      onNodesOfHost.get(replica.host).computeIfPresent(replica.node, ExcessRedundancy::less);
    }
  }

  private static Integer less(String key, Integer count) {
    return count == 1 ? null : count - 1;
  }

  /**
   * One replica of a block as the choice of an excess one sees it.
   *
   * @param <T> what stands for it outside
   */
  public static final class Replica<T> {
    final T source;
    final String rack;
    final String host;
    final String node;
    private boolean candidate;
    private boolean overdue;
    private long heartbeat;
    private long remaining;

    /** Creates a replica that is not to be deleted. */
    public Replica(T source, String rack, String host, String node) {
      this.source = source;
      this.rack = rack;
      this.host = host;
      this.node = node;
    }

    /**
     * The replica may be deleted.
     *
     * @param heartbeat when its DataNode last sent one, in milliseconds of any clock
     * @param overdue whether that is longer ago than is tolerated
     * @param remaining bytes free on its volume
     */
    public Replica<T> candidate(long heartbeat, boolean overdue, long remaining) {
      this.candidate = true;
      this.heartbeat = heartbeat;
      this.overdue = overdue;
      this.remaining = remaining;
      return this;
    }

    /** What stands for it outside. */
    public T source() {
      return source;
    }

    boolean isCandidate() {
      return candidate;
    }

    /** Whether this one goes before the other, as far as the DataNodes matter. */
    boolean goesBefore(Replica<T> other) {
      if (overdue != other.overdue) {
        return overdue;
      }
      return overdue ? heartbeat < other.heartbeat : remaining < other.remaining;
    }
  }
}
