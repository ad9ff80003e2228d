package io.evenkeel.placement.core;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.IntToDoubleFunction;

/**
 * Finds the least loaded DataNode of any part of a cluster, and the rack whose two least loaded
 * hosts are least loaded. One tree knows the DataNodes with one storage type, so that a search does
 * not pass over those that lack it.
 *
 * <p>How many DataNodes a search looks at depends on the block (how many are refused to it, how
 * many hosts and racks it is in), not on the cluster. Of racks that are as good as the best it
 * compares {@value #RACKS_COMPARED} at most.
 *
 * <p>Not thread-safe; {@link LoadTable} guards it.
 */
final class LoadTree {
  /** The load of a DataNode that is not to be had. */
  static final double NONE = Double.POSITIVE_INFINITY;

  /**
   * Of that many racks chance chooses one. More make a block's neighbours no more diverse that one
   * could tell (see decision 0011), and each costs some of a search.
   */
  static final int RACKS_COMPARED = 32;

  /** How much the less loaded host of a pair counts beside the other. */
  static final double PER_LESSER = 0.25;

  /** Up to how many blocks the loads of racks may differ and chance still decide. */
  static final double AMONG_RACKS = 2;

  /** How many blocks more a rack may have and still be near enough to be chosen for that. */
  private static final double FOR_NEARNESS = 8;

  private final HostTopology topology;
  private final DoubleSupplier fraction;
  private final MinTree nodes;
  private final MinTree hosts;
  private final MinTree racks;
  private final IntToDoubleFunction hostLoad;
  private final IntToDoubleFunction rackLoad;
  private final IntToDoubleFunction admittedLoad = this::admittedLoad;
  private final int[] compared = new int[RACKS_COMPARED];
  private final double[] costs = new double[RACKS_COMPARED];
  private final double[] chances = new double[RACKS_COMPARED];
  private BlockTargets targets;
  private double found;
  private long nodesExamined;
  private long racksExamined;

  LoadTree(HostTopology topology, DoubleSupplier fraction) {
    this.topology = topology;
    this.fraction = fraction;
    nodes = new MinTree(topology.nodes());
    hosts = new MinTree(topology.hosts());
    racks = new MinTree(topology.racks());
    hostLoad = hosts::get;
    rackLoad = racks::get;
  }

  /** Notes the load of a DataNode. */
  void set(int node, double load) {
    nodes.set(node, load);
    int host = topology.hostOf(node);
    double ofHost = nodes.min(topology.firstNodeOfHost(host), topology.firstNodeOfHost(host + 1));
    if (ofHost == hosts.get(host)) {
      return;
    }
    hosts.set(host, ofHost);
    int rack = topology.rackOf(node);
    racks.set(rack, pairOf(rack));
  }

  /** Notes the loads of all DataNodes. */
  void setAll(IntToDoubleFunction loads) {
    nodes.setAll(topology.nodes(), loads);
    hosts.setAll(
        topology.hosts(),
        h -> nodes.min(topology.firstNodeOfHost(h), topology.firstNodeOfHost(h + 1)));
    racks.setAll(topology.racks(), this::pairOf);
  }

  private double pairOf(int rack) {
    int first = topology.firstHostOfRack(rack);
    int end = topology.firstHostOfRack(rack + 1);
    int best = hosts.least(first, end, hostLoad);
    if (best < 0) {
      return NONE;
    }
    return pair(hosts.get(best), Math.min(hosts.min(first, best), hosts.min(best + 1, end)));
  }

  /** What it costs to use a rack for two replicas; for one when it has no other host. */
  private double pair(double one, double other) {
    double more = Double.isInfinite(other) ? one : other;
    return more + PER_LESSER * one;
  }

  /** The load noted of a DataNode. */
  double get(int node) {
    return nodes.get(node);
  }

  /**
   * The least loaded DataNode of the scope among those the block may have; -1 without any.
   *
   * @param pair the tree of the storage type of two replicas that will follow, where they will
   */
  int least(Scope scope, BlockTargets asked, LoadTree pair) {
    targets = asked;
    asked.close();
    switch (scope.kind) {
      case HOST:
        return least(topology.firstNodeOfHost(scope.id), topology.firstNodeOfHost(scope.id + 1));
      case RACK:
        return least(topology.firstNodeOfRack(scope.id), topology.endOfRack(scope.id));
      case OTHER_RACKS:
        return outside(
            topology.firstNodeOfRack(scope.id), topology.endOfRack(scope.id), topology.nodes());
      case OTHER_RACKS_PAIR:
        int rack = rackForPair(scope.id);
        return rack < 0 ? -1 : least(topology.firstNodeOfRack(rack), topology.endOfRack(rack));
      case NEAR_RACK:
        return near(scope.id, scope.pairFollows ? pair : null);
      default:
        return scope.pairFollows ? besidePair(pair) : least(0, topology.nodes());
    }
  }

  /**
   * The least loaded DataNode of [from, to) that the block may have; -1 without any. What is closed
   * to the block is left out as a whole.
   */
  private int least(int from, int to) {
    int least = -1;
    found = NONE;
    int at = from;
    for (int closed = 0; at < to; closed++) {
      int end = Math.min(to, targets.closedFrom(closed));
      if (at < end) {
        int node = nodes.least(at, end, admittedLoad);
        if (node >= 0 && nodes.found() < found) {
          least = node;
          found = nodes.found();
        }
      }
      at = Math.max(at, targets.closedTo(closed));
    }
    return least;
  }

  private double admittedLoad(int node) {
    nodesExamined++;
    return targets.admits(node) ? nodes.get(node) : NONE;
  }

  /**
   * The least outside the rack that is best for two replicas, which follow in a rack of their own.
   * Were the first one to take the least of all, the rack with the lower load would keep getting
   * one where the other gets two: with two racks, or one that is larger than the others together,
   * they would drift apart without end. Which rack that is says the load of the DataNodes that have
   * the pair's storage type: by that of others it would be the same for ever.
   */
  private int besidePair(LoadTree pair) {
    int rack = pair.racks.least(0, topology.racks(), pair.rackLoad);
    int beside =
        rack < 0
            ? -1
            : outside(topology.firstNodeOfRack(rack), topology.endOfRack(rack), topology.nodes());
    boolean usable = beside >= 0 && nodes.get(beside) < LoadTable.FULL;
    return usable ? beside : least(0, topology.nodes());
  }

  /**
   * The least of a rack, or the one that is best wherever it is when that is much less loaded.
   *
   * @param pair null where no two replicas follow
   */
  private int near(int rack, LoadTree pair) {
    int best = pair != null ? besidePair(pair) : least(0, topology.nodes());
    int there = least(topology.firstNodeOfRack(rack), topology.endOfRack(rack));
    if (best < 0 || there < 0) {
      return best;
    }
    double more = nodes.get(there) - nodes.get(best);
    if (pair != null) {
      // two follow in another rack: that must not be much more loaded than this one
      double others = pair.racks.min(0, rack);
      others = Math.min(others, pair.racks.min(rack + 1, topology.racks()));
      boolean elsewhere = others != NONE && pair.racks.get(rack) != NONE;
      more = elsewhere ? Math.max(more, others - pair.racks.get(rack)) : more;
    }
    return more <= FOR_NEARNESS ? there : best;
  }

  /** The least of [0, end) outside [from, to). */
  private int outside(int from, int to, int end) {
    int before = least(0, from);
    double least = found;
    int after = least(to, end);
    return after < 0 || (before >= 0 && least <= found) ? before : after;
  }

  /**
   * The rack for two replicas. Among racks within a few blocks of each other chance decides anew
   * each time, or writers taking turns would meet the same racks over and over and a DataNode would
   * share its blocks with few others. Where there are many such racks they are those that follow a
   * place drawn by chance.
   */
  private int rackForPair(int except) {
    int least = racks.least(0, topology.racks(), r -> r == except ? NONE : cost(r));
    if (least < 0) {
      return -1;
    }
    int count = gather(except, least, racks.found());
    while (true) {
      int best = 0;
      for (int i = 1; i < count; i++) {
        best = costs[i] < costs[best] ? i : best;
      }
      // it costs more when some of its DataNodes are not to be had for this block
      double cost = cost(compared[best]) + chances[best];
      if (cost <= costs[best]) {
        return compared[best];
      }
      costs[best] = cost;
    }
  }

  /** Notes the racks to compare: the least loaded one and others, with what they cost at least. */
  private int gather(int except, int least, double leastCost) {
    long salt = Double.doubleToRawLongBits(fraction.getAsDouble());
    int start = (int) (mixed(-1, salt) * topology.racks());
    compare(0, least, salt);
    int count = 1;
    for (int[] part : new int[][] {{start, topology.racks()}, {0, start}}) {
      int rack = racks.next(part[0], leastCost + AMONG_RACKS);
      while (rack >= 0 && rack < part[1] && count < RACKS_COMPARED) {
        if (rack != except && rack != least) {
          compare(count++, rack, salt);
        }
        rack = racks.next(rack + 1, leastCost + AMONG_RACKS);
      }
    }
    racksExamined += count;
    return count;
  }

  private void compare(int at, int rack, long salt) {
    compared[at] = rack;
    chances[at] = AMONG_RACKS * mixed(rack, salt);
    costs[at] = racks.get(rack) + chances[at];
  }

  /** A fraction of [0, 1) that depends on the number and the salt only. */
  private static double mixed(int number, long salt) {
    long z = (salt ^ number) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 32)) * 0xBF58476D1CE4E5B9L;
    return (z >>> 11) * 0x1.0p-53;
  }

  /**
   * What a rack costs for two replicas of this block. One of which only the less loaded host is to
   * be had does not become cheaper by that.
   */
  private double cost(int rack) {
    racksExamined++;
    int first = topology.firstNodeOfRack(rack);
    int end = topology.endOfRack(rack);
    int one = least(first, end);
    if (one < 0) {
      return NONE;
    }
    double leastLoad = found;
    int host = topology.hostOf(one);
    least(first, topology.firstNodeOfHost(host));
    double other = found;
    least(topology.firstNodeOfHost(host + 1), end);
    return Math.max(racks.get(rack), pair(leastLoad, Math.min(other, found)));
  }

  /** How many DataNodes all searches looked at. */
  long nodesExamined() {
    return nodesExamined;
  }

  /** How many racks all searches looked at. */
  long racksExamined() {
    return racksExamined;
  }

  /** The part of a cluster a replica is looked for in. Immutable. */
  static final class Scope {
    /** The whole cluster. */
    static final Scope ANYWHERE = new Scope(Kind.ANYWHERE, -1, false);

    /** The same; two more replicas will follow in another rack. */
    static final Scope BESIDE_PAIR = new Scope(Kind.ANYWHERE, -1, true);

    /** How {@link #id} is to be read. */
    enum Kind {
      ANYWHERE,
      RACK,
      NEAR_RACK,
      OTHER_RACKS,
      OTHER_RACKS_PAIR,
      HOST
    }

    final Kind kind;
    final int id;
    final boolean pairFollows;

    private Scope(Kind kind, int id) {
      this(kind, id, false);
    }

    private Scope(Kind kind, int id, boolean pairFollows) {
      this.kind = kind;
      this.id = id;
      this.pairFollows = pairFollows;
    }

    /** One rack. */
    static Scope rack(int rack) {
      return new Scope(Kind.RACK, rack);
    }

    /**
     * One rack while it is not much more loaded than others, then anywhere.
     *
     * @param pairFollows whether two more replicas will follow in another rack
     */
    static Scope nearRack(int rack, boolean pairFollows) {
      return new Scope(Kind.NEAR_RACK, rack, pairFollows);
    }

    /** All racks but one. */
    static Scope otherRacks(int rack) {
      return new Scope(Kind.OTHER_RACKS, rack);
    }

    /** All racks but one, and one more replica will follow in the same rack on another host. */
    static Scope pairInOtherRacks(int rack) {
      return new Scope(Kind.OTHER_RACKS_PAIR, rack);
    }

    /** One host. */
    static Scope host(int host) {
      return new Scope(Kind.HOST, host);
    }
  }

  /**
   * A fixed number of values with the least of any range in logarithmic time: a complete binary
   * tree in one array, every inner entry the lesser of its two children.
   *
   * <p>{@link Double#POSITIVE_INFINITY} stands for "not to be had".
   */
  static final class MinTree {
    private final double[] tree;
    private final int leaves;
    private int from;
    private int to;
    private IntToDoubleFunction exact;
    private double best;
    private int found;

    MinTree(int size) {
      int power = 1;
      while (power < size) {
        power <<= 1;
      }
      leaves = power;
      tree = new double[2 * power];
      Arrays.fill(tree, NONE);
    }

    double get(int index) {
      return tree[leaves + index];
    }

    void set(int index, double value) {
      int at = leaves + index;
      tree[at] = value;
      for (at >>= 1; at >= 1; at >>= 1) {
        double least = Math.min(tree[2 * at], tree[2 * at + 1]);
        if (tree[at] == least) {
          return;
        }
        tree[at] = least;
      }
    }

    /** Sets all values at once, at a fraction of the cost of one by one. */
    void setAll(int size, IntToDoubleFunction values) {
      for (int i = 0; i < size; i++) {
        tree[leaves + i] = values.applyAsDouble(i);
      }
      for (int at = leaves - 1; at >= 1; at--) {
        tree[at] = Math.min(tree[2 * at], tree[2 * at + 1]);
      }
    }

    /** The first place from {@code from} on whose value is at most {@code most}; -1 without any. */
    int next(int from, double most) {
      if (from >= leaves) {
        return -1;
      }
      int at = leaves + from;
      while (tree[at] > most) {
        while ((at & 1) == 1) {
          at >>= 1; // all to the right below this parent has been passed
        }
        if (at == 0) {
          return -1;
        }
        at++;
      }
      while (at < leaves) {
        at = tree[2 * at] <= most ? 2 * at : 2 * at + 1;
      }
      return at - leaves;
    }

    /** The least value of [from, to); infinite when the range is empty. */
    double min(int from, int to) {
      double least = NONE;
      int low = from + leaves;
      for (int high = to + leaves; low < high; low >>= 1, high >>= 1) {
        if ((low & 1) == 1) {
          least = Math.min(least, tree[low++]);
        }
        if ((high & 1) == 1) {
          least = Math.min(least, tree[--high]);
        }
      }
      return least;
    }

    /**
     * The place in [first, end) with the least {@code bound} value; -1 when all are infinite.
     *
     * @param bound the value of a place for this question, never below the stored one and infinite
     *     for a place that is not to be had. It is asked in a best-first order, of few places
     */
    int least(int first, int end, IntToDoubleFunction bound) {
      from = first;
      to = end;
      exact = bound;
      best = NONE;
      found = -1;
      search(1, 0, leaves);
      exact = null;
      return found;
    }

    /** The exact value of the place that {@link #least} found last. */
    double found() {
      return best;
    }

    private void search(int at, int low, int high) {
      if (high <= from || low >= to || tree[at] >= best) {
        return;
      }
      if (at >= leaves) {
        double value = exact.applyAsDouble(low);
        if (value < best) {
          best = value;
          found = low;
        }
        return;
      }
      int middle = (low + high) >>> 1;
      if (tree[2 * at] <= tree[2 * at + 1]) {
        search(2 * at, low, middle);
        search(2 * at + 1, middle, high);
      } else {
        search(2 * at + 1, middle, high);
        search(2 * at, low, middle);
      }
    }
  }
}
