package io.evenkeel.placement.core;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Chooses DataNodes for blocks: uniformly loaded ones, under the rules of HDFS with the host as
 * failure domain (HDFS-7122, HADOOP-8468). One engine serves one {@link HostTopology}; when the
 * cluster changes, the next engine starts with {@link #keep what is known}.
 *
 * <p>Cost of a choice: logarithmic in DataNodes for each replica, a constant number of DataNodes
 * looked at again, and no allocation that grows with the cluster but one bit per DataNode. All
 * DataNodes are looked at by {@link #refreshAll} only, which holds nobody up.
 *
 * <p>Thread-safe.
 */
public final class PlacementEngine {
  private final HostTopology topology;
  private final DataNodeStats stats;
  private final Function<DataNodeStats, LoadTable> newLoads;
  private final boolean typesApart;
  private final LoadTable loads;

  /** Loads of single storage types, by bit number; null before a DataNode has the type. */
  private final AtomicReferenceArray<LoadTable> loadsOfType =
      new AtomicReferenceArray<>(Integer.SIZE);

  /**
   * Creates an engine that knows of no load yet. The load of a DataNode is that of all its storage
   * types.
   *
   * @param fraction random numbers of [0, 1), from any thread
   */
  public PlacementEngine(HostTopology topology, DataNodeStats stats, DoubleSupplier fraction) {
    this(topology, stats, LoadTable.PER_SCHEDULED, LoadTable.HALF_LIFE, false, fraction);
  }

  /** For {@code perScheduled} and {@code halfLife} see {@link LoadTable}. */
  PlacementEngine(
      HostTopology topology,
      DataNodeStats stats,
      double perScheduled,
      double halfLife,
      boolean typesApart,
      DoubleSupplier fraction) {
    this.topology = topology;
    this.stats = stats;
    this.typesApart = typesApart;
    newLoads = of -> new LoadTable(topology, of, perScheduled, halfLife, typesApart, fraction);
    loads = newLoads.apply(stats);
  }

  /**
   * Creates an engine that balances every storage type by itself ({@link DataNodeStats#of}), with
   * weights of half to three times the mean.
   */
  public static PlacementEngine ofEachType(
      HostTopology topology, DataNodeStats stats, DoubleSupplier fraction) {
    return new PlacementEngine(
        topology, stats, LoadTable.PER_SCHEDULED, LoadTable.HALF_LIFE, true, fraction);
  }

  /** Places a replicated block, or more replicas of one. */
  public BlockTargets replicated(BlockRequest request, TargetChecks checks) {
    return search(request, checks).replicated();
  }

  /** Places internal blocks of a striped block. */
  public BlockTargets striped(BlockRequest request, TargetChecks checks) {
    return search(request, checks).striped();
  }

  private ReplicaSearch search(BlockRequest request, TargetChecks checks) {
    loads.refresh();
    for (int left = checks.wantedTypes(); typesApart && left != 0; left &= left - 1) {
      loads(Integer.numberOfTrailingZeros(left)).refresh();
    }
    return new ReplicaSearch(request, this, checks);
  }

  /**
   * A DataNode was given a block without being asked for here.
   *
   * @param type bit number of its storage type
   */
  public void give(int node, int type) {
    LoadTable table = typesApart ? loadsOfType.get(type) : loads;
    if (table != null) {
      table.give(node);
    }
  }

  /** A DataNode that was chosen here, for the storage type, does not get the block after all. */
  public void giveBack(int node, int type) {
    LoadTable table = typesApart ? loadsOfType.get(type) : loads;
    if (table != null) {
      table.giveBack(node);
    }
  }

  /** Looks at all DataNodes again; to be called before any choice, and now and then. */
  public void refreshAll() {
    loads.refreshAll();
    int types = 0;
    for (int node = 0; typesApart && node < topology.nodes(); node++) {
      int now = stats.types(node);
      types |= now == DataNodeStats.UNKNOWN_TYPES ? 0 : now;
    }
    for (int type = 0; type < loadsOfType.length(); type++) {
      LoadTable table = loadsOfType.get(type);
      if (table != null) {
        table.refreshAll();
      } else if ((types & 1 << type) != 0) {
        loads(type);
      }
    }
  }

  /** A DataNode that another engine knew keeps its lead or lag; to be called before any choice. */
  public void keep(int node, PlacementEngine before, int nodeThere) {
    loads.keep(node, before.loads, nodeThere);
    for (int type = 0; typesApart && type < loadsOfType.length(); type++) {
      LoadTable there = before.loadsOfType.get(type);
      if (there != null) {
        if (loadsOfType.get(type) == null) {
          loadsOfType.set(type, newLoads.apply(stats.of(type)));
        }
        loadsOfType.get(type).keep(node, there, nodeThere);
      }
    }
  }

  /** What a DataNode can take compared with others, about 1 in the mean, as it is counted here. */
  public double weight(int node) {
    return loads.weight(node);
  }

  /** Number of racks with a DataNode in service, when last looked at. */
  public int racksServing() {
    return loads.racksServing();
  }

  /** The layout of the cluster. */
  public HostTopology topology() {
    return topology;
  }

  /** The loads by which DataNodes in service are known, whatever their types. */
  LoadTable loads() {
    return loads;
  }

  /** The loads by which a DataNode is chosen for a storage type. */
  LoadTable loads(int type) {
    if (!typesApart) {
      return loads;
    }
    LoadTable table = loadsOfType.get(type);
    if (table == null) {
      table = newLoads.apply(stats.of(type));
      table.refreshAll();
      if (!loadsOfType.compareAndSet(type, null, table)) {
        table = loadsOfType.get(type); // another thread met the type as well
      }
    }
    return table;
  }
}
