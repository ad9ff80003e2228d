package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.placement.CostProbe.Cost;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.RealCluster;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.bench.sim.placement.Shape.Disks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Processor time and bytes of one placement; both policies in turn in the same JVM. */
public final class CostExperiment implements Experiment {
  private static final int[] THREADS = {1, 8};
  private static final int ROUNDS = 7;
  private static final int QUICK_ROUNDS = 3;

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
    if (!Pairs.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (Map.Entry<String, Shape> size : shapes(settings.quick()).entrySet()) {
      for (int threads : THREADS) {
        String label = size.getKey() + " DNs, " + threads + " thread(s)";
        rows.addAll(
            compare(
                label, new Setup(size.getValue(), "HOT", threads), Pairs.NODE_GROUPS, settings));
        rows.addAll(
            compare(
                label + ", plain racks",
                new Setup(size.getValue(), "HOT", threads),
                Pairs.PLAIN,
                settings));
      }
    }
    Shape fewSsds = Shape.of(125, 2, 4).with(new Disks(List.of(2), false, 10));
    Setup oneSsd = new Setup(fewSsds, "ONE_SSD", 1);
    rows.addAll(compare("1,000 DNs, ONE_SSD with 1 % SSD", oneSsd, Pairs.NODE_GROUPS, settings));
    return rows;
  }

  /** What is measured. */
  private record Setup(Shape shape, String storagePolicy, int threads) {}

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
      String label, Setup setup, List<Candidate> pair, RunSettings settings) throws Exception {
    settings.progress().accept("evenkeel: placement: cost, " + label);
    long chunk = TimeUnit.MILLISECONDS.toNanos(settings.quick() ? 100 : 300) / setup.threads;
    List<CostProbe> probes = new ArrayList<>();
    for (Candidate candidate : pair) {
      if (candidate.present()) {
        RealCluster cluster = new RealCluster(candidate, setup.shape.places(), setup.storagePolicy);
        probes.add(new CostProbe(cluster, setup.threads));
        probes.get(probes.size() - 1).measure((settings.quick() ? 4 : 6) * chunk);
      }
    }
    List<List<Cost>> costs = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < (settings.quick() ? QUICK_ROUNDS : ROUNDS); round++) {
      for (int p = 0; p < probes.size(); p++) {
        costs.get(p).add(probes.get(p).measure(chunk));
      }
    }
    return List.of(
        row(label + ": processor time", "us", costs, Cost::micros),
        row(label + ": allocated", "B", costs, cost -> Math.rint(cost.bytes())));
  }

  private static Comparison row(
      String label, String unit, List<List<Cost>> costs, ToDoubleFunction<Cost> value) {
    return Comparison.repeated(
        label,
        unit,
        costs.get(0).stream().mapToDouble(value).toArray(),
        costs.get(1).stream().mapToDouble(value).toArray());
  }
}
