package io.evenkeel.placement.namenode;

import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.BlockTargets;
import io.evenkeel.placement.core.PlacementRules;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all policies of one NameNode share: the index of its DataNodes and the counters. Both
 * outlive a policy, so that {@code dfsadmin -reconfig} loses nothing. The configuration in force is
 * that of the policy by which the NameNode chooses, the one that was created last; others, such as
 * a run of fsck, judge by it too and change nothing.
 *
 * <p>The topology does not tell of its changes, so all DataNodes are looked at: every {@value
 * #LOOK_MS} ms, whether somebody asks or not, for the NameNode judges some blocks only once; and
 * soon after a caller met something that is not in the index. That takes tens of milliseconds with
 * 10,000 DataNodes, so a thread of its own does it; callers normally use the latest index without
 * waiting. A caller reads the DataNodes itself in a cluster of up to {@value #SMALL} of them when
 * something changed, so that the first DataNodes of a cluster are used at once; in a larger one
 * only when there is no index yet, the number of racks has changed, the DataNodes have more than
 * doubled, a block could not be placed after their number changed, or the thread is overdue
 * ({@value #OVERDUE_MS} ms).
 *
 * <p>Policies keep it alive, nothing else does. Thread-safe.
 */
public final class NameNodePlacement {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodePlacement.class);

  /** Guarded by itself. */
  private static final Map<NetworkTopology, WeakReference<NameNodePlacement>> KNOWN =
      new WeakHashMap<>();

  private static final long LOOK_MS = 1_000;
  private static final long OVERDUE_MS = 15_000;

  /** How long the number of replicas must stay as it is before blocks are looked at. */
  private static final long COUNT_MS = 30_000;

  /** So often it is waited for, as when many files are written to a small cluster. */
  private static final int MOST_UNSTEADY = 4;

  /** Not more often, however many DataNodes come or blocks cannot be placed. */
  private static final long AGAIN_MS = 100;

  /** After a look the thread rests so many times as long as it took. */
  private static final long REST = 9;

  /** A look at so many DataNodes, with a new index, costs a caller a few milliseconds at most. */
  private static final int SMALL = 512;

  private final NetworkTopology topology;
  private final PlacementCounters counters = new PlacementCounters(Time::monotonicNow, LOG::warn);
  private final LargestBlock largest = new LargestBlock();
  private final AtomicBoolean shown = new AtomicBoolean();
  private final AtomicLong looks = new AtomicLong();
  private final AtomicLong againAt = new AtomicLong();
  private final AtomicLong insteadAt = new AtomicLong(Time.monotonicNow());
  private volatile Looks thread; // null while no policy chooses
  private volatile PlacementConf inForce; // null while no policy chooses
  private volatile boolean outdated;
  private volatile boolean soon; // whether the thread is to look before it usually would
  private volatile Observer observer;
  private final Set<PlacementRules> inUse = ConcurrentHashMap.newKeySet();
  private volatile long misplacedBlocks = -1;

  /** Written with this held: whoever switches the look off clears it for good. */
  private volatile Map<String, HostIdentity.Move> moves = Collections.emptyMap();

  private volatile String locationDoubt = "";
  private volatile long doubled;

  // used by the thread only
  private PlacementConf estimatedFor;
  private long countedAt;
  private long counted;
  private int unsteady; // counts in a row that differed

  /** One look at all DataNodes at a time; guards what follows, which is read without. */
  private final ReentrantLock looking = new ReentrantLock();

  private volatile DataNodeIndex index;
  private volatile int racks; // of the topology at the last look
  private volatile PlacementConf wanted;
  private volatile long lookedAt;
  private volatile long rest = AGAIN_MS;
  private Map<String, HostIdentity.Move> movesSeen = moves; // of the index
  private boolean warnedOfHosts;
  private boolean warnedOfDomains;
  private boolean warnedOfNames;

  private NameNodePlacement(NetworkTopology topology) {
    this.topology = topology;
  }

  /** What the policies of the NameNode with this topology share. */
  public static NameNodePlacement of(NetworkTopology topology) {
    synchronized (KNOWN) {
      WeakReference<NameNodePlacement> known = KNOWN.get(topology);
      NameNodePlacement nameNode = known == null ? null : known.get();
      if (nameNode == null) {
        nameNode = new NameNodePlacement(topology);
        KNOWN.put(topology, new WeakReference<>(nameNode));
      }
      return nameNode;
    }
  }

  /**
   * The NameNode chooses by these keys from now on.
   *
   * @param rules of the blocks that it places
   */
  public void choosesBy(PlacementConf conf, PlacementRules rules) {
    inUse.add(rules);
    synchronized (this) {
      inForce = conf;
      if (conf.locationCheckMillis() == 0 && !moves.isEmpty()) {
        moves = Collections.emptyMap();
        locationDoubt = "";
        outdated = true;
      }
    }
    startThread();
    if (index != null && !conf.sameSite(wanted)) {
      lookNow(conf, false); // by the thread that reconfigures: the next verdict is by the new keys
    }
  }

  /** Not in Balancer and Mover: each of their rounds has a topology of its own. */
  private synchronized void startThread() {
    if (thread == null) {
      thread = Looks.start(this);
      new LocationWatch(this).start();
    }
  }

  /** The keys by which the NameNode chooses, or {@code own} where none does. */
  public PlacementConf inForce(PlacementConf own) {
    PlacementConf conf = inForce;
    return conf == null ? own : conf;
  }

  /**
   * The DataNodes as they were when last looked at, as a rule within a second.
   *
   * @param own the keys that hold where the NameNode has none in force
   */
  public DataNodeIndex current(PlacementConf own) {
    DataNodeIndex seen = index;
    if (seen == null || (inForce == null && !own.sameSite(wanted))) {
      return lookNow(own, false);
    }
    boolean otherRacks = racks != topology.getNumOfRacks();
    if (outdated || otherRacks || seen.leaves() != topology.getNumOfLeaves()) {
      if (isSmall(seen)) {
        return lookNow(own, false);
      }
      if (hasDoubled(seen) || otherRacks) {
        DataNodeIndex newer = newerThan(seen, own, hasDoubled(seen));
        return newer == null ? seen : newer;
      }
      lookSoon();
    }
    long now = Time.monotonicNow();
    if (now - lookedAt > OVERDUE_MS && claim(insteadAt, now, OVERDUE_MS)) {
      return lookInstead(own);
    }
    return seen;
  }

  /**
   * Newer knowledge for a block that could not be placed by {@code used}; null when there is none.
   */
  public DataNodeIndex again(PlacementConf own, DataNodeIndex used) {
    DataNodeIndex seen = index;
    if (seen != used) {
      return seen;
    }
    if (isSmall(seen)) {
      boolean worthIt = outdated || claim(againAt, Time.monotonicNow(), AGAIN_MS);
      return worthIt ? lookNow(own, true) : null;
    }
    DataNodeIndex newer =
        seen.leaves() == topology.getNumOfLeaves() ? null : newerThan(seen, own, false);
    if (newer == null) {
      lookSoon();
    }
    return newer;
  }

  /**
   * What another thread sees meanwhile, which is waited for, or this one. While DataNodes keep
   * registering each look is outdated when it ends: a thread looks once in a call, and all together
   * as seldom as the thread of the index; null when the last look was too short ago.
   */
  private DataNodeIndex newerThan(DataNodeIndex used, PlacementConf own, boolean always) {
    looking.lock();
    try {
      if (index == used) {
        if (!claim(againAt, Time.monotonicNow(), rest) && !always) {
          return null;
        }
        look(inForce(own));
      }
      return index;
    } finally {
      looking.unlock();
    }
  }

  private boolean isSmall(DataNodeIndex seen) {
    return Math.max(seen.size(), topology.getNumOfLeaves()) <= SMALL;
  }

  /** As when many register with a NameNode that has started: the few known would get all blocks. */
  private boolean hasDoubled(DataNodeIndex seen) {
    return topology.getNumOfLeaves() > 2 * seen.leaves();
  }

  /** Whether this thread is to look: the last that did is so long ago, and no other does. */
  private static boolean claim(AtomicLong last, long now, long after) {
    long before = last.get();
    return now - before > after && last.compareAndSet(before, now);
  }

  private void lookSoon() {
    Looks there = thread;
    if (!soon && there != null) {
      soon = true;
      there.wake();
    }
  }

  /** By a caller, which waits for it; not when another thread saw the same meanwhile. */
  private DataNodeIndex lookNow(PlacementConf own, boolean whateverIsKnown) {
    looking.lock();
    try {
      PlacementConf conf = inForce(own);
      if (whateverIsKnown || !isKnown(conf)) {
        look(conf);
      }
      return index;
    } finally {
      looking.unlock();
    }
  }

  private boolean isKnown(PlacementConf conf) {
    return index != null
        && !outdated
        && conf.sameSite(wanted)
        && racks == topology.getNumOfRacks()
        && index.leaves() == topology.getNumOfLeaves();
  }

  /** By a caller, since the thread does not: it failed, or the machine stood still. */
  private DataNodeIndex lookInstead(PlacementConf own) {
    if (looking.tryLock()) {
      try {
        look(inForce(own));
      } catch (RuntimeException e) {
        LOG.debug("Another look at the DataNodes failed", e); // the thread has logged the first
      } finally {
        looking.unlock();
      }
    }
    return index;
  }

  /** By the thread; returns the milliseconds to wait before it is asked again. */
  private long lookWhenDue() {
    long after = soon ? rest : Math.max(rest, LOOK_MS);
    long early = lookedAt + after - Time.monotonicNow();
    if (early > 0) {
      return early;
    }
    PlacementConf conf = inForce(wanted);
    looking.lock();
    try {
      if (conf != null) {
        look(conf);
      }
    } finally {
      looking.unlock();
    }
    if (conf != null) {
      estimate(conf);
    }
    return conf == null ? LOOK_MS : rest;
  }

  /**
   * Says once for each configuration how many blocks would be copied, when the NameNode knows its
   * blocks: their number has stayed as it was for a while, or grows all the time. A standby says so
   * before its failover.
   */
  private void estimate(PlacementConf conf) {
    long now = Time.monotonicNow();
    if (conf == estimatedFor || conf != inForce || now - countedAt < COUNT_MS) {
      return;
    }
    DataNodeIndex seen = index;
    long replicas = seen.replicas();
    boolean steady = Math.abs(replicas - counted) <= replicas / 100;
    countedAt = now;
    counted = replicas;
    unsteady = replicas == 0 || steady ? 0 : unsteady + 1;
    if (replicas == 0 || unsteady > 0 && unsteady < MOST_UNSTEADY) {
      return;
    }
    MisplacedEstimate estimate;
    try {
      estimate = misplaced();
    } catch (RuntimeException | AssertionError e) {
      LOG.debug("Blocks changed while they were sampled; they are sampled again later", e);
      return;
    }
    estimatedFor = conf;
    misplacedBlocks = estimate.misplacedBlocks();
    String text =
        "{}. A NameNode that starts or becomes active with this policy checks all blocks and"
            + " copies those, within the limits of dfs.namenode.replication.*";
    if (estimate.misplaced() > 0) {
      LOG.warn(text, estimate);
    } else {
      LOG.info(text, estimate);
    }
  }

  /** By the policies in force, of the blocks they place, as the DataNodes were last looked at. */
  public MisplacedEstimate misplaced() {
    PlacementConf conf = inForce;
    DataNodeIndex seen = index;
    return MisplacedEstimate.of(
        seen.all(),
        (block, places) -> {
          PlacementRules rules =
              block.isStriped() ? PlacementRules.STRIPED : PlacementRules.REPLICATED;
          int wanted = MisplacedEstimate.wanted(block, places.length);
          boolean strict = conf.strict() && !block.isStriped();
          return !inUse.contains(rules)
              || BlockPlacementStatusWithHosts.of(seen, places, rules, wanted, strict)
                  .isPlacementPolicySatisfied();
        },
        new Random());
  }

  /** Blocks that would be copied, about; -1 while that is not known. */
  public long misplacedBlocks() {
    return misplacedBlocks;
  }

  /** How often DataNodes are looked for that have moved, in ms; 0 where nobody looks. */
  long locationCheckMillis() {
    PlacementConf conf = inForce;
    return conf == null ? 0 : conf.locationCheckMillis();
  }

  /** A mapping like that of the NameNode. Only while a policy chooses. */
  DNSToSwitchMapping newMapping() {
    return inForce.newMapping();
  }

  /** DataNodes on other hosts than when they registered, by their UUIDs. */
  Map<String, HostIdentity.Move> moves() {
    return moves;
  }

  /**
   * These DataNodes, by their UUIDs, are on other hosts; waits until that is known to callers.
   *
   * @return whether it counts: somebody may have switched the look off meanwhile
   */
  boolean moved(Map<String, HostIdentity.Move> now) {
    PlacementConf conf;
    synchronized (this) {
      conf = inForce;
      if (conf == null || conf.locationCheckMillis() == 0) {
        return false;
      }
      moves = now;
      doubled = -1;
    }
    lookNow(conf, true);
    return true;
  }

  /** Why what the mapping says now is not believed; empty when it is. */
  String locationDoubt() {
    return locationDoubt;
  }

  void locationDoubt(String doubt) {
    locationDoubt = doubt;
  }

  /** So many blocks, about, have two replicas on one host because of a move. */
  void doubled(long blocks) {
    if (doubled != blocks && !moves.isEmpty()) {
      LOG.info("Blocks with two replicas on one host, since DataNodes have moved: {}", blocks);
    }
    doubled = blocks;
  }

  /** How many DataNodes are on other hosts than when they registered. */
  public int movedDataNodes() {
    DataNodeIndex seen = index;
    return seen == null ? 0 : seen.hostIdentity().moves().size();
  }

  /** Blocks with two replicas on one host because of that, about; -1 while they are counted. */
  public long doubledBlocks() {
    return doubled;
  }

  /** With the lock held. */
  private void look(PlacementConf conf) {
    long from = Time.monotonicNow();
    outdated = false; // before the look: what changes during it counts again
    soon = false;
    int leaves = topology.getNumOfLeaves();
    int racksThere = topology.getNumOfRacks();
    List<DatanodeDescriptor> found = dataNodes();
    DataNodeIndex seen = index;
    DataNodeIndex next = seen;
    Map<String, HostIdentity.Move> moved = moves;
    boolean same = seen != null && conf.sameSite(wanted) && moved == movesSeen;
    if (!same || !seen.isOf(found)) {
      next = new DataNodeIndex(found, conf, moved, seen);
      movesSeen = moved;
    }
    next.refresh(leaves, largest.get(from));
    wanted = conf;
    index = next;
    racks = racksThere;
    looks.incrementAndGet();
    lookedAt = Time.monotonicNow();
    rest = Math.max(AGAIN_MS, REST * (lookedAt - from));
    warn(next, conf);
  }

  private List<DatanodeDescriptor> dataNodes() {
    List<DatanodeDescriptor> found = new ArrayList<>();
    collect(NodeBase.ROOT, found);
    return found;
  }

  private void collect(String path, List<DatanodeDescriptor> found) {
    List<Node> children = topology.getDatanodesInRack(path);
    for (Node child : children == null ? new ArrayList<Node>() : children) {
      if (child instanceof InnerNode) {
        collect(NodeBase.getPath(child), found);
      } else if (child instanceof DatanodeDescriptor) {
        found.add((DatanodeDescriptor) child);
      }
    }
  }

  /** How often all DataNodes were looked at. */
  public long looks() {
    return looks.get();
  }

  /** Logs what is wrong with the DataNodes once, and shows it in JMX as long as it is. */
  private void warn(DataNodeIndex next, PlacementConf conf) {
    List<String> findings = new ArrayList<>();
    if (next.hostIdentity().kind() != conf.hostIdentity().kind()) {
      String text =
          "More than half of the DataNodes have one address (NAT or a proxy?), so addresses do not"
              + " tell hosts apart: every DataNode counts as its own host. Set "
              + PlacementKeys.HOST_KEY
              + " to address if that is one machine, to none if it is not.";
      findings.add(text);
      if (!warnedOfHosts) {
        warnedOfHosts = true;
        LOG.warn(text);
      }
    }
    if (!next.unknownWeights().isEmpty()) {
      String text =
          PlacementKeys.WEIGHTS
              + " names "
              + next.unknownWeights()
              + ": no DataNode has that host name or address";
      findings.add(text);
      if (!warnedOfNames) {
        warnedOfNames = true;
        LOG.warn(text);
      }
    }
    if (next.inUpgradeDomain() != null) {
      String text =
          next.inUpgradeDomain()
              + " has an upgrade domain. The uniform placement policy does not keep replicas in"
              + " different upgrade domains: remove the domains, or"
              + " dfs.block.replicator.classname.";
      findings.add(text);
      if (!warnedOfDomains) {
        warnedOfDomains = true;
        LOG.error(text);
      }
    }
    if (!next.hostIdentity().moves().isEmpty()) {
      findings.add(LocationWatch.finding(next, doubled));
    }
    if (!locationDoubt.isEmpty()) {
      findings.add(locationDoubt);
    }
    if (counters.undecidedChecks() > 0) {
      findings.add(
          "blocks on DataNodes with several storage types may share hosts or racks though others"
              + " have room ("
              + counters.undecidedChecks()
              + " checks could not tell): 'hdfs fsck /' names them; adding and removing a replica"
              + " with -setrep moves them");
    }
    conf.found(findings);
  }

  /** The DataNodes as they were last looked at; null before the first choice. */
  public DataNodeIndex latest() {
    return index;
  }

  /** True for the first caller only, who then shows this NameNode in JMX and metrics. */
  public boolean firstToShow() {
    return shown.compareAndSet(false, true);
  }

  /** Whether a DataNode is still in the topology, and where it was; if not, all are looked at. */
  public boolean holds(DatanodeDescriptor node) {
    DataNodeIndex seen = index;
    boolean there = topology.contains(node) && (seen == null || seen.number(node) >= 0);
    if (!there) {
      outdated = true;
    }
    return there;
  }

  /** A DataNode is looked for that has room for so many bytes. */
  public void asked(long bytes) {
    largest.asked(bytes);
  }

  /** Counts a choice, and says so when hosts were too few for it. */
  public void chose(DataNodeIndex from, BlockTargets targets, int number, long tookNanos) {
    counters.chose(targets, number, tookNanos, from.eligible(), wanted.strict());
  }

  /** The observer of this NameNode; starts it. */
  public synchronized Observer observe() {
    if (observer == null) {
      Observer made = new Observer(this::latest);
      made.start();
      observer = made;
    }
    return observer;
  }

  /** The observer of this NameNode, or null while no policy only observes. */
  public Observer observer() {
    return observer;
  }

  /** What was counted. */
  public PlacementCounters counters() {
    return counters;
  }

  /**
   * The thread that looks at all DataNodes, so that no thread of the NameNode has to. It does not
   * keep the rest alive: once the policies of a NameNode were replaced by others, or the NameNode
   * is gone, it ends by itself within seconds. A failure is logged once, and the next look tries
   * again.
   */
  private static final class Looks implements Runnable {
    private static final String NAME = "evenkeel-placement-index";
    private static final long GONE = -1;
    private static final long AFTER_A_FAILURE_MS = 1_000;

    private final WeakReference<NameNodePlacement> nameNode;
    private final Thread thread = new Thread(this, NAME);
    private boolean failed; // confined to the thread

    private Looks(NameNodePlacement nameNode) {
      this.nameNode = new WeakReference<>(nameNode);
    }

    static Looks start(NameNodePlacement nameNode) {
      Looks started = new Looks(nameNode);
      started.thread.setDaemon(true);
      started.thread.setUncaughtExceptionHandler(
          (thread, e) ->
              LOG.error(
                  "{} ended; threads that place blocks now read the DataNodes themselves",
                  NAME,
                  e));
      started.thread.start();
      return started;
    }

    /** Has it see whether a look is due. */
    void wake() {
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      for (long pause = 0; pause != GONE; pause = turn()) {
        Thread.interrupted(); // nobody has a reason to, and an interrupted thread would not pause
        LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(pause));
      }
    }

    /** Milliseconds until the next turn. A method of its own: no pause keeps it alive. */
    private long turn() {
      NameNodePlacement now = nameNode.get();
      if (now == null) {
        return GONE;
      }
      try {
        long pause = now.lookWhenDue();
        failed = false;
        return pause;
      } catch (RuntimeException e) {
        if (!failed) {
          failed = true;
          LOG.error(
              "Reading the DataNodes failed; blocks are placed with the state read before", e);
        }
        return AFTER_A_FAILURE_MS;
      }
    }
  }

  /**
   * How large the blocks are that a NameNode places: the largest one for which a DataNode was found
   * in the latest hour or two. Thread-safe.
   */
  private static final class LargestBlock {
    private static final long PERIOD_MS = TimeUnit.HOURS.toMillis(1);

    private final AtomicLong lately = new AtomicLong();
    private long before; // this and the next: guarded by this
    private long since;

    void asked(long bytes) {
      if (bytes > lately.get()) {
        lately.accumulateAndGet(bytes, Math::max);
      }
    }

    /**
     * In bytes; 0 when none was asked for. {@code now} in milliseconds of a clock that only grows.
     */
    synchronized long get(long now) {
      if (now - since > PERIOD_MS) {
        since = now;
        before = lately.getAndSet(0);
      }
      return Math.max(before, lately.get());
    }
  }
}
