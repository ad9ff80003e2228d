package io.evenkeel.placement.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which DataNode stands on which host, and which host in which rack. DataNodes are numbered so that
 * those of a host, and the hosts of a rack, follow each other.
 *
 * <p>A host is what fails as one: a node group of HVE, a machine with several DataNodes, or just
 * the DataNode. One host key seen in two racks (a mistake in the mapping) makes two hosts here that
 * {@link #sameHost} still takes for one.
 *
 * <p>Immutable and thread-safe.
 */
public final class HostTopology {
  private final int[] hostOfNode;
  private final int[] rackOfHost;
  private final int[] firstNodeOfHost;
  private final int[] firstHostOfRack;
  private final int[] identityOfHost;
  private final String[] rackKeys;
  private final String[] hostKeys;

  private HostTopology(List<Place> sorted) {
    int nodes = sorted.size();
    hostOfNode = new int[nodes];
    List<Integer> hostStarts = new ArrayList<>();
    List<Integer> rackStarts = new ArrayList<>();
    List<Integer> racks = new ArrayList<>();
    Map<String, Integer> identities = new HashMap<>();
    List<Integer> identity = new ArrayList<>();
    List<String> rackNames = new ArrayList<>();
    List<String> hostNames = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Place place = sorted.get(node);
      Place before = node == 0 ? null : sorted.get(node - 1);
      boolean newRack = before == null || !before.rack.equals(place.rack);
      if (newRack) {
        rackStarts.add(hostStarts.size());
        rackNames.add(place.rack);
      }
      if (newRack || !before.host.equals(place.host)) {
        hostStarts.add(node);
        hostNames.add(place.host);
        racks.add(rackNames.size() - 1);
        identity.add(identities.computeIfAbsent(place.host, h -> identities.size()));
      }
      hostOfNode[node] = hostStarts.size() - 1;
    }
    hostStarts.add(nodes);
    rackStarts.add(racks.size());
    firstNodeOfHost = ints(hostStarts);
    firstHostOfRack = ints(rackStarts);
    rackOfHost = ints(racks);
    identityOfHost = ints(identity);
    rackKeys = rackNames.toArray(new String[0]);
    hostKeys = hostNames.toArray(new String[0]);
  }

  /** Where one DataNode is. */
  public static final class Place {
    final String rack;
    final String host;

    /** Creates the place of a DataNode on {@code host} in {@code rack}; equal keys are equal. */
    public Place(String rack, String host) {
      this.rack = rack;
      this.host = host;
    }
  }

  /**
   * The order in which {@link #of} numbers DataNodes: {@code order[i]} is the place in the list of
   * the DataNode with number i.
   */
  public static int[] order(List<Place> places) {
    Integer[] order = new Integer[places.size()];
    Arrays.setAll(order, i -> i);
    Comparator<Integer> byRack = Comparator.comparing(i -> places.get(i).rack);
    Arrays.sort(order, byRack.thenComparing(i -> places.get(i).host));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  /** The view of DataNodes at these places, numbered by {@link #order}. */
  public static HostTopology of(List<Place> places) {
    List<Place> sorted = new ArrayList<>(places.size());
    for (int at : order(places)) {
      sorted.add(places.get(at));
    }
    return new HostTopology(sorted);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Number of DataNodes. */
  public int nodes() {
    return hostOfNode.length;
  }

  /** Number of hosts. */
  public int hosts() {
    return rackOfHost.length;
  }

  /** Number of racks. */
  public int racks() {
    return rackKeys.length;
  }

  /** Host of a DataNode. */
  public int hostOf(int node) {
    return hostOfNode[node];
  }

  /** Rack of a DataNode. */
  public int rackOf(int node) {
    return rackOfHost[hostOfNode[node]];
  }

  /** Rack of a host. */
  public int rackOfHost(int host) {
    return rackOfHost[host];
  }

  /** First DataNode of a host; of the host after the last one: the number of DataNodes. */
  public int firstNodeOfHost(int host) {
    return firstNodeOfHost[host];
  }

  /** First host of a rack; of the rack after the last one: the number of hosts. */
  public int firstHostOfRack(int rack) {
    return firstHostOfRack[rack];
  }

  /** First DataNode of a rack. */
  public int firstNodeOfRack(int rack) {
    return firstNodeOfHost[firstHostOfRack[rack]];
  }

  /** The DataNode after the last one of a rack. */
  public int endOfRack(int rack) {
    return firstNodeOfHost[firstHostOfRack[rack + 1]];
  }

  /** Whether two DataNodes fail as one. */
  public boolean sameHost(int node, int other) {
    return identityOfHost[hostOfNode[node]] == identityOfHost[hostOfNode[other]];
  }

  /** Key of a rack. */
  public String rackKey(int rack) {
    return rackKeys[rack];
  }

  /** Key of a host. */
  public String hostKey(int host) {
    return hostKeys[host];
  }

  /** The rack with this key, or -1. */
  public int rackOf(String rack) {
    return Math.max(-1, Arrays.binarySearch(rackKeys, rack));
  }

  /** The host with these keys, or -1. */
  public int hostOf(String rack, String host) {
    int at = rackOf(rack);
    if (at < 0) {
      return -1;
    }
    return Math.max(
        -1, Arrays.binarySearch(hostKeys, firstHostOfRack[at], firstHostOfRack[at + 1], host));
  }
}
