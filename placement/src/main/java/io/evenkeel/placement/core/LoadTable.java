package io.evenkeel.placement.core;

import io.evenkeel.placement.core.LoadTree.Scope;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * How loaded every DataNode is, and the least loaded one of any part of the cluster.
 *
 * <p>The load of a DataNode is (blocks given lately + {@link #PER_SCHEDULED} x blocks in flight
 * above the mean) / weight. Blocks in flight are the NameNode's own count, which knows of a block
 * as soon as it is allocated; blocks given lately are counted here with every choice, and until the
 * next look as in flight, so that choices see each other before the NameNode has counted. A random
 * fraction of a block, drawn anew with every change that is noted, decides between equals. A look
 * that finds a DataNode as it was notes nothing; its lead fades all the same, and is noted when
 * that makes a difference.
 *
 * <p>A lead or lag of this load against the mean fades with the blocks that are placed, and a lag
 * is bounded: a DataNode that comes new or back is not flooded. So blocks that stay open weigh less
 * the longer they do: their DataNode is behind in blocks given by what they count for, and then
 * gets its share beside them; when they end it is ahead of nobody.
 *
 * <p>There is one {@link LoadTree} for each storage type, with the same loads: they count the
 * blocks of all types. In it DataNodes that are full for the type come after all others, and after
 * those the ones that refused a block, first those that did so for the earliest block. A few of
 * them, beginning anywhere, get back their place with each look.
 *
 * <p>Thread-safe; {@code this} guards all state but {@link #cursor} and {@link #looking}. Nothing
 * but {@link DataNodeStats} is called with it held, and nothing is done with it held that takes
 * longer the more DataNodes there are, but for a new tree, before the first search.
 */
final class LoadTable {
  /** Added to the load of a DataNode that is full: more than any load. */
  static final double FULL = 1e12;

  /** In place of the mean load, for a DataNode that refused. */
  private static final double REFUSED = 1e13;

  /** Added for each block that was refused by anybody before. */
  private static final double ROUND = 1e4;

  /** The weight of a DataNode that has no part in this table: so little that it changes no mean. */
  private static final double NO_PART = 1e-9;

  // The constants below were chosen with the simulator; decision 0011 has the numbers.

  /** How many blocks of the past a block in flight above the mean counts for. */
  static final double PER_SCHEDULED = 16;

  /** After how many blocks per DataNode a lead or a lag counts half. */
  static final double HALF_LIFE = 1024;

  /**
   * How many blocks in flight above the mean count at most. Whoever has more keeps some of them
   * open for long, and would be given nothing beside them.
   */
  private static final double MOST_ABOVE = 4;

  /**
   * How many blocks per unit of weight the load of a DataNode may be below the mean, those in
   * flight included.
   */
  static final double MOST_LAG = 32;

  /**
   * Up to how many blocks per unit of weight a load may have changed without being noted at a look;
   * little beside the fraction of a block by which equals are told apart.
   */
  private static final double NOT_NOTED = 0.125;

  /** DataNodes looked at again with each block. */
  private static final int REFRESHED = 24;

  /**
   * How many DataNodes that refused a block are asked again in their turn with each block. Each
   * refusal costs a question; half of a large cluster may be stale or full.
   */
  static final int RETRIED = 2;

  /** The same for a look at all DataNodes. */
  private static final int RETRIED_BY_ALL = 64;

  /**
   * After how many refusals those are not asked any more that are known to be full or to have
   * refused a block. They are asked in turn, so the next block comes to others.
   */
  static final int MOST_REFUSALS = 64;

  /** DataNodes looked at with the lock held once, when all are. */
  private static final int SLICE = 32;

  private final HostTopology topology;
  private final DataNodeStats stats;
  private final double perScheduled;
  private final double leastWeight;
  private final double mostWeight;
  private final DoubleSupplier fraction;
  private final LoadTree[] trees = new LoadTree[Integer.SIZE]; // by type; null before a search
  private final int[] servingOfType = new int[Integer.SIZE];
  private final double[] noted;
  private final double[] ranked; // noted, with the random fraction
  private final double[] given;
  private final double[] weight;
  private final int[] scheduled; // at the last look, and given since
  private final int[] types;
  private final int[] full;
  private final double fade;
  private final boolean[] serving;
  private final boolean[] refused; // and not tried again since
  private final long[] round; // number of the block it refused
  private final int[] servingInRack;
  private final double[] givenInRack; // to those in service, as is the weight
  private final double[] weightInRack;
  private final AtomicInteger cursor = new AtomicInteger();
  private final AtomicBoolean looking = new AtomicBoolean(); // whether a thread refreshes
  private int withTree; // types, as bits
  private int typesSeen;
  private int racksServing;
  private double allGiven;
  private long allScheduled;
  private double allWeight;
  private long lastRound;
  private long nodesLookedAt;

  /** The weight that counts as 1: the mean when all were looked at, so loads are in blocks. */
  private double unit = 1;

  /**
   * Creates a table of DataNodes without any load.
   *
   * @param stats of the DataNodes, or of a storage type of theirs
   * @param perScheduled for how many blocks of the past one in flight above the mean counts, as
   *     {@link #PER_SCHEDULED}
   * @param halfLife after how many blocks per DataNode a lead or a lag counts half, as {@link
   *     #HALF_LIFE}
   * @param boundsWeights whether weights are half to three times the mean at most
   * @param fraction random numbers of [0, 1)
   */
  LoadTable(
      HostTopology topology,
      DataNodeStats stats,
      double perScheduled,
      double halfLife,
      boolean boundsWeights,
      DoubleSupplier fraction) {
    this.topology = topology;
    this.stats = stats;
    this.perScheduled = perScheduled;
    leastWeight = boundsWeights ? 0.5 : 0;
    mostWeight = boundsWeights ? 3 : Double.POSITIVE_INFINITY;
    this.fraction = fraction;
    noted = new double[topology.nodes()];
    ranked = new double[topology.nodes()];
    given = new double[topology.nodes()];
    weight = new double[topology.nodes()];
    scheduled = new int[topology.nodes()];
    types = new int[topology.nodes()];
    full = new int[topology.nodes()];
    serving = new boolean[topology.nodes()];
    refused = new boolean[topology.nodes()];
    round = new long[topology.nodes()];
    servingInRack = new int[topology.racks()];
    givenInRack = new double[topology.racks()];
    weightInRack = new double[topology.racks()];
    double replicasBetweenLooks = 3.0 / Math.max(1, Math.min(REFRESHED, topology.nodes()));
    fade = Math.pow(0.5, replicasBetweenLooks / halfLife);
    Arrays.fill(noted, LoadTree.NONE);
    Arrays.fill(weight, 1);
    allWeight = topology.nodes();
  }

  /** Blocks given lately per unit of weight, of one DataNode; negative when it lags. */
  synchronized double lead(int node) {
    return given[node] / weight[node] - mean();
  }

  /** The number of the block that a DataNode refused; 0 of one that is asked as others are. */
  synchronized long refusedIn(int node) {
    return refused[node] ? round[node] : 0;
  }

  /**
   * A DataNode that was in service in an older table keeps its lead, and its place when it refused;
   * others start at the mean.
   */
  void keep(int node, LoadTable before, int nodeThere) {
    if (before.serving(nodeThere)) {
      keep(node, before.lead(nodeThere), before.refusedIn(nodeThere));
    }
  }

  private synchronized void keep(int node, double lead, long refusedIn) {
    count(node, true);
    add(node, lead * weight[node]);
    refused[node] = refusedIn > 0;
    round[node] = refusedIn;
    lastRound = Math.max(lastRound, refusedIn);
  }

  /** What it can take: about 1 in the mean. */
  synchronized double weight(int node) {
    return weight[node];
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
    for (int left = typeBits; left != 0; left &= left - 1) {
      if (servingOfType[Integer.numberOfTrailingZeros(left)] > 0) {
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
  synchronized int take(Scope scope, BlockTargets targets) {
    if (servingOfType[targets.type] == 0) {
      return -1;
    }
    LoadTree tree = tree(targets.type);
    LoadTree pair = scope.pairFollows ? tree(targets.pairType) : tree;
    while (true) {
      int node = tree.least(scope, targets, pair);
      if (node < 0) {
        return -1;
      }
      boolean many = !targets.everyone && targets.refusals() >= MOST_REFUSALS;
      if (many && tree.get(node) >= FULL) {
        targets.gaveUp = true;
        return -1;
      }
      if (current(node)) {
        give(node);
        return node;
      }
      // others have given it blocks that were not seen here yet, or it left: look again
    }
  }

  private LoadTree tree(int type) {
    if (trees[type] == null) {
      LoadTree tree = new LoadTree(topology, fraction);
      tree.setAll(node -> rank(node, type));
      trees[type] = tree;
      withTree |= 1 << type;
    }
    return trees[type];
  }

  /** Counts a block that went to the DataNode without a choice. */
  synchronized void give(int node) {
    assign(node, 1);
    update(node);
  }

  /** It refused the block it was chosen for: it is asked after all others from now on. */
  synchronized void refused(int node, BlockTargets targets) {
    assign(node, -1);
    refused[node] = true;
    if (targets.round == 0) {
      targets.round = ++lastRound;
    }
    round[node] = targets.round;
    update(node);
  }

  /** The block did not go there after all. */
  synchronized void giveBack(int node) {
    assign(node, -1);
    update(node);
  }

  /** Counts a block as given and, until the next look, as in flight: so the NameNode will soon. */
  private void assign(int node, int blocks) {
    add(node, blocks);
    schedule(node, Math.max(0, scheduled[node] + blocks));
  }

  private void schedule(int node, int blocks) {
    allScheduled += blocks - scheduled[node];
    scheduled[node] = blocks;
  }

  private void add(int node, double blocks) {
    given[node] += blocks;
    allGiven += blocks;
    if (serving[node]) {
      givenInRack[topology.rackOf(node)] += blocks;
    }
  }

  private double mean() {
    return allGiven / allWeight;
  }

  /**
   * Looks at the next few DataNodes again, in turn, for blocks in flight and service. One thread
   * does so at a time; others go on, and whoever is chosen is looked at in any case.
   */
  void refresh() {
    int count = Math.min(REFRESHED, topology.nodes());
    if (count == 0 || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      refresh(count);
    } finally {
      looking.set(false);
    }
  }

  private void refresh(int count) {
    int from = cursor.getAndUpdate(at -> (at + count) % topology.nodes());
    int[] inFlight = inFlight(from, count);
    synchronized (this) {
      int retries = RETRIED;
      int first = anyOf(count);
      for (int i = 0; i < count; i++) {
        int at = (first + i) % count;
        int node = (from + at) % topology.nodes();
        retries -= retry(node, retries);
        look(node, inFlight[at], false);
      }
    }
  }

  /** Looks at all DataNodes again: also for storage types, room and weight. */
  void refreshAll() {
    double weights = 0;
    int weighed = 0;
    for (int node = 0; node < topology.nodes(); node++) {
      double now = stats.weight(node);
      weights += now;
      weighed += now > 0 ? 1 : 0;
    }
    boolean starting;
    int first;
    synchronized (this) {
      first = anyOf(topology.nodes());
      starting = racksServing == 0 && allGiven == 0;
      unit = weights / Math.max(1, weighed);
    }
    int retries = RETRIED_BY_ALL;
    for (int done = 0; done < topology.nodes(); done += SLICE) {
      int count = Math.min(SLICE, topology.nodes() - done);
      int from = first + done;
      int[] inFlight = inFlight(from, count); // before the lock: it waits for memory
      synchronized (this) {
        for (int i = 0; i < count; i++) {
          int node = (from + i) % topology.nodes();
          retries -= retry(node, retries);
          if (learn(node)) {
            noted[node] = Double.NaN; // whatever the load is, it is to be noted
          }
          look(node, inFlight[i], starting);
        }
      }
    }
    for (int type = 0; type < trees.length; type++) {
      synchronized (this) {
        if ((typesSeen & 1 << type) != 0 && servingOfType[type] > 0) {
          tree(type); // now, rather than at the first search
        }
      }
    }
  }

  /** Blocks in flight of each, or -1 of one that is not in service. */
  private int[] inFlight(int from, int count) {
    int[] inFlight = new int[count];
    for (int i = 0; i < count; i++) {
      int node = (from + i) % topology.nodes();
      inFlight[i] = stats.inService(node) ? stats.scheduled(node) : -1;
    }
    return inFlight;
  }

  /**
   * Where a look begins. A few of those that refused are retried at each: were it always the first,
   * some that refuse for ever would keep all others from their turn.
   */
  private int anyOf(int nodes) {
    return (int) (fraction.getAsDouble() * nodes);
  }

  /** Gives a DataNode that refused its place back; returns how many that were: 0 or 1. */
  private int retry(int node, int allowed) {
    if (allowed == 0 || !refused[node]) {
      return 0;
    }
    refused[node] = false;
    noted[node] = Double.NaN;
    return 1;
  }

  private boolean current(int node) {
    int inFlight = stats.inService(node) ? stats.scheduled(node) : -1;
    if (inFlight >= 0 && inFlight <= scheduled[node]) {
      return true;
    }
    look(node, inFlight, false);
    return false;
  }

  /** Takes over what changes seldom; returns whether storage types or room did. */
  private boolean learn(int node) {
    double now = stats.weight(node);
    weigh(node, now > 0 ? Math.max(leastWeight, Math.min(now / unit, mostWeight)) : NO_PART);
    int nowTypes = stats.types(node);
    int nowFull = stats.fullTypes(node);
    if (nowTypes == types[node] && nowFull == full[node]) {
      return false;
    }
    if (serving[node]) {
      countTypes(types[node], -1);
      countTypes(nowTypes, 1);
    }
    types[node] = nowTypes;
    full[node] = nowFull;
    typesSeen |= nowTypes == DataNodeStats.UNKNOWN_TYPES ? 0 : nowTypes;
    return true;
  }

  /**
   * Takes over what changes often.
   *
   * @param inFlight -1 when it is not in service
   * @param starting whether nothing is known of the past yet
   */
  private void look(int node, int inFlight, boolean starting) {
    nodesLookedAt++;
    schedule(node, Math.max(0, inFlight));
    serve(node, inFlight >= 0, starting);
    if (!starting) {
      double above = given[node] / weight[node] + inFlight(node) - mean();
      add(node, (Math.max(above * fade, -MOST_LAG) - above) * weight[node]);
    }
    double now = load(node);
    if (now != noted[node] && !(Math.abs(now - noted[node]) <= NOT_NOTED)) {
      update(node);
    }
  }

  /** Keeps the lead of the DataNode while its weight changes. */
  private void weigh(int node, double now) {
    if (now != weight[node]) {
      double lead = given[node] / weight[node] - mean();
      double mean = mean();
      allWeight += now - weight[node];
      if (serving[node]) {
        weightInRack[topology.rackOf(node)] += now - weight[node];
      }
      add(node, (mean + lead) * now - given[node]);
      weight[node] = now;
    }
  }

  private void serve(int node, boolean now, boolean starting) {
    if (serving[node] != now) {
      double start = meanOfRack(topology.rackOf(node)) * weight[node];
      count(node, now);
      if (now) {
        // without any past, what is in flight is all that is known to have been given
        add(node, (starting ? scheduled[node] : start) - given[node]);
      }
    }
    if (!now) {
      add(node, mean() * weight[node] - given[node]);
    }
  }

  private void count(int node, boolean now) {
    int rack = topology.rackOf(node);
    int sign = now ? 1 : -1;
    serving[node] = now;
    servingInRack[rack] += sign;
    if (servingInRack[rack] == (now ? 1 : 0)) {
      racksServing += sign;
      givenInRack[rack] = 0; // exactly, after many sums
      weightInRack[rack] = 0;
    }
    if (now || servingInRack[rack] > 0) {
      givenInRack[rack] += sign * given[node];
      weightInRack[rack] += sign * weight[node];
    }
    countTypes(types[node], sign);
  }

  private void countTypes(int bits, int sign) {
    for (int left = bits; left != 0; left &= left - 1) {
      servingOfType[Integer.numberOfTrailingZeros(left)] += sign;
    }
  }

  private double meanOfRack(int rack) {
    return servingInRack[rack] == 0 ? mean() : givenInRack[rack] / weightInRack[rack];
  }

  private void update(int node) {
    noted[node] = load(node);
    ranked[node] = noted[node] + fraction.getAsDouble() / weight[node];
    for (int left = withTree; left != 0; left &= left - 1) {
      int type = Integer.numberOfTrailingZeros(left);
      trees[type].set(node, rank(node, type));
    }
  }

  /** The place of a DataNode among those with a storage type: the least comes first. */
  private double rank(int node, int type) {
    if (!serving[node] || (types[node] & 1 << type) == 0) {
      return LoadTree.NONE;
    }
    if (refused[node]) {
      double above = Math.max(-ROUND / 4, Math.min(ranked[node] - mean(), ROUND / 4));
      return REFUSED + round[node] * ROUND + above;
    }
    return (full[node] & 1 << type) == 0 ? ranked[node] : FULL + ranked[node];
  }

  /** The load without the random fraction. */
  private double load(int node) {
    return serving[node] ? given[node] / weight[node] + inFlight(node) : LoadTree.NONE;
  }

  /** What its blocks in flight above the mean count for. */
  private double inFlight(int node) {
    double fairShare = Math.floor(allScheduled / allWeight * weight[node]);
    double above = Math.max(0, Math.min(scheduled[node] - fairShare, MOST_ABOVE));
    return perScheduled * above / weight[node];
  }

  /** How many DataNodes were looked at or searched through; for tests. */
  synchronized long nodesExamined() {
    long examined = nodesLookedAt;
    for (LoadTree tree : trees) {
      examined += tree == null ? 0 : tree.nodesExamined();
    }
    return examined;
  }

  /** How many racks were searched through; for tests. */
  synchronized long racksExamined() {
    long examined = 0;
    for (LoadTree tree : trees) {
      examined += tree == null ? 0 : tree.racksExamined();
    }
    return examined;
  }
}
