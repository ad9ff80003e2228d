package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.common.cli.TextTable;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Where each placement policy would put new blocks on the layout of this cluster, as the simulator
 * answers. Immutable.
 */
public final class PlacementForecast {
  private static final String OURS = "uniform";

  private final long blocks;
  private final List<Map<?, ?>> policies;

  private PlacementForecast(long blocks, List<Map<?, ?>> policies) {
    this.blocks = blocks;
    this.policies = policies;
  }

  /**
   * Reads it.
   *
   * @param blocks that were written
   * @param json answer of the simulator: a list of what each policy did
   */
  public static PlacementForecast of(long blocks, String json) {
    List<Map<?, ?>> policies = new ArrayList<>();
    ((List<?>) Json.parse(json)).forEach(each -> policies.add((Map<?, ?>) each));
    return new PlacementForecast(blocks, policies);
  }

  /** A sentence that follows another one: blocks with two replicas on a host. */
  String sharedHosts() {
    return sentence("two replicas of a block on one host", policy -> share(policy, "sharedHost"));
  }

  /** The same of the busiest DataNode. */
  String inFlight() {
    return sentence(
        "blocks in flight of the busiest DataNode, over the mean",
        policy -> Figures.decimals(Reading.number(policy, "inFlightMaxOverMean"), 2));
  }

  private String share(Map<?, ?> policy, String figure) {
    return Figures.decimals(100 * Reading.number(policy, figure) / blocks, 1) + " %";
  }

  private String sentence(String what, Function<Map<?, ?>, String> figure) {
    List<String> stock = new ArrayList<>();
    String ours = "";
    for (Map<?, ?> each : policies) {
      String name = String.valueOf(each.get("policy"));
      if (name.equals(OURS)) {
        ours = figure.apply(each);
      } else {
        stock.add(figure.apply(each) + " with " + name);
      }
    }
    return " Simulated on this layout, "
        + what
        + ": "
        + ours
        + "; "
        + String.join(", ", stock)
        + ".";
  }

  /** Lines, each ended by a line feed. */
  String text() {
    StringBuilder text = new StringBuilder("\nNew blocks, simulated on this layout (");
    text.append(Figures.count(blocks)).append(" blocks of three replicas):\n\n");
    TextTable table =
        new TextTable(
            "POLICY", "TWO ON A HOST", "ONE RACK", "FULLEST/MEAN", "IN FLIGHT, BUSIEST/MEAN");
    for (int column = 1; column <= 4; column++) {
      table.alignRight(column);
    }
    for (Map<?, ?> each : policies) {
      table.add(
          String.valueOf(each.get("policy")),
          share(each, "sharedHost"),
          share(each, "oneRack"),
          Figures.decimals(Reading.number(each, "maxOverMean"), 3),
          Figures.decimals(Reading.number(each, "inFlightMaxOverMean"), 2));
    }
    table.appendTo(text);
    return text.toString();
  }

  /** For programs. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("blocks", blocks);
    List<Object> all = new ArrayList<>();
    for (Map<?, ?> each : policies) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("policy", each.get("policy"));
      one.put("sharedHost", each.get("sharedHost"));
      one.put("oneRack", each.get("oneRack"));
      one.put("maxOverMean", Figures.json(Reading.number(each, "maxOverMean")));
      one.put("inFlightMaxOverMean", Figures.json(Reading.number(each, "inFlightMaxOverMean")));
      all.add(one);
    }
    json.put("policies", all);
    return json;
  }

  /** The names of the policies, ours last. */
  List<String> policies() {
    List<String> names = new ArrayList<>();
    policies.forEach(each -> names.add(String.valueOf(each.get("policy"))));
    return names;
  }

  /** How busy and how full the first in the list is of each policy, over the mean. */
  double[] overMean(String figure) {
    return policies.stream().mapToDouble(each -> Reading.number(each, figure)).toArray();
  }
}
