package io.evenkeel.placement.core;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/**
 * How loaded every DataNode is, and the least loaded one of any part of the cluster.
 *
 * <p>The load of a DataNode is (blocks given lately + {@link Tuning} factor x blocks in flight
 * above the mean) / weight. Blocks in flight are the NameNode's own count, which knows of a block
 * as soon as it is allocated; blocks given lately are counted here with every choice, so that
 * concurrent choices see each other before the NameNode has counted. A random fraction of a block,
 * drawn anew with every change that is noted, decides between equals. A look that finds a DataNode
 * as it was notes nothing; its lead fades all the same, and is noted when that makes a difference.
 *
 * <p>A lead or lag of this load against the mean fades with the blocks that are placed, and a lag
 * is bounded: a DataNode that comes new or back is not flooded. So blocks that stay open weigh less
 * the longer they do: their DataNode is behind in blocks given by what they count for, and then
 * gets its share beside them; when they end it is ahead of nobody. One that refuses a block is
 * asked last until it is looked at again.
 *
 * <p>Thread-safe; {@code this} guards all state, and nothing but {@link NodeState} is called with
 * it held.
 */
final class LoadTable {
  /** Added to the load of a DataNode that refused, so that it is asked after all others. */
  private static final double LAST = 1e9;

  private final ClusterView view;
  private final Tuning tuning;
  private final DoubleSupplier fraction;
  private final LoadIndex index;
  private final double[] noted;
  private final double[] given;
  private final double[] weight;
  private final int[] scheduled;
  private final int[] types;
  private final double fade;
  private final boolean[] serving;
  private final boolean[] parked;
  private final int[] servingInRack;
  private int racksServing;
  private double allGiven;
  private long allScheduled;
  private double allWeight;
  private int cursor;
  private boolean starting;

  /** The weight that counts as 1: the mean when all were looked at, so loads are in blocks. */
  private double unit = 1;

  /**
   * Creates a table of DataNodes without any load.
   *
   * @param fraction random numbers of [0, 1)
   */
  LoadTable(ClusterView view, Tuning tuning, DoubleSupplier fraction) {
    this.view = view;
    this.tuning = tuning;
    this.fraction = fraction;
    index = new LoadIndex(view, tuning, fraction);
    noted = new double[view.nodes()];
    given = new double[view.nodes()];
    weight = new double[view.nodes()];
    scheduled = new int[view.nodes()];
    types = new int[view.nodes()];
    serving = new boolean[view.nodes()];
    parked = new boolean[view.nodes()];
    servingInRack = new int[view.racks()];
    fade = tuning.fade(view.nodes());
    Arrays.fill(noted, LoadIndex.NONE);
    Arrays.fill(weight, 1);
    allWeight = view.nodes();
  }

  /** Blocks given lately per unit of weight, of one DataNode; negative when it lags. */
  synchronized double lead(int node) {
    return given[node] / weight[node] - mean();
  }

  /** A DataNode that was in service in an older table keeps its lead; others start at the mean. */
  synchronized void keep(int node, double lead) {
    add(node, lead * weight[node]);
    serving[node] = true;
    int rack = view.rackOf(node);
    if (++servingInRack[rack] == 1) {
      racksServing++;
    }
  }

  synchronized boolean serving(int node) {
    return serving[node];
  }

  /** Whether a rack has a DataNode in service. */
  synchronized boolean serves(int rack) {
    return servingInRack[rack] > 0;
  }

  /** Whether a DataNode in service has one of these storage types. */
  synchronized boolean anyServes(int typeBits) {
    for (int node = 0; node < view.nodes(); node++) {
      if (serving[node] && (types[node] & typeBits) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The number of racks with a DataNode in service. */
  synchronized int racksServing() {
    return racksServing;
  }

  /**
   * Finds the least loaded DataNode and gives it a block.
   *
   * @return its number, or -1 when none will do
   */
  synchronized int take(Scope scope, Demand demand, NodeState state) {
    while (true) {
      int node = index.least(scope, n -> demand.admits(n, types[n]));
      if (node < 0) {
        return -1;
      }
      if (current(node, state)) {
        give(node);
        return node;
      }
      // others have given it blocks that were not seen here yet, or it left: look again
    }
  }

  /** Counts a block that went to the DataNode without a choice. */
  synchronized void give(int node) {
    add(node, 1);
    update(node);
  }

  /** It refused the block it was chosen for: it is asked last until it is looked at again. */
  synchronized void refused(int node) {
    add(node, -1);
    parked[node] = true;
    update(node);
  }

  /** The block did not go there after all. */
  synchronized void giveBack(int node) {
    add(node, -1);
    update(node);
  }

  private void add(int node, double blocks) {
    given[node] += blocks;
    allGiven += blocks;
  }

  private double mean() {
    return allGiven / allWeight;
  }

  /** Looks at the next few DataNodes again, in turn. */
  synchronized void refresh(NodeState state) {
    for (int i = Math.min(tuning.refreshed, view.nodes()); i > 0; i--) {
      cursor = cursor + 1 < view.nodes() ? cursor + 1 : 0;
      look(cursor, state);
    }
  }

  /** Looks at all DataNodes again. */
  synchronized void refreshAll(NodeState state) {
    starting = racksServing == 0 && allGiven == 0;
    double weights = 0;
    for (int node = 0; node < view.nodes(); node++) {
      weights += state.weight(node);
    }
    unit = weights / Math.max(1, view.nodes());
    for (int node = 0; node < view.nodes(); node++) {
      look(node, state);
    }
    starting = false;
  }

  private boolean current(int node, NodeState state) {
    int inFlight = state.scheduled(node);
    boolean inService = state.inService(node);
    if (inService && inFlight <= scheduled[node]) {
      return true;
    }
    look(node, state);
    return false;
  }

  private void look(int node, NodeState state) {
    parked[node] = false;
    int inFlight = state.scheduled(node);
    allScheduled += inFlight - scheduled[node];
    scheduled[node] = inFlight;
    types[node] = state.types(node);
    weigh(node, state.weight(node) / unit);
    serve(node, state.inService(node));
    if (!starting) {
      double above = given[node] / weight[node] + inFlight(node) - mean();
      add(node, (Math.max(above * fade, -tuning.mostLag) - above) * weight[node]);
    }
    double now = load(node);
    if (now != noted[node] && !(Math.abs(now - noted[node]) <= tuning.notNoted)) {
      update(node);
    }
  }

  /** Keeps the lead of the DataNode while its weight changes. */
  private void weigh(int node, double now) {
    if (now != weight[node] && now > 0) {
      double lead = given[node] / weight[node] - mean();
      double mean = mean();
      allWeight += now - weight[node];
      add(node, (mean + lead) * now - given[node]);
      weight[node] = now;
    }
  }

  private void serve(int node, boolean now) {
    if (serving[node] != now) {
      int rack = view.rackOf(node);
      if (now) {
        // without any past, what is in flight is all that is known to have been given
        double start = starting ? scheduled[node] : meanOfRack(rack) * weight[node];
        add(node, start - given[node]);
      }
      serving[node] = now;
      servingInRack[rack] += now ? 1 : -1;
      if (servingInRack[rack] == (now ? 1 : 0)) {
        racksServing += now ? 1 : -1;
      }
    }
    if (!now) {
      add(node, mean() * weight[node] - given[node]);
    }
  }

  private double meanOfRack(int rack) {
    double blocks = 0;
    double weights = 0;
    for (int n = view.firstNodeOfRack(rack); n < view.endOfRack(rack); n++) {
      if (serving[n]) {
        blocks += given[n];
        weights += weight[n];
      }
    }
    return weights == 0 ? mean() : blocks / weights;
  }

  private void update(int node) {
    noted[node] = load(node);
    index.set(node, noted[node] + fraction.getAsDouble() / weight[node]);
  }

  /** The load without the random fraction. */
  private double load(int node) {
    if (!serving[node]) {
      return LoadIndex.NONE;
    }
    double last = parked[node] ? LAST : 0;
    return given[node] / weight[node] + inFlight(node) + last;
  }

  /** What its blocks in flight above the mean count for. */
  private double inFlight(int node) {
    double fairShare = Math.floor(allScheduled / allWeight * weight[node]);
    double above = Math.max(0, Math.min(scheduled[node] - fairShare, tuning.mostAbove));
    return tuning.perScheduled * above / weight[node];
  }
}
