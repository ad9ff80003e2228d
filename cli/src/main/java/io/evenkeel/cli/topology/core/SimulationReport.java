package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What policies did to a cluster. Not thread-safe. */
public final class SimulationReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.simulate/1";

  private final String cluster;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final List<Object> places = new ArrayList<>();
  private final List<PolicyOutcome> outcomes = new ArrayList<>();

  /** A report on the DataNodes of a topology that have a disk. */
  public SimulationReport(String source, Topology topology) {
    Set<String> hosts = new HashSet<>();
    Set<String> racks = new HashSet<>();
    for (TopologyNode node : topology.withDisk()) {
      Map<String, Object> place = new LinkedHashMap<>();
      place.put("rack", topology.rack(node));
      place.put("host", topology.host(node));
      place.put("weight", node.weight());
      places.add(place);
      hosts.add(topology.host(node));
      racks.add(topology.rack(node));
    }
    cluster =
        source
            + ": "
            + Figures.count(places.size(), "DataNode", "DataNodes")
            + " on "
            + Figures.count(hosts.size(), "host", "hosts")
            + " in "
            + Figures.count(racks.size(), "rack", "racks");
    settings.put("source", source);
    settings.put("dataNodes", places.size());
    settings.put("hosts", hosts.size());
    settings.put("racks", racks.size());
  }

  /** Adds what was asked for, under its documented name. */
  public SimulationReport with(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** The same as a request to the simulation, JSON. */
  public String request(Collection<String> policies) {
    Map<String, Object> request = new LinkedHashMap<>(settings);
    request.put("policies", policies);
    request.put("places", places);
    return Json.compact(request);
  }

  /** Adds the answer of the simulation, a list of what each policy did. */
  public SimulationReport answer(String json) {
    ((List<?>) Json.parse(json)).forEach(one -> outcomes.add(new PolicyOutcome((Map<?, ?>) one)));
    return this;
  }

  List<PolicyOutcome> outcomes() {
    return Collections.unmodifiableList(outcomes);
  }

  Histogram histogram() {
    List<long[]> blocks = new ArrayList<>();
    outcomes.forEach(one -> blocks.add(one.blocks()));
    return new Histogram(blocks);
  }

  /** The cluster in words. */
  String cluster() {
    return cluster;
  }

  /** The load in words. */
  String load() {
    return String.format(
        "%s blocks, replication %s, writers %s, blocks completing %s, Hadoop %s",
        Figures.count((Number) settings.get("blocks")),
        settings.get("replication"),
        "local".equals(settings.get("writers")) ? "on DataNodes" : "outside",
        "turn".equals(settings.get("order"))
            ? "in turn"
            : "in random order of seed " + settings.get("seed"),
        settings.get("hadoop"));
  }

  /** Lines, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder(cluster).append('\n').append(load()).append("\n\n");
    PolicyOutcome.append(text, outcomes);
    return text.toString();
  }

  /** Maps, lists and plain values in the documented order. */
  public Map<String, Object> json(ExitCode exitCode) {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode);
    json.putAll(settings);
    Histogram histogram = histogram();
    List<Object> policies = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      Map<String, Object> one = outcomes.get(i).json();
      List<Object> bins = new ArrayList<>();
      for (int bin = 0; bin < histogram.bins(); bin++) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("from", histogram.from(bin));
        item.put("to", histogram.to(bin));
        item.put("dataNodes", histogram.count(i, bin));
        bins.add(item);
      }
      one.put("histogram", bins);
      policies.add(one);
    }
    json.put("policies", policies);
    return json;
  }
}
