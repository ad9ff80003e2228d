package io.evenkeel.cli.core.blocks;

import io.evenkeel.cli.core.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What would be lost if one host stopped now. Not thread-safe. */
public final class HostStop {
  private static final int PATHS = 20;

  private final Topology topology;
  private final String name;
  private final int least;
  private final Map<String, Topology.Spot> spots = new HashMap<>();
  private final Set<String> hosts = new TreeSet<>();
  private final Set<String> unknown = new TreeSet<>();
  private final Set<String> paths = new LinkedHashSet<>();
  private long blocks;
  private long touched;
  private long lost;
  private long below;
  private long unsure;
  private long bare;
  private long gone;
  private long lostBytes;

  /**
   * Prepares the question.
   *
   * @param topology where DataNodes are; may be empty when the listing itself says it
   * @param host name of the host, as {@link Topology#hostsCalled} understands it
   * @param leastReplicas a block with fewer cannot be completed: {@code
   *     dfs.namenode.replication.min}
   */
  public HostStop(Topology topology, String host, int leastReplicas) {
    this.topology = topology;
    this.name = host;
    this.least = leastReplicas;
    hosts.addAll(topology.hostsCalled(host));
  }

  /** Looks at a block. */
  public void accept(ListedBlock block) {
    blocks++;
    List<ListedBlock.Replica> staying = new ArrayList<>();
    int onHost = 0;
    int readable = 0;
    boolean known = true;
    for (ListedBlock.Replica replica : block.replicas()) {
      boolean stops = stops(replica.location());
      if (replica.readable()) {
        readable++;
        known &= replica.known();
        onHost += stops ? 1 : 0;
        if (!stops) {
          staying.add(replica);
        }
      }
    }
    int needed = block.schema() == null ? 1 : block.dataUnits();
    if (units(block, readable(block)) < needed) {
      gone++;
    } else if (onHost > 0) {
      touched++;
      // replicas listed beyond those that live may be corrupt or on their way out
      int doubtful = known ? 0 : Math.max(0, readable - block.live());
      int left = units(block, staying);
      judge(block, needed, left, Math.max(0, left - doubtful));
    }
  }

  private static List<ListedBlock.Replica> readable(ListedBlock block) {
    List<ListedBlock.Replica> found = new ArrayList<>(block.replicas());
    found.removeIf(replica -> !replica.readable());
    return found;
  }

  /** Replicas, or different units of a striped group. */
  private static int units(ListedBlock block, List<ListedBlock.Replica> replicas) {
    if (block.schema() == null) {
      return replicas.size();
    }
    Set<String> units = new HashSet<>();
    replicas.forEach(replica -> units.add(replica.unit()));
    return units.size();
  }

  private void judge(ListedBlock block, int needed, int left, int surelyLeft) {
    int wanted = block.schema() == null ? Math.min(least, block.replication()) : needed;
    if (left < needed) {
      lost++;
      lostBytes += block.length();
    } else if (left < wanted) {
      below++;
    } else if (surelyLeft < wanted) {
      unsure++;
    } else {
      bare += left == needed ? 1 : 0;
      return;
    }
    if (paths.size() < PATHS) {
      paths.add(block.path());
    }
  }

  private boolean stops(String location) {
    Topology.Spot spot = spots.get(location);
    if (spot == null && !unknown.contains(location)) {
      spot = topology.locate(location);
      if (spot == null) {
        unknown.add(location);
      } else {
        spots.put(location, spot);
        if (topology.nodes().isEmpty() && Topology.goesBy(spot.host(), name)) {
          hosts.add(spot.host());
        }
      }
    }
    return spot != null && hosts.contains(spot.host());
  }

  /** Keys of the hosts that go by the name: one if the question was clear. */
  public Set<String> hosts() {
    return Collections.unmodifiableSet(hosts);
  }

  /** Locations nobody knows the host of. */
  public Set<String> unknown() {
    return Collections.unmodifiableSet(unknown);
  }

  /** Paths of the first files that would lose a block or come near it. */
  public Set<String> paths() {
    return Collections.unmodifiableSet(paths);
  }

  /** Whether every block that can be read now can be read afterwards, and it is certain. */
  public boolean isSafe() {
    return lost + below + unsure == 0 && unknown.isEmpty();
  }

  /** Blocks and striped groups looked at. */
  public long blocks() {
    return blocks;
  }

  /** Those with a replica or unit on the host. */
  public long touched() {
    return touched;
  }

  /** Those that could not be read any more. */
  public long lost() {
    return lost;
  }

  /** Bytes of those. */
  public long lostBytes() {
    return lostBytes;
  }

  /** Those left with fewer replicas than the least. */
  public long belowLeast() {
    return below;
  }

  /** Those of which the listing does not say which replicas are good. */
  public long unsure() {
    return unsure;
  }

  /** Those that stay readable without a spare replica or unit. */
  public long withoutSpare() {
    return bare;
  }

  /** Those that cannot be read already. */
  public long missingAlready() {
    return gone;
  }
}
