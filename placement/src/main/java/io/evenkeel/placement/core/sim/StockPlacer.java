package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.ClusterView;
import io.evenkeel.placement.core.RackLimit;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A model of the two policies of stock HDFS: the same ladder, every step a uniformly random
 * DataNode of its scope that is not excluded.
 *
 * <p>Default knows no host, so a host is only the DataNode to it; with node groups a whole host is
 * excluded, and the limit per rack counts node groups.
 */
public final class StockPlacer implements Placer {
  private final Fleet fleet;
  private final ClusterView view;
  private final boolean nodeGroups;
  private final SplittableRandom random;

  /**
   * Creates the model.
   *
   * @param nodeGroups BlockPlacementPolicyWithNodeGroup instead of the default one
   */
  public StockPlacer(Fleet fleet, boolean nodeGroups, SplittableRandom random) {
    this.fleet = fleet;
    this.view = fleet.view();
    this.nodeGroups = nodeGroups;
    this.random = random;
  }

  @Override
  public int[] place(int writer, int replicas) {
    int[] chosen = new int[replicas];
    int count = 0;
    while (count < replicas) {
      int node = next(writer, chosen, count);
      if (node < 0) {
        return Arrays.copyOf(chosen, count);
      }
      chosen[count++] = node;
    }
    return chosen;
  }

  private int next(int writer, int[] chosen, int count) {
    if (count == 0) {
      return writer >= 0 && fleet.inService(writer) ? writer : anywhere(chosen, count);
    }
    int first = view.rackOf(chosen[0]);
    int found = -1;
    if (count == 1 || (count == 2 && first == view.rackOf(chosen[1]))) {
      found = draw(first, true, chosen, count);
      return found >= 0 ? found : draw(first, false, chosen, count);
    }
    if (count == 2) {
      found = draw(view.rackOf(chosen[1]), false, chosen, count);
      found = found >= 0 ? found : draw(first, false, chosen, count);
    }
    return found >= 0 ? found : anywhere(chosen, count);
  }

  private int anywhere(int[] chosen, int count) {
    return draw(-1, true, chosen, count);
  }

  /** A random DataNode of the rack, or of all others, that may still be used; -1 without any. */
  private int draw(int rack, boolean outside, int[] chosen, int count) {
    int from = rack < 0 ? 0 : view.firstNodeOfRack(rack);
    int to = rack < 0 ? 0 : view.endOfRack(rack);
    int size = outside ? view.nodes() - (to - from) : to - from;
    for (int tries = 0; tries < 20 && size > 0; tries++) {
      int node = pick(random.nextInt(size), from, to, outside);
      if (usable(node, chosen, count)) {
        return node;
      }
    }
    int usable = 0;
    int found = -1;
    for (int i = 0; i < size; i++) {
      int node = pick(i, from, to, outside);
      if (usable(node, chosen, count) && random.nextInt(++usable) == 0) {
        found = node;
      }
    }
    return found;
  }

  private static int pick(int i, int from, int to, boolean outside) {
    if (!outside) {
      return from + i;
    }
    return i < from ? i : i + to - from;
  }

  private boolean usable(int node, int[] chosen, int count) {
    int inRack = 1;
    for (int i = 0; i < count; i++) {
      if (chosen[i] == node || (nodeGroups && view.sameHost(chosen[i], node))) {
        return false;
      }
      inRack += view.rackOf(chosen[i]) == view.rackOf(node) ? 1 : 0;
    }
    boolean limited = !nodeGroups && inRack > RackLimit.of(chosen.length, view.racks());
    return !limited && fleet.inService(node);
  }
}
