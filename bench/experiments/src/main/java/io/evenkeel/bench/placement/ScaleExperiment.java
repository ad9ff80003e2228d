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
import java.util.concurrent.TimeUnit;

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
    return "10,000 DataNodes x 12 volumes: processor time beside stock's default policy, its cheapest";
  }

  /** Storage types and what is written; shares are of all DataNodes, in percent. */
  private record Mix(String storagePolicy, int ssds, int archives) {
    Setup setup(boolean quick) {
      Shape shape = Shape.of(quick ? 50 : 250, 40, 1);
      int share = shape.size() / 100;
      Disks disks = new Disks(List.of(VOLUMES), false, ssds * share, archives * share);
      return new Setup(shape.with(disks), storagePolicy, 1);
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
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (Map.Entry<String, Mix> mix : mixes().entrySet()) {
      settings.say("placement: scale, " + mix.getKey());
      Setup setup = mix.getValue().setup(settings.quick());
      Runs<Cost> costs = CostProbe.compare(PolicyPair.PLAIN_RACKS, setup, settings.quick());
      rows.add(costs.mean(mix.getKey() + ": processor time", "us", Cost::micros));
    }
    settings.say("placement: scale, single calls and threads");
    Setup hot = new Mix("HOT", 0, 0).setup(settings.quick());
    ScaleProbe stock = new ScaleProbe(hot.cluster(PolicyPair.PLAIN_RACKS.stock()));
    ScaleProbe ours = new ScaleProbe(hot.cluster(PolicyPair.PLAIN_RACKS.ours()));
    int rounds = settings.quick() ? 3 : 5;
    int calls = settings.quick() ? 20_000 : 100_000;
    rows.add(
        Runs.inTurn(rounds, stock, ours, (probe, i) -> probe.chooseP999(calls))
            .mean("HOT, DataNodes register again: choose, p99.9", "us", micros -> micros));
    rows.add(
        Runs.inTurn(rounds, stock, ours, (probe, i) -> probe.verifyP999(calls))
            .mean("HOT, DataNodes register again: verify, p99.9", "us", micros -> micros));
    long nanos = TimeUnit.MILLISECONDS.toNanos(settings.quick() ? 500 : 2_000);
    rows.add(
        Runs.inTurn(rounds, stock, ours, (probe, i) -> probe.speedUp(MANY_THREADS, nanos))
            .mean("HOT: choices per second, 8 threads over 1", "", ratio -> ratio));
    return rows;
  }
}
