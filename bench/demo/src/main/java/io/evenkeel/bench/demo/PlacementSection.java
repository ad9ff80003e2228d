package io.evenkeel.bench.demo;

import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The section "placement": hundreds of writers on hundreds of DataNodes, with each of stock's
 * policies and with ours. The policies and topologies are the real ones; the DataNodes are only
 * descriptors in memory. Confined to one thread.
 */
final class PlacementSection extends DemoSection<PlacementResult> {
  private static final Shape SHAPE = Shape.of(16, 2, 20).drop(4);

  /** Reports of each DataNode in the time of a block. */
  private static final int REPORTS = 10;

  private static final int HEARTBEAT_SECONDS = 3;
  private static final long SEED = 7122;

  /** As often found, least doubled and in flight, most even: what one pass needs of stock. */
  private static final List<String> AT_ITS_BEST =
      List.of(
          "default",
          "WithNodeGroup, load factor 1.2",
          "AvailableSpace, tuned, load factor 1.2",
          "AvailableSpaceRackFaultTolerant, tuned, load factor 1.2");

  private final int blocks;
  private final Map<Arm, Candidate> candidates = new LinkedHashMap<>();
  private final Map<Arm, List<PlacementResult>> measured = new LinkedHashMap<>();

  /** Writes so many blocks on each arm. */
  PlacementSection(int blocks, Progress progress) {
    super("placement", "Even placement under many writers", progress);
    this.blocks = blocks;
    Candidate.stockPolicies()
        .forEach((name, policy) -> candidates.put(Arm.stock(name, keys(policy)), policy));
    candidates.put(
        Arm.evenkeel("Evenkeel", keys(Candidate.OURS_NODE_GROUPS)), Candidate.OURS_NODE_GROUPS);
  }

  private static Map<String, String> keys(Candidate candidate) {
    Map<String, String> keys = new LinkedHashMap<>(candidate.keys());
    for (String key : HostsSection.PLACEMENT_KEYS) {
      String value = candidate.conf().getRaw(key);
      if (value != null) {
        keys.put(key, value);
      }
    }
    return keys;
  }

  @Override
  List<Arm> arms(boolean every) {
    List<Arm> arms = new ArrayList<>();
    for (String name : AT_ITS_BEST) {
      candidates.keySet().stream().filter(arm -> arm.name().equals(name)).forEach(arms::add);
    }
    for (Arm arm : candidates.keySet()) {
      if (!arms.contains(arm) && (every || arm.evenkeel())) {
        arms.add(arm);
      }
    }
    return arms;
  }

  @Override
  Map<String, String> sharedKeys() {
    return Map.of();
  }

  @Override
  PlacementResult measure(Arm arm, Passes passes, int pass) throws ClassNotFoundException {
    update(arm, "writing " + blocks + " blocks");
    PlacementScenario scenario =
        PlacementScenario.of("demo", SHAPE, Load.of(blocks)).with(Change.reporting(REPORTS));
    PlacementResult result = PlacementRun.run(scenario, candidates.get(arm), SEED + pass);
    measured.computeIfAbsent(arm, a -> new ArrayList<>()).add(result);
    String text = "fullest DataNode %.3f times the mean, %d of %d blocks twice on a host";
    done(
        arm,
        String.format(
            Locale.ROOT,
            text,
            result.replicas().mostOverMean(),
            result.violations().sameHost(),
            blocks));
    return result;
  }

  @Override
  String summary() {
    return String.format(
        Locale.ROOT,
        "%d DataNodes on %d hosts in %d racks, one writer on each, %,d blocks of three replicas."
            + " The policies and the topology are the real classes, the DataNodes exist in memory"
            + " only and report load and space %d times in the time of a block, as if one took"
            + " %d s. A block is in flight until its writer begins the next.",
        SHAPE.size(),
        SHAPE.hosts(),
        SHAPE.racks(),
        blocks,
        REPORTS,
        REPORTS * HEARTBEAT_SECONDS);
  }

  @Override
  String finding(
      PlacementResult often, Arm bestArm, PlacementResult best, PlacementResult evenkeel) {
    List<Arm> arms = List.copyOf(measured.keySet()); // by the first pass: in their order
    Arm even =
        arms.stream()
            .filter(arm -> !arm.evenkeel())
            .min(Comparator.comparingDouble(this::fullest))
            .orElseThrow();
    return String.format(
        Locale.ROOT,
        "Of %d DataNodes the busiest had %.1f times the mean of the blocks in flight with stock's"
            + " default policy, %.2f with the best of its policies (%s) and %.2f with Evenkeel; the"
            + " fullest got %.2f times the mean of all blocks with the default, %.3f with stock's"
            + " most even policy (%s) and %.3f with Evenkeel.",
        SHAPE.size(),
        often.inFlight().mean(),
        best.inFlight().mean(),
        bestArm.name(),
        evenkeel.inFlight().mean(),
        fullest(arms.get(0)),
        fullest(even),
        even.name(),
        fullest(arms.get(arms.size() - 1)));
  }

  /** In the pass that is in the middle by it. */
  private double fullest(Arm arm) {
    ToDoubleFunction<PlacementResult> value = result -> result.replicas().mostOverMean();
    return value.applyAsDouble(middle(measured.get(arm), value));
  }

  @Override
  List<Measure<PlacementResult>> measures() {
    return List.of(
        Measure.<PlacementResult>of(
                "Busiest DataNode over the mean, in flight",
                "ratio",
                "less",
                r -> r.inFlight().mean())
            .decided(),
        Measure.<PlacementResult>of(
                "Fullest DataNode over the mean", "ratio", "less", r -> r.replicas().mostOverMean())
            .decided(),
        Measure.<PlacementResult>of(
                "Blocks with two replicas on one host", "", "less", r -> r.violations().sameHost())
            .decided(),
        Measure.<PlacementResult>of(
                "Blocks with all replicas on one rack", "", "less", r -> r.violations().oneRack())
            .decided(),
        Measure.<PlacementResult>of(
                "Blocks with too few replicas", "", "less", r -> r.violations().tooFew())
            .decided(),
        Measure.of(
            "DataNodes that share a block with a given one, mean",
            "",
            "neither",
            PlacementResult::scatterWidth));
  }

  @Override
  List<Plot<PlacementResult>> plots() {
    double[] ranks = IntStream.rangeClosed(1, SHAPE.size()).asDoubleStream().toArray();
    return List.of(
        new Plot<>(
            "Blocks in flight on each DataNode at the end, the busiest first.",
            "A flat line is even: each pipeline shares its DataNodes with as many others.",
            "",
            "",
            List.of(),
            ranks,
            r -> falling(r.inFlightAtEnd().stream().mapToDouble(n -> n).toArray())),
        new Plot<>(
            "Blocks on each DataNode, the fullest first.",
            "A flat line is even: no DataNode fills, or wears out its disks, before the others.",
            "",
            "",
            List.of(),
            ranks,
            r -> falling(r.each().stream().mapToDouble(n -> n).toArray())));
  }

  private static double[] falling(double[] values) {
    return IntStream.range(0, values.length)
        .mapToDouble(i -> -values[i])
        .sorted()
        .map(value -> -value)
        .toArray();
  }

  @Override
  List<String> commands() {
    return List.of(
        "./evenkeel demo --only placement", "./evenkeel bench --only placement.policies");
  }
}
