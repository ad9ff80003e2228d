package io.evenkeel.placement.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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
public final class Removal<T> {
  private final List<Replica<T>> left;
  private final boolean everyRack;

  /** Creates the choice for a block with these replicas. */
  public Removal(List<Replica<T>> replicas) {
    this(replicas, false);
  }

  /**
   * Creates the choice for a block with these replicas.
   *
   * @param everyRack whether every rack counts, as for striped blocks, not only the first two
   */
  public Removal(List<Replica<T>> replicas, boolean everyRack) {
    this.left = new ArrayList<>(replicas);
    this.everyRack = everyRack;
  }

  /**
   * Whether the hint may go: hosts and racks stay as many, or what was added made up for it.
   *
   * @param added the replica that was added with this hint; null when there is none
   */
  public boolean hintFits(Replica<T> hint, Replica<T> added) {
    return keepsOr(hint, added, r -> r.host) && keepsOr(hint, added, r -> r.rack);
  }

  private boolean keepsOr(Replica<T> hint, Replica<T> added, Function<Replica<T>, String> level) {
    boolean shared = count(r -> level.apply(r).equals(level.apply(hint))) > 1;
    boolean addedNew = added != null && count(r -> level.apply(r).equals(level.apply(added))) == 1;
    return shared || addedNew;
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
    if (racks() == 2 && count(this::sharesRack) > 0) {
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
    return count(o -> o.host.equals(r.host) && !o.node.equals(r.node)) > 0;
  }

  private boolean sharesRack(Replica<T> r) {
    return count(o -> o.rack.equals(r.rack)) > 1;
  }

  private int racks() {
    Set<String> racks = new HashSet<>();
    left.forEach(r -> racks.add(r.rack));
    return racks.size();
  }

  private int count(Predicate<Replica<T>> which) {
    return (int) left.stream().filter(which).count();
  }

  /** The replica is gone. */
  public void remove(Replica<T> replica) {
    left.remove(replica);
  }
}
