package io.evenkeel.placement.core.blocks;

import io.evenkeel.placement.core.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the NameNode will copy when a cluster switches to the uniform policy. Blocks that look the
 * same are kept as one number, so memory does not grow with the listing. Not thread-safe.
 */
public final class Migration {
  private final Topology topology;
  private final Map<List<Integer>, Sums> shapes = new HashMap<>();
  private final Map<String, Topology.Spot> spots = new HashMap<>();
  private final Set<String> unknown = new TreeSet<>();
  private final Set<String> hosts = new HashSet<>();
  private final Set<String> racks = new HashSet<>();
  private long blocks;
  private double bytes;

  /** Blocks of one shape. */
  private static final class Sums {
    long blocks;
    double unitBytes;
    double unitSquares;
  }

  /**
   * Prepares the count.
   *
   * @param topology where DataNodes are; may be empty when the listing itself says it, then hosts
   *     and racks without a block are not known
   */
  public Migration(Topology topology) {
    this.topology = topology;
    hosts.addAll(topology.hosts());
    racks.addAll(topology.racks());
  }

  /** Counts a block. */
  public void accept(ListedBlock block) {
    Map<String, Integer> onHosts = new TreeMap<>();
    Set<String> onRacks = new HashSet<>();
    for (ListedBlock.Replica replica : block.replicas()) {
      Topology.Spot spot = spot(replica.location());
      if (replica.readable() && spot != null) {
        onHosts.merge(spot.host(), 1, Integer::sum);
        onRacks.add(spot.rack());
      }
    }
    boolean striped = block.schema() != null;
    List<Integer> shape = new ArrayList<>(onHosts.values());
    Collections.sort(shape);
    shape.add(onRacks.size());
    shape.add(striped ? -block.realUnits() : block.replication());
    // a unit is as long as its share of the data; parity is as long as the longest
    double unit = striped ? Math.ceil((double) block.length() / block.dataUnits()) : block.length();
    Sums sums = shapes.computeIfAbsent(shape, s -> new Sums());
    sums.blocks++;
    sums.unitBytes += unit;
    sums.unitSquares += unit * unit;
    blocks++;
    bytes += block.length();
  }

  private Topology.Spot spot(String location) {
    Topology.Spot spot = spots.get(location);
    if (spot == null && !unknown.contains(location)) {
      spot = topology.locate(location);
      if (spot == null) {
        unknown.add(location);
        return null;
      }
      spots.put(location, spot);
      if (topology.nodes().isEmpty()) {
        hosts.add(spot.host());
        racks.add(spot.rack());
      }
    }
    return spot;
  }

  /**
   * What will be copied.
   *
   * @param population blocks of the whole cluster; what was counted is the whole when it is less
   */
  public MigrationForecast forecast(long population) {
    MigrationForecast forecast = new MigrationForecast(blocks, Math.max(population, blocks));
    for (Map.Entry<List<Integer>, Sums> entry : shapes.entrySet()) {
      List<Integer> shape = entry.getKey();
      int[] onHosts = shape.subList(0, shape.size() - 2).stream().mapToInt(n -> n).toArray();
      int onRacks = shape.get(shape.size() - 2);
      int wanted = shape.get(shape.size() - 1);
      boolean striped = wanted < 0;
      int copies =
          striped
              ? SpreadRule.striped(-wanted, onHosts, hosts.size())
              : SpreadRule.replicated(wanted, onHosts, onRacks, hosts.size(), racks.size());
      int placed = Arrays.stream(onHosts).sum();
      Sums sums = entry.getValue();
      forecast.add(striped, copies, sums.blocks, new double[] {sums.unitBytes, sums.unitSquares});
      forecast.addShort(placed < Math.abs(wanted) ? sums.blocks : 0);
    }
    return forecast;
  }

  /** Locations nobody knows the host of. */
  public Set<String> unknown() {
    return Collections.unmodifiableSet(unknown);
  }

  /** Blocks and striped groups counted. */
  public long blocks() {
    return blocks;
  }

  /** Their length in bytes, without replicas and parity. */
  public double bytes() {
    return bytes;
  }

  /** Hosts of the cluster, as far as known. */
  public int hosts() {
    return hosts.size();
  }

  /** Racks of the cluster, as far as known. */
  public int racks() {
    return racks.size();
  }
}
