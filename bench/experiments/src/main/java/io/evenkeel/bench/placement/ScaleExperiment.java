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

/**
 * A large cluster with many volumes: processor time of one placement by storage policy and mix of
 * storage types, its extremes while DataNodes register again, and what more threads bring. Plain
 * racks, stock's default policy beside ours, in turn in the same JVM.
 */
public final class ScaleExperiment implements Experiment {
  private static final int VOLUMES = 12;
  private static final int MANY_THREADS = 8;

  @Override
  public String name() {
    return "placement.scale";
  }

  @Override
  public String description() {
    return "10,000 DataNodes x 12 volumes: processor time by storage policy, p99.9, 8 threads over 1";
  }

  /** Storage types and what is written; shares are of all DataNodes, in percent. */
  private record Mix(String storagePolicy, int ssds, int archives) {
    Shape shape(boolean quick) {
      Shape shape = Shape.of(quick ? 50 : 250, 40, 1);
      int share = shape.size() / 100;
      return shape.with(new Disks(List.of(VOLUMES), false, ssds * share, archives * share));
    }
  }

  private static Map<String, Mix> mixes() {
    Map<String, Mix> mixes = new LinkedHashMap<>();
    mixes.put("HOT", new Mix("HOT", 0, 0));
    mixes.put("HOT, 10 % ARCHIVE", new Mix("HOT", 0, 10));
    mixes.put("HOT, 50 % ARCHIVE", new Mix("HOT", 0, 50));
    mixes.put("COLD, 10 % ARCHIVE", new Mix("COLD", 0, 10));
    mixes.put("WARM, 50 % ARCHIVE", new Mix("WARM", 0, 50));
    mixes.put("ONE_SSD, 10 % with SSD", new Mix("ONE_SSD", 10, 0));
    mixes.put("ALL_SSD, 10 % with SSD", new Mix("ALL_SSD", 10, 0));
    return mixes;
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Pairs.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (Map.Entry<String, Mix> mix : mixes().entrySet()) {
      settings.progress().accept("evenkeel: placement: scale, " + mix.getKey());
      List<RealCluster> clusters = clusters(mix.getValue(), settings);
      rows.add(cost(mix.getKey(), clusters, settings));
      if (rows.size() == 1) {
        List<ScaleProbe> probes = clusters.stream().map(ScaleProbe::new).toList();
        rows.addAll(extremes(probes, settings));
        rows.add(threads(probes, settings));
      }
    }
    return rows;
  }

  private static List<RealCluster> clusters(Mix mix, RunSettings settings) throws Exception {
    List<RealCluster> clusters = new ArrayList<>();
    for (Candidate candidate : Pairs.PLAIN) {
      if (candidate.present()) {
        clusters.add(
            new RealCluster(candidate, mix.shape(settings.quick()).places(), mix.storagePolicy));
      }
    }
    return clusters;
  }

  private static Comparison cost(String label, List<RealCluster> clusters, RunSettings settings)
      throws Exception {
    long chunk = TimeUnit.MILLISECONDS.toNanos(settings.quick() ? 100 : 300);
    List<CostProbe> probes = new ArrayList<>();
    for (RealCluster cluster : clusters) {
      probes.add(new CostProbe(cluster, 1));
      probes.get(probes.size() - 1).measure(6 * chunk);
    }
    List<List<Cost>> costs = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < (settings.quick() ? 3 : 7); round++) {
      for (int p = 0; p < probes.size(); p++) {
        costs.get(p).add(probes.get(p).measure(chunk));
      }
    }
    return row(label + ": processor time", "us", costs, Cost::micros);
  }

  private static <T> Comparison row(
      String label, String unit, List<List<T>> values, ToDoubleFunction<T> value) {
    return Comparison.repeated(
        label,
        unit,
        values.get(0).stream().mapToDouble(value).toArray(),
        values.get(1).stream().mapToDouble(value).toArray());
  }

  private static List<Comparison> extremes(List<ScaleProbe> probes, RunSettings settings) {
    int calls = settings.quick() ? 20_000 : 100_000;
    List<List<Double>> choose = List.of(new ArrayList<>(), new ArrayList<>());
    List<List<Double>> verify = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < (settings.quick() ? 3 : 5); round++) {
      for (int p = 0; p < probes.size(); p++) {
        choose.get(p).add(probes.get(p).chooseP999(calls));
        verify.get(p).add(probes.get(p).verifyP999(calls));
      }
    }
    return List.of(
        row("HOT, DataNodes register again: choose, p99.9", "us", choose, value -> value),
        row("HOT, DataNodes register again: verify, p99.9", "us", verify, value -> value));
  }

  private static Comparison threads(List<ScaleProbe> probes, RunSettings settings)
      throws Exception {
    List<List<Double>> ratios = List.of(new ArrayList<>(), new ArrayList<>());
    long nanos = TimeUnit.MILLISECONDS.toNanos(settings.quick() ? 500 : 2_000);
    for (int round = 0; round < (settings.quick() ? 3 : 5); round++) {
      for (int p = 0; p < probes.size(); p++) {
        double one = probes.get(p).perSecond(1, nanos);
        ratios.get(p).add(probes.get(p).perSecond(MANY_THREADS, nanos) / one);
      }
    }
    return row("HOT: choices per second, 8 threads over 1", "", ratios, ratio -> ratio);
  }
}
