package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.List;

/**
 * What is placed where, and what changes meanwhile. Immutable.
 *
 * @param label short and unique in its experiment
 */
public record PlacementScenario(String label, List<Place> places, Load load, Change change) {
  /** Replicas of a block unless said otherwise. */
  public static final int REPLICATION = 3;

  /** Who writes. */
  public enum Writers {
    /** One writer on each DataNode. */
    LOCAL,
    /** As many writers as DataNodes, none on a known node. */
    OFF_CLUSTER
  }

  /** Whose block is complete next. */
  public enum Order {
    /** One writer after the other. */
    ROUND_ROBIN,
    /** Any writer, drawn evenly. */
    RANDOM
  }

  /**
   * Blocks to write.
   *
   * @param storagePolicy name of an HDFS storage policy, for example {@code HOT}
   */
  public record Load(
      int blocks, int replication, Writers writers, Order order, String storagePolicy) {
    public static Load of(int blocks) {
      return new Load(blocks, REPLICATION, Writers.LOCAL, Order.ROUND_ROBIN, "HOT");
    }

    public Load replicas(int count) {
      return new Load(blocks, count, writers, order, storagePolicy);
    }

    public Load by(Writers who) {
      return new Load(blocks, replication, who, order, storagePolicy);
    }

    public Load in(Order other) {
      return new Load(blocks, replication, writers, other, storagePolicy);
    }
  }

  /**
   * What happens meanwhile.
   *
   * @param resetEvery after so many blocks the NameNode knows nothing more; 0 is never
   * @param nameNodes NameNodes that share the DataNodes, each seeing its own blocks only
   * @param joining so many DataNodes, the last ones, join after half of the blocks
   * @param missing DataNodes that may not be used
   * @param reports how often all DataNodes report load and space in a round of all writers, which
   *     is the time a block is in flight; 0 is never
   */
  public record Change(int resetEvery, int nameNodes, int joining, Missing missing, int reports) {
    public static final Change NONE = new Change(0, 1, 0, Missing.NONE, 0);

    public static Change resetEvery(int blocks) {
      return new Change(blocks, 1, 0, Missing.NONE, 0);
    }

    public static Change nameNodes(int count) {
      return new Change(0, count, 0, Missing.NONE, 0);
    }

    public static Change joining(int count) {
      return new Change(0, 1, count, Missing.NONE, 0);
    }

    public static Change missing(Missing which) {
      return new Change(0, 1, 0, which, 0);
    }

    public static Change reporting(int perRound) {
      return NONE.andReporting(perRound);
    }

    /** The same with so many reports in a round. */
    public Change andReporting(int perRound) {
      return new Change(resetEvery, nameNodes, joining, missing, perRound);
    }
  }

  /**
   * DataNodes that may not be used; nobody writes on them.
   *
   * @param every one in so many; 0 is none
   * @param drawn whether they are drawn, or else are the first, the one so many places on, ...
   * @param decommissioning whether the NameNode knows, or else each request excludes them
   */
  public record Missing(int every, boolean drawn, boolean decommissioning) {
    public static final Missing NONE = new Missing(0, false, false);
  }

  public static PlacementScenario of(String label, Shape shape, Load load) {
    return new PlacementScenario(label, shape.places(), load, Change.NONE);
  }

  public PlacementScenario with(Change other) {
    return new PlacementScenario(label, places, load, other);
  }

  /** Replicas that one rack may hold, as the stock policy counts when racks are known. */
  public static int rackCap(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int cap = (replicas - 1) / racks + 2;
    return cap == replicas ? cap - 1 : cap;
  }
}
