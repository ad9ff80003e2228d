package io.evenkeel.cli.core.topology;

import io.evenkeel.cli.core.topology.TopologyFinding.Kind;
import io.evenkeel.cli.core.topology.TopologyFinding.Severity;
import io.evenkeel.placement.core.mapping.OwnGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds what is wrong with a topology. Not thread-safe; one object checks one topology. */
public final class TopologyCheck {
  /** Above this ratio of the largest to the smallest, inequality is more than a detail. */
  private static final double MUCH = 2;

  /**
   * Forced load of a DataNode over the mean, by the other host of its rack, that deserves a
   * warning.
   */
  private static final double FORCED = 1.02;

  private static final int EXAMPLES = 3;

  private final Topology topology;
  private final List<TopologyFinding> findings = new ArrayList<>();
  private final Map<String, Double> weightOfHost = new TreeMap<>();
  private final Map<String, Double> weightOfRack = new TreeMap<>();
  private final Map<String, String> rackOfHost = new TreeMap<>();

  private TopologyCheck(Topology topology) {
    this.topology = topology;
    for (TopologyNode node : topology.serving()) {
      weightOfHost.merge(topology.host(node), node.weight(), Double::sum);
      weightOfRack.merge(topology.rack(node), node.weight(), Double::sum);
      rackOfHost.put(topology.host(node), topology.rack(node));
    }
  }

  /**
   * Checks a topology.
   *
   * @param replicas of the files it will hold
   * @param schemas erasure coding schemas
   * @param schemasUsed whether files of these schemas exist; else one that would break is told only
   * @param policy in force; null where it is not known
   */
  public static List<TopologyFinding> of(
      Topology topology,
      int replicas,
      List<StripedSchema> schemas,
      boolean schemasUsed,
      PolicyInForce policy) {
    TopologyCheck check = new TopologyCheck(topology);
    check.policy(policy);
    check.mapping();
    check.enough(replicas);
    for (StripedSchema schema : schemas) {
      check.striped(schema, schemasUsed ? Severity.ERROR : Severity.INFO);
    }
    check.equal();
    check.outOfService();
    return Collections.unmodifiableList(check.findings);
  }

  private void add(Kind kind, Severity severity, String format, Object... arguments) {
    findings.add(
        new TopologyFinding(kind, severity, String.format(Locale.ROOT, format, arguments)));
  }

  private void policy(PolicyInForce policy) {
    Map<String, Integer> nodes = new TreeMap<>();
    topology.serving().forEach(node -> nodes.merge(topology.host(node), 1, Integer::sum));
    long several = nodes.values().stream().filter(count -> count > 1).count();
    if (policy != null && !policy.knowsHosts() && several > 0) {
      add(
          Kind.POLICY,
          Severity.ERROR,
          "%d of %d hosts have several DataNodes, and the policy in force, %s, does not keep"
              + " replicas apart by host: blocks share hosts",
          several,
          nodes.size(),
          policy.name());
    }
  }

  private void mapping() {
    List<String> unmapped = new ArrayList<>();
    List<String> odd = new ArrayList<>();
    Map<String, Set<String>> placesOfHost = new TreeMap<>();
    Map<String, Set<String>> racksOfGroup = new TreeMap<>();
    for (TopologyNode node : topology.nodes()) {
      String group = node.path().substring(node.path().lastIndexOf('/') + 1);
      if (isDefault(node.path())) {
        unmapped.add(node.name());
      }
      if (node.depth() != topology.depth()) {
        odd.add(node.name() + " at " + node.path());
      }
      placesOfHost.computeIfAbsent(topology.machine(node), h -> new TreeSet<>()).add(node.path());
      if (topology.hasNodeGroups() && !isDefault(node.path())) {
        racksOfGroup.computeIfAbsent(group, g -> new TreeSet<>()).add(topology.rack(node));
      }
    }
    unmapped(unmapped);
    if (!odd.isEmpty()) {
      add(
          Kind.MIXED_DEPTH,
          Severity.ERROR,
          "%d of %d locations have not %d parts: %s",
          odd.size(),
          topology.nodes().size(),
          topology.depth(),
          some(odd));
    }
    several(Kind.SPLIT_HOST, Severity.ERROR, "host %s is in %d places: %s", placesOfHost);
    several(
        Kind.REPEATED_GROUP,
        Severity.WARNING,
        "node group %s is in %d racks: %s; stock takes them for one",
        racksOfGroup);
  }

  /** Whether the mapping did not know the host, or gave it a group of its own for that. */
  private static boolean isDefault(String path) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    return path.split("/", 3)[1].equals("default-rack")
        || last.equals("default-nodegroup")
        || last.startsWith(OwnGroup.PREFIX);
  }

  private void unmapped(List<String> unmapped) {
    if (unmapped.isEmpty()) {
      return;
    }
    boolean all = unmapped.size() == topology.nodes().size();
    add(
        Kind.UNMAPPED,
        all ? Severity.WARNING : Severity.ERROR,
        all
            ? "no host is known: all %d DataNodes are in the default location or in a group of"
                + " their own"
            : "%d of %d DataNodes are in the default location or in a group of their own"
                + " and may share a host with any other: %s",
        unmapped.size(),
        topology.nodes().size(),
        some(unmapped));
  }

  private void several(
      Kind kind, Severity severity, String format, Map<String, Set<String>> places) {
    int told = 0;
    int more = 0;
    for (Map.Entry<String, Set<String>> entry : places.entrySet()) {
      int count = entry.getValue().size();
      if (count > 1 && told < EXAMPLES) {
        told++;
        add(kind, severity, format, entry.getKey(), count, some(new ArrayList<>(entry.getValue())));
      } else if (count > 1) {
        more++;
      }
    }
    if (more > 0) {
      add(kind, severity, "the same of %d more", more);
    }
  }

  private static String some(List<String> names) {
    List<String> first = names.subList(0, Math.min(EXAMPLES, names.size()));
    return String.join(", ", first) + (first.size() < names.size() ? ", ..." : "");
  }

  private void enough(int replicas) {
    int hosts = weightOfHost.size();
    if (hosts < replicas) {
      add(
          Kind.FEW_HOSTS,
          Severity.ERROR,
          "%d hosts for %d replicas: some share a host, and are lost with it",
          hosts,
          replicas);
    } else if (hosts == replicas) {
      add(
          Kind.NO_SPARE_HOST,
          Severity.WARNING,
          "%d hosts for %d replicas: no host can be retired without replicas sharing one",
          hosts,
          replicas);
    }
    if (weightOfRack.size() == 1 && replicas > 1 && hosts > 0) {
      add(Kind.ONE_RACK, Severity.WARNING, "one rack: its failure takes every replica");
    }
  }

  private void striped(StripedSchema schema, Severity severity) {
    int hosts = weightOfHost.size();
    int most = schema.mostOnOneHost(hosts);
    if (most > schema.parity()) {
      add(
          Kind.EC_HOST_LOSS,
          severity,
          "%s puts %d of %d internal blocks on one of %d hosts, more than its parity of %d:"
              + " one host failure loses the group",
          schema.name(),
          most,
          schema.units(),
          hosts,
          schema.parity());
    }
  }

  private void equal() {
    unequal(Kind.UNEQUAL_RACKS, "racks", weightOfRack);
    unequal(Kind.UNEQUAL_HOSTS, "hosts", weightOfHost);
    String heaviest = null;
    double most = 1;
    int heavy = 0;
    for (Map.Entry<String, Double> host : weightOfHost.entrySet()) {
      double rack = weightOfRack.get(rackOfHost.get(host.getKey()));
      double others = rack - host.getValue();
      if (others > 0 && host.getValue() > others) {
        heavy++;
        // two of three replicas come in pairs, one of each on another host of the rack
        double load = 1.0 / 3 + 2.0 / 3 * rack / (2 * others);
        heaviest = load > most ? host.getKey() : heaviest;
        most = Math.max(most, load);
      }
    }
    if (heavy > 0) {
      add(
          Kind.HEAVY_HOST,
          most > FORCED ? Severity.WARNING : Severity.INFO,
          "%d hosts hold more than half of their rack, so pairs of replicas load the others more"
              + " than their share, up to %.2f times the mean beside %s",
          heavy,
          most,
          heaviest);
    }
  }

  private void unequal(Kind kind, String what, Map<String, Double> weights) {
    if (weights.isEmpty()) {
      return;
    }
    double least = Collections.min(weights.values());
    double most = Collections.max(weights.values());
    // weights by capacity differ a little everywhere
    if (most > FORCED * least) {
      add(
          kind,
          most >= MUCH * least ? Severity.WARNING : Severity.INFO,
          "%s weigh from %s to %s",
          what,
          number(least),
          number(most));
    }
  }

  private static String number(double weight) {
    return weight == Math.rint(weight)
        ? String.valueOf((long) weight)
        : String.format(Locale.ROOT, "%.2f", weight);
  }

  private void outOfService() {
    int out = topology.nodes().size() - topology.serving().size();
    if (out > 0) {
      add(Kind.OUT_OF_SERVICE, Severity.INFO, "%d DataNodes are given no blocks", out);
    }
  }
}
