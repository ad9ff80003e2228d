package io.evenkeel.placement.core;

import java.util.function.DoubleSupplier;

/**
 * Chooses DataNodes for blocks: uniformly loaded ones, under the rules of HDFS with the host as
 * failure domain (HDFS-7122, HADOOP-8468). One engine serves one {@link ClusterView}; when the
 * cluster changes, the next engine starts with {@link #keep what is known}.
 *
 * <p>Cost of a choice: logarithmic in DataNodes for each replica, a constant number of DataNodes
 * looked at again, and no allocation that grows with the cluster but one bit per DataNode. All
 * DataNodes are looked at by {@link #refreshAll} only, which holds nobody up.
 *
 * <p>Thread-safe.
 */
public final class PlacementEngine {
  private static final Plan REPLICATED = new RackPairPlan();
  private static final Plan STRIPED = new SpreadPlan();

  private final ClusterView view;
  private final LoadTable loads;

  /**
   * Creates an engine that knows of no load yet.
   *
   * @param fraction random numbers of [0, 1), from any thread
   */
  public PlacementEngine(ClusterView view, Tuning tuning, DoubleSupplier fraction) {
    this.view = view;
    this.loads = new LoadTable(view, tuning, fraction);
  }

  /** Places a replicated block, or more replicas of one. */
  public Placement replicated(BlockRequest request, NodeState state, Targets targets) {
    return place(REPLICATED, request, state, targets);
  }

  /** Places units of a striped block. */
  public Placement striped(BlockRequest request, NodeState state, Targets targets) {
    return place(STRIPED, request, state, targets);
  }

  private Placement place(Plan plan, BlockRequest request, NodeState state, Targets targets) {
    loads.refresh(state);
    Session session = new Session(request, this, state, targets);
    boolean found = true;
    while (found && session.missing() > 0) {
      found = plan.next(session);
    }
    if (!found) {
      session.explainShortage();
    }
    session.placement.mostOnOneHost(session.demand.mostOnOneHost());
    return session.placement;
  }

  /** A DataNode was given a block without being asked for here. */
  public void give(int node) {
    loads.give(node);
  }

  /** A DataNode that was chosen here does not get the block after all. */
  public void giveBack(int node) {
    loads.giveBack(node);
  }

  /** Looks at all DataNodes again; to be called before any choice, and now and then. */
  public void refreshAll(NodeState state) {
    loads.refreshAll(state);
  }

  /** A DataNode that another engine knew keeps its lead or lag; to be called before any choice. */
  public void keep(int node, PlacementEngine before, int nodeThere) {
    if (before.loads.serving(nodeThere)) {
      loads.keep(node, before.loads.lead(nodeThere), before.loads.refusedIn(nodeThere));
    }
  }

  /** Number of racks with a DataNode in service, when last looked at. */
  public int racksServing() {
    return loads.racksServing();
  }

  /** The layout of the cluster. */
  public ClusterView view() {
    return view;
  }

  LoadTable loads() {
    return loads;
  }
}
