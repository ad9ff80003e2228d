package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.TextTable;
import io.evenkeel.placement.core.sim.Outcome;
import io.evenkeel.placement.core.sim.Policy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one policy did in a simulation. Immutable. */
public final class PolicyOutcome {
  private static final String[] HEADING = {
    "POLICY",
    "MIN",
    "MEAN",
    "MAX",
    "MAX/MEAN",
    "IN FLIGHT",
    "P99",
    "SCATTER",
    "SHARED HOST",
    "ONE RACK",
    "SHORT"
  };

  private final Policy policy;
  private final Outcome outcome;
  private final long[] blocks;

  /** Creates it. */
  public PolicyOutcome(Policy policy, Outcome outcome) {
    this.policy = policy;
    this.outcome = outcome;
    this.blocks = outcome.blocksPerNode();
  }

  Policy policy() {
    return policy;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Blocks on each DataNode. */
  long[] blocks() {
    return blocks;
  }

  private long least() {
    return Arrays.stream(blocks).min().orElse(0);
  }

  private double mean() {
    return Arrays.stream(blocks).average().orElse(0);
  }

  private long most() {
    return Arrays.stream(blocks).max().orElse(0);
  }

  /** Appends a table with one row for each. */
  static void append(StringBuilder text, List<PolicyOutcome> outcomes) {
    TextTable table = new TextTable(HEADING);
    for (int column = 1; column < HEADING.length; column++) {
      table.alignRight(column);
    }
    outcomes.forEach(one -> table.add(one.cells()));
    table.appendTo(text);
  }

  /** Headings of {@link #cells}. */
  static String[] heading() {
    return HEADING.clone();
  }

  /** The figures as text. */
  String[] cells() {
    return new String[] {
      policy.label(),
      Numbers.count(least()),
      Numbers.decimals(mean(), 1),
      Numbers.count(most()),
      Numbers.decimals(outcome.maxOverMean(), 3),
      Numbers.decimals(outcome.inFlightMaxOverMean(), 2),
      Numbers.decimals(outcome.inFlightP99(), 2),
      Numbers.decimals(outcome.scatterWidth(), 0),
      Numbers.count(outcome.sharedHost()),
      Numbers.count(outcome.oneRack()),
      Numbers.count(outcome.missing())
    };
  }

  /** The figures under their documented names. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("policy", policy.label());
    json.put("min", least());
    json.put("mean", Numbers.json(mean()));
    json.put("max", most());
    json.put("maxOverMean", Numbers.json(outcome.maxOverMean()));
    json.put("inFlightMaxOverMean", Numbers.json(outcome.inFlightMaxOverMean()));
    json.put("inFlightP99", Numbers.json(outcome.inFlightP99()));
    json.put("scatterWidth", Numbers.json(outcome.scatterWidth()));
    json.put("sharedHost", outcome.sharedHost());
    json.put("oneRack", outcome.oneRack());
    json.put("short", outcome.missing());
    return json;
  }
}
