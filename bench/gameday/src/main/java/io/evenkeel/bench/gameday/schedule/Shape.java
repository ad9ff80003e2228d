package io.evenkeel.bench.gameday.schedule;

import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What schedules are drawn for: a cluster, the length of the load, and which faults there are; and
 * the rules by which stock HDFS survives them without loss. Immutable.
 *
 * @param dataNodes names of the DataNodes of each physical host
 * @param volumes storage types of each DataNode's volumes
 * @param acknowledgements of the load, at least 1
 * @param steps how many faults, at least 1
 * @param kinds those that may be drawn, at least one; with {@link Kind#FAILOVER} there are two
 *     NameNodes
 */
public record Shape(
    Map<String, List<String>> dataNodes,
    List<String> volumes,
    long acknowledgements,
    int steps,
    Set<Kind> kinds) {
  /** So many hosts have to be able to take a replica while others are taken out of service. */
  public static final int TAKING_REPLICAS = 3;

  /** Copies everything. */
  public Shape {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    dataNodes.forEach((host, names) -> copy.put(host, List.copyOf(names)));
    dataNodes = Collections.unmodifiableMap(copy); // in the caller's order
    volumes = List.copyOf(volumes);
    kinds = Set.copyOf(kinds);
    if (steps < 1 || acknowledgements < 1 || kinds.isEmpty() || dataNodes.size() < 2) {
      throw new IllegalArgumentException(
          steps + " of " + kinds + " in " + acknowledgements + " on " + dataNodes);
    }
  }

  /**
   * The physical host that a fault concerns; empty for the NameNode.
   *
   * @throws IllegalArgumentException when there is no such host or DataNode
   */
  public String host(Fault fault) {
    String target = fault.target();
    if (fault.kind().ofNameNode()) {
      if (!target.equals("nn")) {
        throw new IllegalArgumentException(fault + ": the target is nn");
      }
      return "";
    }
    boolean ofHost = fault.kind() == Kind.KILL_HOST;
    for (Map.Entry<String, List<String>> host : dataNodes.entrySet()) {
      if (ofHost ? host.getKey().equals(target) : host.getValue().contains(target)) {
        return host.getKey();
      }
    }
    throw new IllegalArgumentException(
        "no " + (ofHost ? "host" : "DataNode") + " is named '" + target + "'");
  }

  boolean hasTwoNameNodes() {
    return kinds.contains(Kind.FAILOVER);
  }

  /** Whether a fault only asks the NameNode to take a DataNode out of service. */
  static boolean orderly(Kind kind) {
    return kind == Kind.DECOMMISSION || kind == Kind.MAINTENANCE;
  }

  /**
   * Whether a DataNode can have it beside another fault: the process stays or comes as it would.
   */
  private static boolean beside(Kind kind) {
    return kind == Kind.SLOW_VOLUME || kind == Kind.FULL_VOLUME;
  }

  /**
   * What is against the rules, one sentence each.
   *
   * <ul>
   *   <li>Faults are on one physical host at a time.
   *   <li>Decommissioning and maintenance may be beside them, as long as three hosts are left that
   *       can take replicas.
   *   <li>A DataNode has one fault at a time, besides slow and full volumes, and is taken out of
   *       service in one way.
   *   <li>The NameNode's fault is alone.
   * </ul>
   *
   * <p>Where one step ends at the event at which another begins, both last.
   */
  public List<String> violations(List<Step> steps) {
    Set<String> violations = new LinkedHashSet<>();
    for (Step step : steps) {
      // Whatever lasts at one time lasts together where one of them begins.
      List<Fault> lasting =
          steps.stream()
              .filter(other -> other.begin() <= step.begin() && step.begin() <= other.end())
              .map(Step::fault)
              .toList();
      together(lasting).forEach(violation -> violations.add(step.begin() + ": " + violation));
    }
    return List.copyOf(violations);
  }

  private List<String> together(List<Fault> lasting) {
    List<String> violations = new ArrayList<>();
    Set<String> failing = new TreeSet<>();
    Set<String> away = new TreeSet<>();
    Set<String> taken = new TreeSet<>();
    for (Fault fault : lasting) {
      String host = host(fault);
      if (host.isEmpty()) {
        if (lasting.size() > 1) {
          violations.add("the NameNode's fault is not alone");
        }
        continue;
      }
      away.add(host);
      if (!orderly(fault.kind())) {
        failing.add(host);
      }
      String place =
          beside(fault.kind()) ? fault.toString() : orderly(fault.kind()) ? " out of service" : "";
      List<String> names =
          fault.kind() == Kind.KILL_HOST ? dataNodes.get(host) : List.of(fault.target());
      for (String name : names) {
        if (!taken.add(name + place)) {
          violations.add("two faults on " + name);
        }
      }
    }
    if (failing.size() > 1) {
      violations.add("faults on " + failing);
    }
    boolean orderly = lasting.stream().anyMatch(fault -> orderly(fault.kind()));
    if (orderly && dataNodes.size() - away.size() < TAKING_REPLICAS) {
      violations.add("too few hosts without " + away);
    }
    return violations;
  }
}
