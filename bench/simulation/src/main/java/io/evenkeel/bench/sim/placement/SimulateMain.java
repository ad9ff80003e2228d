package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.PlacementScenario.Order;
import io.evenkeel.bench.sim.placement.PlacementScenario.Writers;
import io.evenkeel.bench.sim.placement.Shape.Place;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/**
 * Runs what {@code evenkeel simulate} asks for on the Hadoop of this JVM's class path: the request
 * is JSON on standard input, the answer JSON on standard output, or why there is none. Stateless.
 */
final class SimulateMain {
  private static final Map<String, Candidate> POLICIES =
      Map.of(
          "stock-default", Candidate.STOCK_PLAIN,
          "stock-nodegroup", Candidate.STOCK_NODE_GROUPS,
          "uniform", Candidate.OURS_NODE_GROUPS);

  private SimulateMain() {}

  /** Answers one request and ends this JVM. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    System.setOut(System.err); // nothing but the answer belongs there
    ExitCode code = ExitCode.COULD_NOT_RUN;
    String answer = "cannot simulate on Hadoop " + VersionInfo.getVersion();
    try {
      String request = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
      if (Releases.runHere()) {
        answer = answer(request);
        code = ExitCode.OK;
      }
    } catch (Exception | LinkageError | OutOfMemoryError e) { // a class this Hadoop does not have
      answer += ": " + e;
    }
    out.print(answer);
    out.flush();
    System.exit(code.code());
  }

  /**
   * Runs all policies of a request.
   *
   * @return for each its figures under their documented names and the blocks of each DataNode
   * @throws ClassNotFoundException when a policy is not on the class path
   */
  static String answer(String json) throws ClassNotFoundException {
    Map<?, ?> request = (Map<?, ?>) Json.parse(json);
    Load load =
        Load.of(number(request, "blocks").intValue())
            .replicas(number(request, "replication").intValue())
            .by("local".equals(request.get("writers")) ? Writers.LOCAL : Writers.OFF_CLUSTER)
            .in("turn".equals(request.get("order")) ? Order.ROUND_ROBIN : Order.RANDOM);
    List<Place> places = places((List<?>) request.get("places"));
    PlacementScenario scenario = new PlacementScenario("simulate", places, load, Change.NONE);
    List<Object> answer = new ArrayList<>();
    for (Object policy : (List<?>) request.get("policies")) {
      System.err.println("evenkeel: simulating " + policy);
      long seed = number(request, "seed").longValue();
      answer.add(figures(policy, PlacementRun.run(scenario, POLICIES.get(policy), seed)));
    }
    return Json.compact(answer);
  }

  private static Number number(Map<?, ?> json, String name) {
    return (Number) json.get(name);
  }

  /**
   * The DataNodes of a request, with a disk each. Weights are those relative to the lightest: our
   * policy refuses very small ones.
   */
  static List<Place> places(List<?> dataNodes) {
    double least = Double.POSITIVE_INFINITY;
    for (Object dataNode : dataNodes) {
      least = Math.min(least, number((Map<?, ?>) dataNode, "weight").doubleValue());
    }
    Map<Object, Integer> racks = new HashMap<>();
    Map<Object, Integer> hosts = new HashMap<>();
    Map<Object, Integer> slots = new HashMap<>();
    List<Place> places = new ArrayList<>();
    for (Object dataNode : dataNodes) {
      Map<?, ?> one = (Map<?, ?>) dataNode;
      int rack = racks.computeIfAbsent(one.get("rack"), r -> racks.size());
      int host = hosts.computeIfAbsent(one.get("host"), h -> hosts.size());
      int slot = slots.merge(one.get("host"), 1, Integer::sum) - 1;
      double weight = number(one, "weight").doubleValue() / least;
      places.add(new Place(places.size(), rack, host, slot, weight, 1, false, false));
    }
    return places;
  }

  private static Map<String, Object> figures(Object policy, PlacementResult result) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("policy", policy);
    figures.put("min", result.replicas().least());
    figures.put("mean", result.replicas().mean());
    figures.put("max", result.replicas().most());
    figures.put("maxOverMean", known(result.perWeight()));
    figures.put("inFlightMaxOverMean", known(result.inFlight().mean()));
    figures.put("inFlightP99", known(result.inFlight().p99()));
    figures.put("scatterWidth", result.scatterWidth());
    figures.put("sharedHost", result.violations().sameHost());
    figures.put("oneRack", result.violations().oneRack());
    figures.put("short", result.violations().tooFew());
    figures.put("blocks", result.each());
    return figures;
  }

  /** JSON has no not-a-number. */
  private static Double known(double figure) {
    return Double.isFinite(figure) ? figure : null;
  }
}
