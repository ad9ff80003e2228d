package io.evenkeel.bench.sim.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Racks, hosts and DataNodes. Immutable.
 *
 * @param hostsPerRack hosts of each rack; at least one rack
 * @param perHost DataNodes of a host
 * @param dropped so many hosts, from the first rack on, have one DataNode less
 * @param disks disks of each kind of DataNode, see {@link Disks}
 */
public record Shape(List<Integer> hostsPerRack, int perHost, int dropped, Disks disks) {
  private static final Disks EQUAL = new Disks(List.of(2), false, 0);

  /**
   * The volumes of the DataNodes.
   *
   * @param counts numbers of disks, dealt out in turn
   * @param withinHost whether to DataNodes of one host, or else to whole hosts
   * @param ssds so many DataNodes, spread over all, have an SSD as well
   * @param archives so many, spread over all, have ARCHIVE in place of DISK
   */
  public record Disks(List<Integer> counts, boolean withinHost, int ssds, int archives) {
    public Disks(List<Integer> counts, boolean withinHost, int ssds) {
      this(counts, withinHost, ssds, 0);
    }
  }

  /**
   * One DataNode.
   *
   * @param index position in {@link Shape#places}
   * @param slot number on its host
   * @param weight what it can take compared with others; the number of disks, unless said otherwise
   * @param disks number of volumes of type DISK or ARCHIVE
   */
  public record Place(
      int index,
      int rack,
      int host,
      int slot,
      double weight,
      int disks,
      boolean ssd,
      boolean archive) {
    /** Location where a node group is a host. */
    String inNodeGroup() {
      return "/r" + rack + "/h" + host;
    }

    /** Location where a rack has no parts. */
    String inRack() {
      return "/r" + rack;
    }
  }

  /** Equal racks. */
  public static Shape of(int racks, int hostsPerRack, int perHost) {
    return new Shape(Collections.nCopies(racks, hostsPerRack), perHost, 0, EQUAL);
  }

  /** So many racks whose numbers of hosts repeat the given ones. */
  public static Shape unequal(int racks, List<Integer> hosts, int perHost) {
    List<Integer> sizes = new ArrayList<>();
    for (int r = 0; r < racks; r++) {
      sizes.add(hosts.get(r % hosts.size()));
    }
    return new Shape(List.copyOf(sizes), perHost, 0, EQUAL);
  }

  /** The same with one DataNode less on so many hosts. */
  public Shape drop(int count) {
    return new Shape(hostsPerRack, perHost, count, disks);
  }

  /** The same with other volumes. */
  public Shape with(Disks other) {
    return new Shape(hostsPerRack, perHost, dropped, other);
  }

  public int racks() {
    return hostsPerRack.size();
  }

  public int hosts() {
    return hostsPerRack.stream().mapToInt(h -> h).sum();
  }

  public int size() {
    return hosts() * perHost - dropped;
  }

  /** All DataNodes, host by host and rack by rack. */
  public List<Place> places() {
    List<Place> places = new ArrayList<>();
    int host = 0;
    for (int rack = 0; rack < racks(); rack++) {
      for (int h = 0; h < hostsPerRack.get(rack); h++, host++) {
        int slots = host < dropped ? perHost - 1 : perHost;
        for (int slot = 0; slot < slots; slot++) {
          int index = places.size();
          int kind = disks.withinHost ? slot : host;
          int count = disks.counts.get(kind % disks.counts.size());
          boolean ssd = oneOf(disks.ssds, index);
          boolean archive = oneOf(disks.archives, index);
          places.add(new Place(index, rack, host, slot, count, count, ssd, archive));
        }
      }
    }
    return places;
  }

  /** Whether a DataNode is one of so many that are spread over all. */
  private boolean oneOf(int many, int index) {
    return many > 0 && (long) index * many / size() != (long) (index + 1) * many / size();
  }
}
