package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    Map<String, Chooser.Factory> stock = stock();
    long seed = settings.seed();
    for (int w : settings.quick() ? QUICK_WRITERS : WRITERS) {
      settings.say(name() + ": " + w + " writers per DataNode");
      Outcomes slow = Outcomes.run(Scenarios.slowController(w), stock, seed);
      rows.addAll(
          slow.compare("slow controller, W=" + w + ": of ideal", "%", o -> 100 * o.share()));
      Scenario coupled = Scenarios.coupled(w);
      Outcomes base = Outcomes.run(coupled, stock, seed);
      double from = Scenarios.FAULT_FROM;
      double to = Scenarios.FAULT_TO;
      rows.addAll(
          fault(
              "controllers, disk 10x slower, W=" + w,
              base,
              coupled.with(Fault.disk(Scenarios.BAD, Scenarios.SLOW, from, to)),
              seed));
      rows.addAll(
          fault(
              "controller 10x slower, W=" + w,
              base,
              coupled.with(Fault.controller(0, Scenarios.SLOW, from, to)),
              seed));
      Outcomes unequal = Outcomes.run(Scenarios.pipeline(Scenarios.unequal(w)), stock, seed);
      rows.addAll(unequal.compare("pipeline, unequal SSD, W=" + w, "MB/s", Outcome::throughput));
      Outcomes healthy = Outcomes.run(Scenarios.pipeline(Scenarios.healthy(w)), stock, seed);
      rows.addAll(healthy.compare("pipeline, healthy, W=" + w, "MB/s", Outcome::throughput));
      rows.addAll(
          fault(
              "pipeline, disk 10x slower, W=" + w,
              healthy,
              Scenarios.pipeline(Scenarios.faulty(w, Scenarios.SLOW)),
              seed));
    }
    return rows;
  }

  /** Volumes have equal room here, and AvailableSpace then is round robin. */
  private static Map<String, Chooser.Factory> stock() {
    Map<String, Chooser.Factory> stock = Policy.stock();
    stock.keySet().remove(Policy.SPACE);
    return stock;
  }

  private static List<Comparison> fault(
      String what, Outcomes healthy, Scenario scenario, long seed) {
    Outcomes outcomes = Outcomes.run(scenario, stock(), seed);
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(outcomes.kept(what + ": of healthy", healthy, Outcome::share));
    rows.addAll(outcomes.compare(what + ": p99", "s", o -> o.seconds(0.99)));
    return rows;
  }
}
