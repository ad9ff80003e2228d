package io.evenkeel.placement.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which hosts and racks could take a replica at some moment, and what that means for replicas that
 * exist: no rule asks for what no eligible host can give, or a DataNode that leaves would wait for
 * ever. A replica can only go where its storage type is. Where a DataNode has several types and it
 * is not known which of them its replica has, that with the fewest places is taken: then the rule
 * asks for too little rather than for what cannot be had, and {@link #undecided} tells where it
 * may. Immutable and thread-safe.
 */
public final class Spread {
  /** Storage types of a DataNode of which none is known. */
  public static final int ANY_TYPE = -1;

  private final Eligible all = new Eligible();

  /** Of DataNodes that have not told their types yet: each may have any. */
  private final Eligible unknown = new Eligible();

  private final Map<Integer, Eligible> byType = new HashMap<>(); // by the type's bit

  private static final class Eligible {
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> racks = new HashSet<>();

    void add(String host, String rack) {
      hosts.add(host);
      racks.add(rack);
    }

    void add(Eligible more) {
      hosts.addAll(more.hosts);
      racks.addAll(more.racks);
    }
  }

  private Spread() {}

  /** Collects the eligible part of a cluster; not thread-safe, and of no use once it was built. */
  public static final class Builder {
    private final Spread spread = new Spread();

    /**
     * Adds a DataNode that is in service and has room.
     *
     * @param types the storage types that have room, one bit each, or {@link #ANY_TYPE} while they
     *     are not known
     */
    public Builder add(String host, String rack, int types) {
      spread.all.add(host, rack);
      if (types == ANY_TYPE) {
        spread.unknown.add(host, rack);
        return this;
      }
      for (int left = types; left != 0; left &= left - 1) {
        int type = Integer.lowestOneBit(left);
        spread.byType.computeIfAbsent(type, t -> new Eligible()).add(host, rack);
      }
      return this;
    }

    /** What was added. */
    public Spread build() {
      spread.byType.values().forEach(eligible -> eligible.add(spread.unknown));
      return spread;
    }
  }

  /** Where the replicas of a block are. Not thread-safe. */
  public static final class Found {
    private final List<String> replicaHosts = new ArrayList<>();
    private final List<String> replicaRacks = new ArrayList<>();
    private final List<Integer> replicaTypes = new ArrayList<>();
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> racks = new HashSet<>();

    /**
     * Adds a replica.
     *
     * @param types the storage types its DataNode has, one bit each, or {@link #ANY_TYPE}
     */
    public Found add(String host, String rack, int types) {
      replicaHosts.add(host);
      replicaRacks.add(rack);
      replicaTypes.add(types);
      hosts.add(host);
      racks.add(rack);
      return this;
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
    int missing = Math.max(0, wanted - found.hosts());
    return missing == 0 || strict
        ? missing
        : Math.max(0, reachedHosts(found, wanted, true) - found.hosts());
  }

  private int reachedHosts(Found found, int wanted, boolean scarcest) {
    return reach(found, wanted, found.replicaHosts, e -> e.hosts, scarcest);
  }

  private int reachedRacks(Found found, int wanted, boolean scarcest) {
    return reach(found, wanted, found.replicaRacks, e -> e.racks, scarcest);
  }

  /**
   * Whether more hosts or racks would be asked for if the replicas were of those of their
   * DataNodes' types that have the most places. Never where each replica's type is known.
   *
   * @param hosts wanted in all
   * @param racks wanted in all
   */
  public boolean undecided(Found found, int hosts, int racks) {
    return (found.hosts() < hosts
            && reachedHosts(found, hosts, false) > reachedHosts(found, hosts, true))
        || (found.racks() < racks
            && reachedRacks(found, racks, false) > reachedRacks(found, racks, true));
  }

  /**
   * Racks a block should be in beside those it is in.
   *
   * @param wanted racks wanted: two for replicated blocks, as many as units for striped ones
   */
  public int missingRacks(Found found, int wanted) {
    return found.racks() >= wanted
        ? 0
        : Math.max(0, reachedRacks(found, wanted, true) - found.racks());
  }

  /**
   * In how many places (hosts or racks) the replicas can be, at most {@code wanted}, when each may
   * stay or go where its storage type is. Replicas that are not there yet may go anywhere.
   *
   * <p>Replicas of some types are in no more places than have these types; so for each choice of
   * types the limit is that number and the replicas of all other types. The least of these limits
   * is reached (Hall's theorem). A type that is in as many places as are wanted limits nothing, so
   * no more places are looked at than that for each type, however many there are.
   */
  private int reach(
      Found found,
      int wanted,
      List<String> places,
      Function<Eligible, Set<String>> of,
      boolean scarcest) {
    Map<Integer, Set<String>> open = new HashMap<>(); // by type, of those that limit
    Map<Integer, Integer> replicas = new HashMap<>();
    int unlimited = 0;
    for (int i = 0; i < places.size(); i++) {
      int type = oneOf(found.replicaTypes.get(i), of, scarcest);
      if (of.apply(eligible(type)).size() >= wanted) {
        unlimited++;
      } else {
        open.computeIfAbsent(type, t -> new HashSet<>(of.apply(eligible(t)))).add(places.get(i));
        replicas.merge(type, 1, Integer::sum);
      }
    }
    if (wanted > places.size()) {
      if (of.apply(all).size() >= wanted) {
        unlimited += wanted - places.size();
      } else {
        open.computeIfAbsent(ANY_TYPE, t -> new HashSet<>(of.apply(all))).addAll(places);
        replicas.merge(ANY_TYPE, wanted - places.size(), Integer::sum);
      }
    }
    List<Integer> types = new ArrayList<>(open.keySet());
    int most = wanted;
    for (int chosen = 0; chosen < 1 << types.size(); chosen++) {
      Set<String> together = new HashSet<>();
      int others = unlimited;
      for (int t = 0; t < types.size(); t++) {
        if ((chosen & 1 << t) != 0) {
          together.addAll(open.get(types.get(t)));
        } else {
          others += replicas.get(types.get(t));
        }
      }
      most = Math.min(most, together.size() + others);
    }
    return most;
  }

  /** Of these types, the one with the fewest places, or with the most. */
  private int oneOf(int types, Function<Eligible, Set<String>> of, boolean scarcest) {
    int found = ANY_TYPE;
    int placesOfFound = 0;
    for (int left = types == ANY_TYPE ? 0 : types; left != 0; left &= left - 1) {
      int type = Integer.lowestOneBit(left);
      int places = of.apply(eligible(type)).size();
      if (found == ANY_TYPE || (scarcest ? places < placesOfFound : places > placesOfFound)) {
        found = type;
        placesOfFound = places;
      }
    }
    return found;
  }

  private Eligible eligible(int type) {
    return type == ANY_TYPE ? all : byType.getOrDefault(type, unknown);
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
    return all.hosts.size();
  }

  /** Number of hosts that are eligible or already {@code used}. */
  public int hostsWith(Set<String> used) {
    return used.size() + unused(all.hosts, used);
  }

  /** Number of eligible racks. */
  public int racks() {
    return all.racks.size();
  }

  /**
   * Whether a replica may move: the block is then on no fewer hosts, and in no fewer racks unless
   * enough are left.
   *
   * @param others where the other replicas are, one entry each: host and rack
   * @param racks how many are enough
   */
  public static boolean movable(
      List<String[]> others, String[] source, String[] target, int racks) {
    return count(others, 0, target) >= count(others, 0, source)
        && count(others, 1, target) >= Math.min(racks, count(others, 1, source));
  }

  private static int count(List<String[]> others, int level, String[] one) {
    Set<String> keys = new HashSet<>();
    others.forEach(other -> keys.add(other[level]));
    keys.add(one[level]);
    return keys.size();
  }

  @Override
  public String toString() {
    return all.hosts.size() + " hosts in " + all.racks.size() + " racks: " + all.racks;
  }
}
