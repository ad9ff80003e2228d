package io.evenkeel.bench.placement;

import static io.evenkeel.bench.placement.ScenarioRuns.What.BROKEN;
import static io.evenkeel.bench.placement.ScenarioRuns.What.IN_FLIGHT;
import static io.evenkeel.bench.placement.ScenarioRuns.What.IN_FLIGHT_P99;
import static io.evenkeel.bench.placement.ScenarioRuns.What.TOTAL;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.PlacementScenario.Missing;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.ArrayList;
import java.util.List;

/** How evenly replicas and blocks in flight are spread while NameNodes and DataNodes change. */
public final class ChangeExperiment implements Experiment {
  private static final int BLOCKS = 25_000;
  private static final int RESET = 2_500;
  private static final int TENTH = 10;

  @Override
  public String name() {
    return "placement.change";
  }

  @Override
  public String description() {
    return "replicas and blocks in flight while NameNodes restart and DataNodes join or are taken away";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (PlacementScenario s : scenarios()) {
      ScenarioRuns found = ScenarioRuns.run(s, PolicyPair.NODE_GROUPS, settings);
      rows.addAll(found.of(TOTAL, IN_FLIGHT, IN_FLIGHT_P99, BROKEN));
      rows.addAll(found.overStock());
    }
    return rows;
  }

  static List<PlacementScenario> scenarios() {
    Load load = Load.of(BLOCKS);
    Shape large = UniformExperiment.large();
    Shape small = UniformExperiment.small();
    return List.of(
        PlacementScenario.of("636 DNs, no change", large, load),
        PlacementScenario.of("restart every 2,500 blocks", large, load)
            .with(Change.resetEvery(RESET)),
        PlacementScenario.of("two NameNodes", large, load).with(Change.nameNodes(2)),
        PlacementScenario.of("6 DNs of a host join", large, load).with(Change.joining(6)),
        PlacementScenario.of("a host of 20 DNs joins", large, load).with(Change.joining(20)),
        missing("126 DNs, 10 % excluded", small, new Missing(TENTH, false, false)),
        missing("126 DNs, 10 % decommissioning", small, new Missing(TENTH, false, true)),
        missing("636 DNs, 10 % excluded", large, new Missing(TENTH, false, false)),
        missing("636 DNs, 10 % decommissioning", large, new Missing(TENTH, false, true)),
        missing("126 DNs, 10 % drawn, excluded", small, new Missing(TENTH, true, false)),
        missing("126 DNs, 10 % drawn, decommissioning", small, new Missing(TENTH, true, true)),
        missing("636 DNs, 10 % drawn, excluded", large, new Missing(TENTH, true, false)),
        missing("636 DNs, 10 % drawn, decommissioning", large, new Missing(TENTH, true, true)));
  }

  private static PlacementScenario missing(String label, Shape shape, Missing which) {
    return PlacementScenario.of(label, shape, Load.of(BLOCKS)).with(Change.missing(which));
  }
}
