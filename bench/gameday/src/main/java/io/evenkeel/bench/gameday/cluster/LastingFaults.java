package io.evenkeel.bench.gameday.cluster;

import io.evenkeel.bench.gameday.fault.DiskOrder;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The faults that have begun and not ended, and what follows from all of them together for each
 * DataNode, so that the end of one does not undo another. Knows no process and no Hadoop. Not
 * thread-safe.
 */
final class LastingFaults {
  static final String DATA_DIRS = "dfs.datanode.data.dir";

  private static final String OURS = "io.evenkeel.";
  private static final String HARNESS = "io.evenkeel.bench.";
  private static final Set<Kind> HANGS = Set.of(Kind.HANG_VOLUME, Kind.HANG_CREATIONS);
  private static final Set<Kind> STARTED_AGAIN = Set.of(Kind.KILL_DATANODE, Kind.KILL_HOST);

  private final List<DataNodePlace> dataNodes;
  private final List<Fault> faults = new ArrayList<>();

  LastingFaults(List<DataNodePlace> dataNodes) {
    this.dataNodes = List.copyOf(dataNodes);
  }

  /**
   * Adds a fault.
   *
   * @throws IllegalArgumentException when its target or volume is nowhere
   */
  void add(Fault fault) {
    if (!fault.kind().ofNameNode()) {
      List<DataNodePlace> targets = targets(fault);
      if (targets.isEmpty()) {
        throw new IllegalArgumentException("there is no " + fault.target());
      }
      if (fault.kind().ofVolume()) {
        targets.forEach(node -> node.volume(fault.volume()));
      }
    }
    faults.add(fault);
  }

  /**
   * Takes one out.
   *
   * @throws IllegalArgumentException when it has not begun
   */
  void remove(Fault fault) {
    if (!faults.remove(fault)) {
      throw new IllegalArgumentException("has not begun: " + fault);
    }
  }

  List<Fault> all() {
    return List.copyOf(faults);
  }

  /** The DataNodes that a fault concerns. */
  List<DataNodePlace> targets(Fault fault) {
    return fault.kind().ofNameNode()
        ? List.of()
        : dataNodes.stream().filter(node -> node.isCalled(fault.target())).toList();
  }

  /** Whether a DataNode shall be dead. */
  boolean killed(DataNodePlace node) {
    return of(node).anyMatch(f -> STARTED_AGAIN.contains(f.kind()));
  }

  /** Whether a DataNode is not to be dead, and has a volume that works. */
  boolean shallLive(DataNodePlace node) {
    List<DataNodePlace.Volume> working = volumes(node);
    of(node)
        .filter(f -> f.kind() == Kind.FAIL_VOLUME)
        .forEach(f -> working.remove(node.volume(f.volume())));
    return !killed(node) && !working.isEmpty();
  }

  boolean nameNodeKilled() {
    return faults.stream().anyMatch(f -> f.kind() == Kind.KILL_NAMENODE);
  }

  boolean paused(DataNodePlace node) {
    return of(node).anyMatch(f -> f.kind() == Kind.PAUSE_DATANODE);
  }

  /** Whether a disk of a DataNode shall hang. */
  boolean hangs(DataNodePlace node) {
    return of(node).anyMatch(f -> HANGS.contains(f.kind()));
  }

  /** What a DataNode's control file shall order, by names of volumes. */
  List<DiskOrder> orders(DataNodePlace node) {
    List<DiskOrder> orders = new ArrayList<>();
    of(node)
        .forEach(
            fault ->
                effect(fault.kind())
                    .map(
                        effect ->
                            new DiskOrder(
                                node.volume(fault.volume()).name(), effect, fault.millis()))
                    .forEach(orders::add));
    return orders;
  }

  private static Stream<DiskOrder.Effect> effect(Kind kind) {
    return switch (kind) {
      case HANG_VOLUME -> Stream.of(DiskOrder.Effect.HANG);
      case HANG_CREATIONS -> Stream.of(DiskOrder.Effect.HANG_CREATIONS);
      case SLOW_VOLUME -> Stream.of(DiskOrder.Effect.SLOW);
      case FULL_VOLUME -> Stream.of(DiskOrder.Effect.FULL);
      case FAIL_VOLUME -> Stream.of(DiskOrder.Effect.FAIL);
      default -> Stream.of();
    };
  }

  /** The volumes that a DataNode shall have. */
  List<DataNodePlace.Volume> volumes(DataNodePlace node) {
    List<DataNodePlace.Volume> volumes = new ArrayList<>(node.volumes());
    of(node)
        .filter(f -> f.kind() == Kind.REMOVE_VOLUME)
        .forEach(f -> volumes.remove(node.volume(f.volume())));
    return volumes;
  }

  /** The keys that a DataNode shall be started with, from those it had at first. */
  Map<String, String> conf(DataNodePlace node, Map<String, String> original) {
    Map<String, String> keys = new LinkedHashMap<>(original);
    keys.put(
        DATA_DIRS,
        String.join(",", volumes(node).stream().map(DataNodePlace.Volume::location).toList()));
    if (of(node).anyMatch(f -> f.kind() == Kind.RESTART_WITH_STOCK)) {
      keys.entrySet().removeIf(e -> isOurs(e.getKey(), e.getValue()));
    }
    return keys;
  }

  private static boolean isOurs(String key, String value) {
    return key.startsWith("evenkeel.") || (value.startsWith(OURS) && !value.startsWith(HARNESS));
  }

  /** What {@code dfs.hosts} shall hold: every DataNode, and the state it shall be in. */
  String hostsFile() {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (DataNodePlace node : dataNodes) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("hostName", node.address());
      entry.put("port", (long) node.port());
      if (of(node).anyMatch(f -> f.kind() == Kind.DECOMMISSION)) {
        entry.put("adminState", "DECOMMISSIONED");
      } else if (of(node).anyMatch(f -> f.kind() == Kind.MAINTENANCE)) {
        entry.put("adminState", "IN_MAINTENANCE");
      }
      entries.add(entry);
    }
    return Json.pretty(entries);
  }

  /** Whether a DataNode shall be in service. */
  boolean inService(DataNodePlace node) {
    return of(node).noneMatch(f -> f.kind() == Kind.DECOMMISSION || f.kind() == Kind.MAINTENANCE);
  }

  private Stream<Fault> of(DataNodePlace node) {
    return faults.stream().filter(f -> targets(f).contains(node));
  }
}
