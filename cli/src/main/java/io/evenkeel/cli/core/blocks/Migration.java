package io.evenkeel.cli.core.blocks;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.placement.core.PlacementRules;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the NameNode will copy when a cluster switches to the uniform policy. Blocks that look the
 * same are kept as one number, so memory does not grow with the listing. Not thread-safe.
 */
public final class Migration {
  private final Topology topology;
  private final BlockShapes whole = new BlockShapes();
  private final Map<String, Topology.Spot> spots = new HashMap<>();
  private final Set<String> unknown = new TreeSet<>();
  private final Set<String> hosts = new HashSet<>();
  private final Set<String> racks = new HashSet<>();
  private BlockShapes part;
  private long unjudged;

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

  /** Counts a block; one with a replica on a host nobody knows is counted apart. */
  public void accept(ListedBlock block) {
    whole.count(block.length());
    if (part != null) {
      part.count(block.length());
    }
    boolean known = true;
    Set<String> onHosts = new HashSet<>();
    Set<String> onRacks = new HashSet<>();
    int replicas = 0;
    for (ListedBlock.Replica replica : block.replicas()) {
      Topology.Spot spot = spot(replica.location());
      known &= spot != null || !replica.readable();
      if (replica.readable() && spot != null) {
        replicas++;
        onHosts.add(spot.host());
        onRacks.add(spot.rack());
      }
    }
    if (known) {
      add(block, replicas, onHosts, onRacks);
    } else {
      unjudged++;
    }
  }

  private void add(ListedBlock block, int replicas, Set<String> onHosts, Set<String> onRacks) {
    boolean striped = block.schema() != null;
    // a unit is as long as its share of the data; parity is as long as the longest
    double unit = striped ? Math.ceil((double) block.length() / block.dataUnits()) : block.length();
    BlockShape shape =
        new BlockShape(
            striped ? PlacementRules.STRIPED : PlacementRules.REPLICATED,
            striped ? block.realUnits() : block.replication(),
            replicas,
            new BlockShape.Places(onHosts, hosts),
            new BlockShape.Places(onRacks, racks));
    whole.add(shape, unit);
    if (part != null) {
      part.add(shape, unit);
    }
  }

  /**
   * Begins a part: the blocks that are counted from now on are in it, besides being counted.
   *
   * @param files the number it was drawn by, at least 1
   */
  public BlockSample.Part part(long files) {
    BlockSample.Part next = new BlockSample.Part(Math.max(1, files));
    part = next.shapes();
    return next;
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
   * What will be copied, as if blocks that could not be judged needed no copy.
   *
   * @param population blocks of the whole cluster; what was counted is the whole when it is less
   */
  public MigrationForecast forecast(long population) {
    return new MigrationForecast(judged(whole), Math.max(population, whole.blocks()));
  }

  /**
   * What will be copied, by draws of paths; of blocks that could not be judged likewise.
   *
   * @param population blocks of the whole cluster
   * @param sample at least two draws of parts of this
   */
  public MigrationForecast forecast(long population, BlockSample sample) {
    MigrationForecast forecast = forecast(population);
    sample.draws().forEach(drawn -> forecast.draw(judged(drawn.shapes()), drawn.files()));
    return forecast;
  }

  private MigrationSums judged(BlockShapes some) {
    MigrationSums sums = new MigrationSums(some.blocks(), some.bytes());
    boolean nodeGroups = hasNodeGroups();
    some.shapes()
        .forEach(
            (shape, of) ->
                sums.add(shape, shape.copies(hosts.size(), racks.size(), nodeGroups), of));
    return sums;
  }

  /** As the topology says; without one, whether most locations that were listed have two parts. */
  private boolean hasNodeGroups() {
    if (!topology.nodes().isEmpty()) {
      return topology.hasNodeGroups();
    }
    int inNodeGroups = 0;
    for (Topology.Spot spot : spots.values()) {
      inNodeGroups += spot.isNodeGroup() ? 1 : 0;
    }
    return 2 * inNodeGroups > spots.size();
  }

  /** Locations nobody knows the host of. */
  public Set<String> unknown() {
    return Collections.unmodifiableSet(unknown);
  }

  /** Those of the blocks that could not be judged, as nobody knows the host of a replica. */
  public long unjudged() {
    return unjudged;
  }

  /** Blocks and striped groups looked at. */
  public long blocks() {
    return whole.blocks();
  }

  /** Their length in bytes, without replicas and parity. */
  public double bytes() {
    return whole.bytes();
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
