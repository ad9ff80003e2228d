package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/** What shared controllers and pipelines over several DataNodes change. */
public final class CoupledExperiment implements Experiment {
  private static final int[] WRITERS = {4, 8, 16, 32, 64};
  private static final int[] QUICK_WRITERS = {8, 32};

  @Override
  public String name() {
    return "volume.coupled";
  }

  @Override
  public String description() {
    return "simulated disks behind shared controllers, and blocks written to 3 of 6 DataNodes";
  }

  @Override
  public List<Comparison> run(RunSettings settings) {
    List<Comparison> rows = new ArrayList<>();
    for (int w : settings.quick() ? QUICK_WRITERS : WRITERS) {
      settings.say(name() + ": " + w + " writers per DataNode");
      Pair slow = Pair.run(Scenarios.slowController(w), settings.seed());
      rows.add(slow.compare("slow controller, W=" + w + ": of ideal", "%", o -> 100 * o.share()));
      Scenario coupled = Scenarios.coupled(w);
      Pair base = Pair.run(coupled, settings.seed());
      double from = Scenarios.FAULT_FROM;
      double to = Scenarios.FAULT_TO;
      rows.addAll(
          fault(
              "controllers, disk 10x slower, W=" + w,
              base,
              coupled.with(Fault.disk(Scenarios.BAD, Scenarios.SLOW, from, to)),
              settings.seed()));
      rows.addAll(
          fault(
              "controller 10x slower, W=" + w,
              base,
              coupled.with(Fault.controller(0, Scenarios.SLOW, from, to)),
              settings.seed()));
      Pair unequal = Pair.run(Scenarios.pipeline(Scenarios.unequal(w)), settings.seed());
      rows.add(unequal.compare("pipeline, unequal SSD, W=" + w, "MB/s", Outcome::throughput));
      Pair healthy = Pair.run(Scenarios.pipeline(Scenarios.healthy(w)), settings.seed());
      rows.add(healthy.compare("pipeline, healthy, W=" + w, "MB/s", Outcome::throughput));
      rows.add(healthy.compare("pipeline, healthy, W=" + w, "ejections", Outcome::ejections));
      rows.addAll(
          fault(
              "pipeline, disk 10x slower, W=" + w,
              healthy,
              Scenarios.pipeline(Scenarios.faulty(w, Scenarios.SLOW)),
              settings.seed()));
    }
    return rows;
  }

  private static List<Comparison> fault(String what, Pair healthy, Scenario scenario, long seed) {
    Pair pair = Pair.run(scenario, seed);
    return List.of(
        pair.compare(what + ": of healthy", healthy, Outcome::share),
        pair.compare(what + ": p99", "s", o -> o.seconds(0.99)));
  }
}
