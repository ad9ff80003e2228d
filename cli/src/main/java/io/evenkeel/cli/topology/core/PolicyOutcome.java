package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.common.cli.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one policy did in a simulation: the figures under their documented names. Immutable. */
final class PolicyOutcome {
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

  private final Map<?, ?> figures;

  /** Takes one policy's part of the answer. */
  PolicyOutcome(Map<?, ?> figures) {
    this.figures = figures;
  }

  String policy() {
    return (String) figures.get("policy");
  }

  /** Blocks on each DataNode. */
  long[] blocks() {
    List<?> blocks = (List<?>) figures.get("blocks");
    return blocks.stream().mapToLong(n -> ((Number) n).longValue()).toArray();
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

  private double figure(String name) {
    Object figure = figures.get(name);
    return figure == null ? Double.NaN : ((Number) figure).doubleValue();
  }

  /** The figures as text. */
  String[] cells() {
    return new String[] {
      policy(),
      Figures.count(figure("min")),
      Figures.decimals(figure("mean"), 1),
      Figures.count(figure("max")),
      Figures.decimals(figure("maxOverMean"), 3),
      Figures.decimals(figure("inFlightMaxOverMean"), 2),
      Figures.decimals(figure("inFlightP99"), 2),
      Figures.decimals(figure("scatterWidth"), 0),
      Figures.count(figure("sharedHost")),
      Figures.count(figure("oneRack")),
      Figures.count(figure("short"))
    };
  }

  /** The same for JSON, without the blocks of each DataNode. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    figures.forEach(
        (name, figure) ->
            json.put(
                String.valueOf(name),
                figure instanceof Double ? Figures.json((Double) figure) : figure));
    json.remove("blocks");
    return json;
  }
}
