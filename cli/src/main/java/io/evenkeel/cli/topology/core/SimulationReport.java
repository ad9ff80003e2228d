package io.evenkeel.cli.topology.core;

import io.evenkeel.placement.core.ClusterView;
import io.evenkeel.placement.core.sim.Histogram;
import io.evenkeel.placement.core.sim.Outcome;
import io.evenkeel.placement.core.sim.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What policies did to a cluster. Not thread-safe. */
public final class SimulationReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  public static final String SCHEMA = "evenkeel.simulate/1";

  private final String cluster;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final List<PolicyOutcome> outcomes = new ArrayList<>();

  /** A report on a cluster, described in words. */
  public SimulationReport(String source, ClusterView view) {
    cluster =
        source
            + ": "
            + Numbers.count(view.nodes(), "DataNode", "DataNodes")
            + " on "
            + Numbers.count(view.hosts(), "host", "hosts")
            + " in "
            + Numbers.count(view.racks(), "rack", "racks");
    settings.put("source", source);
    settings.put("dataNodes", view.nodes());
    settings.put("hosts", view.hosts());
    settings.put("racks", view.racks());
  }

  /** Adds what was asked for, under its documented name. */
  public SimulationReport with(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** Adds what a policy did. */
  public SimulationReport add(Policy policy, Outcome outcome) {
    outcomes.add(new PolicyOutcome(policy, outcome));
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
        "%s blocks, replication %s, writers %s, blocks completing %s, seed %s",
        Numbers.count(((Number) settings.get("blocks")).doubleValue()),
        settings.get("replication"),
        "local".equals(settings.get("writers")) ? "on DataNodes" : "outside",
        "turn".equals(settings.get("order")) ? "in turn" : "in random order",
        settings.get("seed"));
  }

  /** Lines, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder(cluster).append('\n').append(load()).append("\n\n");
    PolicyOutcome.append(text, outcomes);
    return text.toString();
  }

  /** Maps, lists and plain values in the documented order. */
  public Map<String, Object> json(String toolVersion) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("evenkeel", toolVersion);
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
