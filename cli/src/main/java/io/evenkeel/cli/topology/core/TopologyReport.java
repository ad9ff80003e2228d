package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.topology.PolicyInForce;
import io.evenkeel.cli.core.topology.StripedSchema;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyCheck;
import io.evenkeel.cli.core.topology.TopologyFinding;
import io.evenkeel.cli.core.topology.TopologyFinding.Severity;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is found in a topology. Pure, and so apart from the command, which reads. Not thread-safe.
 */
public final class TopologyReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.topology/2";

  private final String source;
  private final Topology topology;
  private final List<TopologyFinding> findings = new ArrayList<>();
  private int replication;
  private Severity failOn = Severity.WARNING;

  /** A report on a topology that came from somewhere. */
  public TopologyReport(String source, Topology topology) {
    this.source = source;
    this.topology = topology;
  }

  /** Looks for findings; see {@link TopologyCheck#of}. */
  public TopologyReport check(
      int replicas, List<StripedSchema> schemas, boolean schemasUsed, PolicyInForce policy) {
    replication = replicas;
    findings.addAll(TopologyCheck.of(topology, replicas, schemas, schemasUsed, policy));
    findings.sort((a, b) -> b.severity().compareTo(a.severity()));
    return this;
  }

  /** From which severity on a finding decides the exit code. */
  public TopologyReport failOn(Severity severity) {
    failOn = severity;
    return this;
  }

  /** What the command ends with. */
  public ExitCode exitCode() {
    if (topology.nodes().isEmpty()) {
      return ExitCode.NOTHING_TO_DO;
    }
    boolean bad = findings.stream().anyMatch(f -> f.severity().compareTo(failOn) >= 0);
    return bad ? ExitCode.FINDING : ExitCode.OK;
  }

  /** Lines, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder("Topology: ").append(source).append('\n');
    if (topology.nodes().isEmpty()) {
      return text.append("No DataNode.\n").toString();
    }
    text.append(Figures.count(topology.nodes().size(), "DataNode", "DataNodes"));
    text.append(" on ").append(Figures.count(topology.hosts().size(), "host", "hosts"));
    text.append(" in ").append(Figures.count(topology.racks().size(), "rack", "racks"));
    text.append(topology.hasNodeGroups() ? "; a node group is a host\n" : "; no node groups\n");
    text.append('\n');
    for (TopologyFinding finding : findings) {
      text.append("Finding (").append(finding.severity().label()).append(", ");
      text.append(finding.kind().label()).append("): ").append(finding.message()).append('\n');
    }
    return text.append(findings.isEmpty() ? "No findings.\n" : "").toString();
  }

  /** Maps, lists and plain values in the documented order. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode());
    json.put("source", source);
    json.put("nodeGroups", topology.hasNodeGroups());
    json.put("racks", topology.racks().size());
    json.put("hosts", topology.hosts().size());
    json.put("replication", replication);
    List<Object> found = new ArrayList<>();
    for (TopologyFinding finding : findings) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("severity", finding.severity().label());
      item.put("kind", finding.kind().label());
      item.put("message", finding.message());
      found.add(item);
    }
    json.put("findings", found);
    List<Object> nodes = new ArrayList<>();
    topology.nodes().forEach(node -> nodes.add(node(node)));
    json.put("dataNodes", nodes);
    return json;
  }

  private Map<String, Object> node(TopologyNode node) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", node.name());
    json.put("address", node.address());
    json.put("location", node.path());
    json.put("rack", topology.rack(node));
    json.put("host", topology.host(node));
    json.put("weight", node.weight());
    json.put("types", new ArrayList<>(node.types()));
    json.put("inService", node.inService());
    return json;
  }
}
