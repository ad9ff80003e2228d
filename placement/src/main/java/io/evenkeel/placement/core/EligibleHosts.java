package io.evenkeel.placement.core;

import io.evenkeel.placement.core.HostTopology.Place;
import java.util.ArrayList;
import java.util.Collections;
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
 * is not known which of them its replica has, those are assumed with which the block reaches the
 * fewest places: then the rule asks for too little rather than for what cannot be had, and {@link
 * #undecided} tells where it may. Immutable and thread-safe.
 */
public final class EligibleHosts {
  /** Storage types of a DataNode of which none is known. */
  public static final int ANY_TYPE = -1;

  private final Eligible all = new Eligible();

  /** Of DataNodes that have not told their types yet: each may have any. */
  private final Eligible unknown = new Eligible();

  private final Map<Integer, Eligible> byType = new HashMap<>(); // by the type's bit

  private static final class Eligible {
    private final Map<String, String> rackOfHost = new HashMap<>();
    private final Map<String, String> racks = new HashMap<>(); // each is in itself

    void add(String host, String rack) {
      rackOfHost.putIfAbsent(host, rack);
      racks.put(rack, rack);
    }

    void add(Eligible more) {
      more.rackOfHost.forEach(rackOfHost::putIfAbsent);
      racks.putAll(more.racks);
    }
  }

  private EligibleHosts() {}

  /** Collects the eligible part of a cluster; not thread-safe, and of no use once it was built. */
  public static final class Builder {
    private final EligibleHosts built = new EligibleHosts();

    /**
     * Adds a DataNode that is in service and has room.
     *
     * @param types the storage types that have room, one bit each, or {@link #ANY_TYPE} while they
     *     are not known
     */
    public Builder add(String host, String rack, int types) {
      built.all.add(host, rack);
      if (types == ANY_TYPE) {
        built.unknown.add(host, rack);
        return this;
      }
      for (int left = types; left != 0; left &= left - 1) {
        int type = Integer.lowestOneBit(left);
        built.byType.computeIfAbsent(type, t -> new Eligible()).add(host, rack);
      }
      return this;
    }

    /** What was added. */
    public EligibleHosts build() {
      built.byType.values().forEach(eligible -> eligible.add(built.unknown));
      return built;
    }
  }

  /** Where the replicas of a block are. Not thread-safe. */
  public static final class Found {
    private final List<String> replicaHosts = new ArrayList<>();
    private final List<String> replicaRacks = new ArrayList<>();
    private final List<Integer> replicaTypes = new ArrayList<>();
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> racks = new HashSet<>();
    private final Map<String, Integer> inRack = new HashMap<>();
    private int rackLimit = Integer.MAX_VALUE;

    /** No rack is given more replicas than that, so none is asked for there. */
    public Found rackLimit(int limit) {
      rackLimit = limit;
      return this;
    }

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
      inRack.merge(rack, 1, Integer::sum);
      return this;
    }

    private int replicasInRack(String rack) {
      return inRack.getOrDefault(rack, 0);
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

  private int reachedHosts(Found found, int wanted, boolean fewest) {
    Places hosts = new Places(found.replicaHosts, e -> e.rackOfHost, found.rackLimit);
    return reach(found, wanted, hosts, fewest);
  }

  private int reachedRacks(Found found, int wanted, boolean fewest) {
    Places racks = new Places(found.replicaRacks, e -> e.racks, Integer.MAX_VALUE);
    return reach(found, wanted, racks, fewest);
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
   * @param wanted racks wanted: two for replicated blocks, as many as internal blocks for striped
   *     ones
   */
  public int missingRacks(Found found, int wanted) {
    return found.racks() >= wanted
        ? 0
        : Math.max(0, reachedRacks(found, wanted, true) - found.racks());
  }

  /** Hosts or racks. Immutable. */
  private static final class Places {
    final List<String> ofReplicas;
    final Function<Eligible, Map<String, String>> of; // each with its rack
    final int rackLimit;

    Places(List<String> ofReplicas, Function<Eligible, Map<String, String>> of, int rackLimit) {
      this.ofReplicas = ofReplicas;
      this.of = of;
      this.rackLimit = rackLimit;
    }
  }

  /**
   * In how many places the replicas can be, at most {@code wanted}, when each may stay or go where
   * its storage type is, and no rack gets more than its limit. Replicas that are not there yet may
   * go anywhere.
   *
   * <p>Replicas of some types are in no more places than those where they are and those that have
   * these types; so for each choice of types the limit is that number and the replicas of all other
   * types. The least of these limits is reached (Hall's theorem), but for the limits per rack.
   * Where the types of a replica are in doubt, each limit is the least it may be, or the greatest.
   *
   * @param fewest whether doubtful replicas are of the types with which they reach less
   */
  private int reach(Found found, int wanted, Places places, boolean fewest) {
    int coming = Math.max(0, wanted - found.replicaTypes.size());
    boolean anyType = coming > 0;
    int bits = 0;
    for (int types : found.replicaTypes) {
      anyType |= types == ANY_TYPE || types == 0;
      bits |= types == ANY_TYPE ? 0 : types;
    }
    int most = wanted;
    // each subset of the types but the empty one, and all together with those of any type
    for (int some = bits; some != 0; some = (some - 1) & bits) {
      most = Math.min(most, limit(found, places, some, coming, fewest, most));
    }
    return anyType ? Math.min(most, limit(found, places, ANY_TYPE, 0, fewest, most)) : most;
  }

  /**
   * In how many places the block can be when its replicas of these types are where these are.
   *
   * @param others replicas of other types beside those that are there
   * @param enough what is above does not matter
   */
  private int limit(Found found, Places places, int types, int others, boolean fewest, int enough) {
    Set<String> together = new HashSet<>();
    int elsewhere = others;
    for (int i = 0; i < found.replicaTypes.size(); i++) {
      if (isAmong(found.replicaTypes.get(i), types, fewest)) {
        together.add(places.ofReplicas.get(i));
      } else {
        elsewhere++;
      }
    }
    Map<String, Integer> roomInRack = new HashMap<>();
    for (Eligible ofType : eligible(types)) {
      for (Map.Entry<String, String> place : places.of.apply(ofType).entrySet()) {
        if (together.size() + elsewhere >= enough) {
          return enough;
        }
        String rack = place.getValue();
        int room =
            roomInRack.computeIfAbsent(rack, r -> places.rackLimit - found.replicasInRack(r));
        if (room > 0 && together.add(place.getKey())) {
          roomInRack.put(rack, room - 1);
        }
      }
    }
    return together.size() + elsewhere;
  }

  /** Whether a replica whose DataNode has {@code own} types is taken for one of {@code types}. */
  private static boolean isAmong(int own, int types, boolean fewest) {
    if (types == ANY_TYPE) {
      return true;
    }
    return own != ANY_TYPE && own != 0 && (fewest ? (own & types) != 0 : (own & ~types) == 0);
  }

  private List<Eligible> eligible(int types) {
    if (types == ANY_TYPE) {
      return Collections.singletonList(all);
    }
    List<Eligible> found = new ArrayList<>();
    for (int left = types; left != 0; left &= left - 1) {
      found.add(byType.getOrDefault(Integer.lowestOneBit(left), unknown));
    }
    return found;
  }

  private static int unused(Map<String, String> eligible, Set<String> used) {
    int unused = eligible.size();
    for (String key : used) {
      unused -= eligible.containsKey(key) ? 1 : 0;
    }
    return unused;
  }

  /** Number of eligible hosts. */
  public int hosts() {
    return all.rackOfHost.size();
  }

  /** Number of hosts that are eligible or already {@code used}. */
  public int hostsWith(Set<String> used) {
    return used.size() + unused(all.rackOfHost, used);
  }

  /**
   * Whether those {@code used} and those with room for one of these types are fewer than so many.
   */
  public boolean fewerHosts(Set<String> used, int types, int than) {
    Set<String> hosts = new HashSet<>(used);
    for (Eligible ofType : eligible(types)) {
      for (String host : ofType.rackOfHost.keySet()) {
        if (hosts.size() >= than) {
          return false;
        }
        hosts.add(host);
      }
    }
    return hosts.size() < than;
  }

  /** Number of eligible racks. */
  public int racks() {
    return all.racks.size();
  }

  /**
   * Whether a replica may move: the block is then on no fewer hosts, and in no fewer racks unless
   * enough are left.
   *
   * @param others where the other replicas are
   * @param racks how many are enough
   */
  public static boolean movable(List<Place> others, Place source, Place target, int racks) {
    return count(others, target, p -> p.host) >= count(others, source, p -> p.host)
        && count(others, target, p -> p.rack)
            >= Math.min(racks, count(others, source, p -> p.rack));
  }

  private static int count(List<Place> others, Place one, Function<Place, String> key) {
    Set<String> keys = new HashSet<>();
    others.forEach(other -> keys.add(key.apply(other)));
    keys.add(key.apply(one));
    return keys.size();
  }

  @Override
  public String toString() {
    return hosts() + " hosts in " + racks() + " racks: " + all.racks.keySet();
  }
}
