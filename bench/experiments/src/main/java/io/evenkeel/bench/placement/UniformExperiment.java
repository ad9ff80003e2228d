package io.evenkeel.bench.placement;

import static io.evenkeel.bench.placement.ScenarioRuns.What.BROKEN;
import static io.evenkeel.bench.placement.ScenarioRuns.What.IN_FLIGHT;
import static io.evenkeel.bench.placement.ScenarioRuns.What.IN_FLIGHT_P99;
import static io.evenkeel.bench.placement.ScenarioRuns.What.PER_DISK;
import static io.evenkeel.bench.placement.ScenarioRuns.What.SCATTER;
import static io.evenkeel.bench.placement.ScenarioRuns.What.TOTAL;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.PlacementScenario.Order;
import io.evenkeel.bench.sim.placement.PlacementScenario.Writers;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.bench.sim.placement.Shape.Disks;
import java.util.ArrayList;
import java.util.List;

/** How evenly replicas and blocks in flight are spread while nothing changes. */
public final class UniformExperiment implements Experiment {
  private static final int BLOCKS = 112_000;
  private static final int QUICK_BLOCKS = 25_000;

  @Override
  public String name() {
    return "placement.uniform";
  }

  @Override
  public String description() {
    return "replicas and blocks in flight per DataNode, real policies on 126 to 10,000 DataNodes";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    Load load = Load.of(settings.quick() ? QUICK_BLOCKS : BLOCKS);
    for (PlacementScenario s : equalDisks(load)) {
      rows.addAll(equal(s, PolicyPair.NODE_GROUPS, settings));
    }
    for (PlacementScenario s : otherDisks(load)) {
      ScenarioRuns found = ScenarioRuns.run(s, PolicyPair.NODE_GROUPS, settings);
      rows.addAll(found.of(PER_DISK, IN_FLIGHT, BROKEN));
    }
    PlacementScenario plain = PlacementScenario.of("636 DNs, plain racks", large(), load);
    rows.addAll(equal(plain, PolicyPair.PLAIN_RACKS, settings));
    return rows;
  }

  private static List<Comparison> equal(
      PlacementScenario scenario, PolicyPair pair, RunSettings settings) throws Exception {
    return ScenarioRuns.run(scenario, pair, settings)
        .of(TOTAL, IN_FLIGHT, IN_FLIGHT_P99, SCATTER, BROKEN);
  }

  /** 32 hosts of 20 DataNodes on 16 racks; four hosts run a master instead of a DataNode. */
  static Shape large() {
    return Shape.of(16, 2, 20).drop(4);
  }

  /** The same hosts with four DataNodes each. */
  static Shape small() {
    return Shape.of(16, 2, 4).drop(2);
  }

  static List<PlacementScenario> equalDisks(Load load) {
    Load random = load.in(Order.RANDOM);
    Load outside = load.by(Writers.OFF_CLUSTER);
    Shape unequal = Shape.unequal(16, List.of(1, 2, 3, 4), 4);
    return List.of(
        PlacementScenario.of("636 DNs", large(), load),
        PlacementScenario.of("126 DNs", small(), load),
        PlacementScenario.of("636 DNs, random order", large(), random),
        PlacementScenario.of("636 DNs, writers outside", large(), outside),
        PlacementScenario.of("636 DNs, load known", large(), load)
            .with(PlacementScenario.Change.reporting(1)),
        PlacementScenario.of("10,000 DNs", Shape.of(125, 20, 4), Load.of(60_000)),
        PlacementScenario.of("racks of 1,2,3,4 hosts", unequal, Load.of(30_000)),
        PlacementScenario.of(
            "4 replicas on 4 racks", Shape.of(4, 10, 1), Load.of(5_000).replicas(4)));
  }

  static List<PlacementScenario> otherDisks(Load load) {
    List<Integer> twoAndThree = List.of(2, 3);
    Shape wide = Shape.of(4, 8, 20).drop(4);
    return List.of(
        PlacementScenario.of(
            "disks 2:3 by host, 8 per rack", wide.with(new Disks(twoAndThree, false, 0)), load),
        PlacementScenario.of(
            "disks 2:3 in a host, 8 per rack", wide.with(new Disks(twoAndThree, true, 0)), load),
        PlacementScenario.of(
            "disks 2:3 by host, 2 per rack", large().with(new Disks(twoAndThree, false, 0)), load));
  }
}
