package io.evenkeel.placement.core;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which hosts and racks could take a replica at some moment, and what that means for replicas that
 * exist: no rule asks for what no eligible host can give, or a DataNode that leaves would wait for
 * ever. Immutable and thread-safe.
 */
public final class Spread {
  private final Set<String> hosts;
  private final Set<String> racks;

  /**
   * Creates the eligible part of a cluster.
   *
   * @param hosts keys of hosts with a DataNode that is in service and has room
   * @param racks keys of their racks
   */
  public Spread(Collection<String> hosts, Collection<String> racks) {
    this.hosts = new HashSet<>(hosts);
    this.racks = new HashSet<>(racks);
  }

  /** Where the replicas of a block are. */
  public static final class Found {
    final Set<String> hosts = new HashSet<>();
    final Set<String> racks = new HashSet<>();

    /** Creates the places of replicas; one entry per replica in both lists. */
    public Found(List<String> hosts, List<String> racks) {
      this.hosts.addAll(hosts);
      this.racks.addAll(racks);
    }

    /** Number of different hosts. */
    public int hosts() {
      return hosts.size();
    }

    /** Number of different racks. */
    public int racks() {
      return racks.size();
    }
  }

  /**
   * Hosts a block should be on beside those it is on.
   *
   * @param wanted replicas of the block in all
   * @param strict whether hosts that do not exist are asked for too
   */
  public int missingHosts(Found found, int wanted, boolean strict) {
    int missing = wanted - found.hosts();
    return Math.max(0, strict ? missing : Math.min(missing, unused(hosts, found.hosts)));
  }

  /**
   * Racks a block should be in beside those it is in.
   *
   * @param wanted racks wanted: two for replicated blocks, as many as units for striped ones
   */
  public int missingRacks(Found found, int wanted) {
    return Math.max(0, Math.min(wanted - found.racks(), unused(racks, found.racks)));
  }

  private static int unused(Set<String> eligible, Set<String> used) {
    int unused = eligible.size();
    for (String key : used) {
      unused -= eligible.contains(key) ? 1 : 0;
    }
    return unused;
  }

  /** Number of eligible hosts. */
  public int hosts() {
    return hosts.size();
  }

  /** Number of hosts that are eligible or already {@code used}. */
  public int hostsWith(Set<String> used) {
    return used.size() + unused(hosts, used);
  }

  /** Number of eligible racks. */
  public int racks() {
    return racks.size();
  }

  /**
   * Whether a replica may move: the block is then on no fewer hosts and in no fewer racks.
   *
   * @param others where the other replicas are, one entry each: host and rack
   */
  public static boolean movable(List<String[]> others, String[] source, String[] target) {
    for (int level : new int[] {0, 1}) {
      Set<String> keys = new HashSet<>();
      others.forEach(other -> keys.add(other[level]));
      if (keys.contains(target[level]) && !keys.contains(source[level])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return hosts.size()
        + " hosts in "
        + racks.size()
        + " racks: "
        + Arrays.toString(racks.toArray());
  }
}
