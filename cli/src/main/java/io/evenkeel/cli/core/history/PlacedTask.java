package io.evenkeel.cli.core.history;

import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.List;

/** A map task that succeeded and where it ran, seen from its data. Immutable. */
final class PlacedTask {
  private final MapTask task;
  private final List<String> replicas;
  private final Locality locality;
  private final boolean toldByMaster;

  private PlacedTask(MapTask task, List<String> replicas, Locality locality, boolean toldByMaster) {
    this.task = task;
    this.replicas = replicas;
    this.locality = locality;
    this.toldByMaster = toldByMaster;
  }

  /**
   * Judges a task.
   *
   * @param exact how many of its hosts have a replica; the others are siblings
   * @param masters what the application master took hosts for; asked only when {@code hosts} gives
   *     no answer
   */
  static PlacedTask of(MapTask task, int exact, HostMap hosts, HostMap masters) {
    List<String> named = task.locations();
    List<String> replicas = named.subList(0, Math.min(exact, named.size()));
    String host = task.successful().host();
    Locality found = hosts.classify(host, named);
    if (found == Locality.SAME_VM && hosts.classify(host, replicas) != Locality.SAME_VM) {
      found = Locality.SAME_HOST; // named as a sibling
    }
    if (found != Locality.UNKNOWN || named.isEmpty()) {
      return new PlacedTask(task, replicas, found, false);
    }
    Locality told = asMasterSaw(task.successful(), masters);
    return new PlacedTask(task, replicas, told, told != Locality.UNKNOWN);
  }

  /** The master knew the racks of all replicas; of the task's host its rack is in the history. */
  private static Locality asMasterSaw(Attempt attempt, HostMap masters) {
    boolean groups = masters.physicalHost(attempt.host()) != null;
    boolean racks = masters.rack(attempt.host()) != null;
    if (attempt.yarnLocality().equals("RACK_LOCAL") && (groups || racks)) {
      return groups ? Locality.SAME_HOST : Locality.SAME_RACK;
    }
    // with node groups for racks, off-switch may still be the same real rack
    boolean off = attempt.yarnLocality().equals("OFF_SWITCH") && racks && !groups;
    return off ? Locality.OFF_RACK : Locality.UNKNOWN;
  }

  MapTask task() {
    return task;
  }

  Attempt attempt() {
    return task.successful();
  }

  /** The hosts that have a replica. */
  List<String> replicas() {
    return replicas;
  }

  Locality locality() {
    return locality;
  }

  /** Whether only the application master's own word tells where it ran. */
  boolean toldByMaster() {
    return toldByMaster;
  }

  /** Whether it is known that it ran on no physical host that has a replica. */
  boolean away() {
    return locality == Locality.SAME_RACK || locality == Locality.OFF_RACK;
  }
}
