package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.placement.CostProbe.Cost;
import io.evenkeel.bench.placement.CostProbe.Setup;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.bench.sim.placement.Shape.Disks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Processor time and bytes of one placement; both policies in turn in the same JVM. */
public final class CostExperiment implements Experiment {
  private static final int[] THREADS = {1, 8};

  @Override
  public String name() {
    return "placement.cost";
  }

  @Override
  public String description() {
    return "processor time and bytes of one placement, 126 to 10,000 DataNodes, 1 and 8 threads";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (Map.Entry<String, Shape> size : shapes(settings.quick()).entrySet()) {
      for (int threads : THREADS) {
        String label = size.getKey() + " DNs, " + threads + " thread(s)";
        Setup setup = new Setup(size.getValue(), "HOT", threads);
        rows.addAll(compare(label, PolicyPair.NODE_GROUPS, setup, settings));
        rows.addAll(compare(label + ", plain racks", PolicyPair.PLAIN_RACKS, setup, settings));
      }
    }
    Shape fewSsds = Shape.of(125, 2, 4).with(new Disks(List.of(2), false, 10));
    Setup oneSsd = new Setup(fewSsds, "ONE_SSD", 1);
    rows.addAll(
        compare("1,000 DNs, ONE_SSD with 1 % SSD", PolicyPair.NODE_GROUPS, oneSsd, settings));
    return rows;
  }

  private static Map<String, Shape> shapes(boolean quick) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    shapes.put("126", UniformExperiment.small());
    shapes.put("636", UniformExperiment.large());
    if (!quick) {
      shapes.put("1,000", Shape.of(25, 10, 4));
      shapes.put("4,000", Shape.of(50, 20, 4));
    }
    shapes.put("10,000", Shape.of(125, 20, 4));
    return shapes;
  }

  private static List<Comparison> compare(
      String label, PolicyPair pair, Setup setup, RunSettings settings) throws Exception {
    settings.say("placement: cost, " + label);
    Runs<Cost> costs = CostProbe.compare(pair, setup, settings.quick());
    return List.of(
        costs.mean(label + ": processor time", "us", Cost::micros),
        costs.mean(label + ": allocated", "B", cost -> Math.rint(cost.bytes())));
  }
}
