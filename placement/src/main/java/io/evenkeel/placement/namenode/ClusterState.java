package io.evenkeel.placement.namenode;

import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.Placement;
import io.evenkeel.placement.core.Relaxation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all policies of one NameNode share: the index of its DataNodes and the counters. Both
 * outlive a policy, so that {@code dfsadmin -reconfig} loses nothing. The keys in force are those
 * of the policy by which the NameNode chooses, the one that was made last; whoever else looks, as a
 * run of fsck, judges by them too and changes nothing.
 *
 * <p>The topology has no number of its changes, so the index is built anew when its number of
 * leaves differs, when one stands elsewhere, and every {@value #REBUILD_MS} ms. Thread-safe.
 */
public final class ClusterState {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterState.class);
  private static final Map<NetworkTopology, WeakReference<ClusterState>> STATES =
      new WeakHashMap<>();

  private static final long REBUILD_MS = 10_000;
  private static final long REFRESH_MS = 1_000;

  /** Not more often, however many blocks cannot be placed. */
  private static final long AGAIN_MS = 100;

  private final PlacementCounters counters = new PlacementCounters();
  private final AtomicLong refreshedAt = new AtomicLong();
  private final Alarms alarms = new Alarms(Time::monotonicNow, LOG::warn);
  private final AtomicBoolean shown = new AtomicBoolean();
  private final AtomicLong againAt = new AtomicLong();
  private volatile ClusterIndex index;
  private volatile PlacementStart inForce; // null while no policy chooses
  private volatile PlacementStart wanted;
  private volatile long builtAt;
  private volatile boolean outdated;
  private volatile Observer observer;

  // guarded by this, as every rebuild is
  private boolean warnedOfHosts;
  private boolean warnedOfDomains;
  private boolean warnedOfNames;

  /** The state of the NameNode with this topology; policies keep it alive. */
  public static ClusterState of(NetworkTopology topology) {
    synchronized (STATES) {
      WeakReference<ClusterState> known = STATES.get(topology);
      ClusterState state = known == null ? null : known.get();
      if (state == null) {
        state = new ClusterState();
        STATES.put(topology, new WeakReference<>(state));
      }
      return state;
    }
  }

  /** The NameNode chooses by these keys from now on. */
  public void choosesBy(PlacementStart start) {
    inForce = start;
  }

  /** The keys by which the NameNode chooses, or {@code own} where none does. */
  public PlacementStart inForce(PlacementStart own) {
    PlacementStart start = inForce;
    return start == null ? own : start;
  }

  /**
   * The DataNodes as they were at most a second ago.
   *
   * @param own the keys that hold where the NameNode has none in force
   */
  public ClusterIndex current(NetworkTopology topology, PlacementStart own) {
    PlacementStart start = inForce(own);
    long now = Time.monotonicNow();
    ClusterIndex seen = index;
    if (stale(seen, topology, start, now)) {
      return rebuild(topology, start, seen, now);
    }
    if (!claim(refreshedAt, now, REFRESH_MS)) {
      return seen;
    }
    if (seen.moved()) {
      return rebuild(topology, start, seen, now);
    }
    seen.refresh();
    return seen;
  }

  /**
   * The DataNodes as they are now, for a block that could not be placed; null when that was done
   * just before.
   */
  public ClusterIndex again(NetworkTopology topology, PlacementStart own) {
    PlacementStart start = inForce(own);
    long now = Time.monotonicNow();
    return outdated || claim(againAt, now, AGAIN_MS) ? rebuild(topology, start, index, now) : null;
  }

  private boolean stale(
      ClusterIndex seen, NetworkTopology topology, PlacementStart start, long now) {
    return seen == null
        || outdated
        || !start.sameSite(wanted)
        || seen.leaves() != topology.getNumOfLeaves()
        || now - builtAt > REBUILD_MS;
  }

  /** Whether this thread is to look again: the last look is that long ago, and no other does. */
  private static boolean claim(AtomicLong lastLook, long now, long after) {
    long last = lastLook.get();
    return now - last > after && lastLook.compareAndSet(last, now);
  }

  private synchronized ClusterIndex rebuild(
      NetworkTopology topology, PlacementStart start, ClusterIndex seen, long now) {
    if (index != seen) {
      return index; // another thread was faster
    }
    outdated = false; // before the look: what changes during it counts again
    ClusterIndex next = new ClusterIndex(topology, start, seen);
    builtAt = now;
    refreshedAt.set(now);
    wanted = start;
    index = next;
    warn(next, start);
    return next;
  }

  /** Logs what is wrong with the DataNodes once, and shows it in JMX as long as it is. */
  private void warn(ClusterIndex next, PlacementStart start) {
    List<String> findings = new ArrayList<>();
    if (next.keys().kind() != start.keys().kind()) {
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
          PlacementKeys.WEIGHTS + " names " + next.unknownWeights() + ": no such DataNode";
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
    if (counters.undecidedChecks() > 0) {
      findings.add(
          "blocks on DataNodes with several storage types may share hosts or racks though others"
              + " have room ("
              + counters.undecidedChecks()
              + " checks could not tell): 'hdfs fsck /' names them; one replica more with -setrep,"
              + " and then one less, moves them");
    }
    start.found(findings);
  }

  /** The DataNodes as they were last looked at; null before the first choice. */
  public ClusterIndex latest() {
    return index;
  }

  /** True for the first caller only, who then shows this NameNode in JMX and metrics. */
  public boolean firstToShow() {
    return shown.compareAndSet(false, true);
  }

  /** Whether a DataNode is still in the topology; if not, the index is built anew. */
  public boolean holds(NetworkTopology topology, DatanodeDescriptor node) {
    boolean there = topology.contains(node);
    if (!there) {
      outdated = true;
    }
    return there;
  }

  /** Counts a choice, and says so when hosts were too few for it. */
  public void chose(ClusterIndex from, Placement placement, int number, long tookNanos) {
    PlacementStart site = wanted;
    counters.chose(placement, number, tookNanos);
    if (placement.relaxations(Relaxation.SHARED_HOST) > 0) {
      alarms.sharedHost(placement.mostOnOneHost(), from.eligible());
    } else if (placement.size() < number && site.strict()) {
      alarms.tooFewHosts(placement.size(), number, from.eligible());
    }
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

  /** What is logged when a rule cannot be kept. */
  public Alarms alarms() {
    return alarms;
  }

  /** What was counted. */
  public PlacementCounters counters() {
    return counters;
  }
}
