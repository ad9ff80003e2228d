package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code evenkeel.volume.fill=even} does on one DataNode: an empty disk among full ones,
 * without and with page cache and readers, and disks of two sizes. The stock round robin and
 * AvailableSpace stand beside it, all as ratios to that round robin where it is about speed.
 */
public final class FillExperiment implements Experiment {
  private static final int[] WRITERS = {1, 2, 4, 6, 8, 16, 32};
  private static final int[] QUICK_WRITERS = {2, 32};

  @Override
  public String name() {
    return "volume.fill";
  }

  @Override
  public String description() {
    return "simulated disks filled evenly: one empty among full ones, two sizes; cache and readers";
  }

  @Override
  public List<Comparison> run(RunSettings settings) {
    List<Comparison> rows = new ArrayList<>();
    for (int w : settings.quick() ? QUICK_WRITERS : WRITERS) {
      settings.say(name() + ": " + w + " writers");
      String writers = ", W=" + w;
      rows.addAll(empty("one empty" + writers, Scenarios.oneEmpty(w), settings.seed()));
      for (int cache : new int[] {1024, 16384}) {
        String what = cache / 1024 + " GB cache";
        Scenario cached = Scenarios.oneEmptyCached(w, cache);
        rows.addAll(empty(what + writers, cached, settings.seed()));
        Scenario slow = Scenarios.oneEmptySlowClients(w, cache);
        rows.addAll(empty(what + ", 1 Gbit/s clients" + writers, slow, settings.seed()));
      }
      Scenario atOnce = Scenarios.oneEmptyRead(w, Scenarios.AT_ONCE);
      rows.addAll(empty("read at once" + writers, atOnce, settings.seed()));
      Scenario inBursts = Scenarios.oneEmptyRead(w, Scenarios.IN_BURSTS);
      rows.addAll(empty("read in bursts" + writers, inBursts, settings.seed()));
      rows.addAll(sizes("40 and 80 GB" + writers, Scenarios.twoSizes(w), settings.seed()));
    }
    return rows;
  }

  /** The stock policies and ours on one scenario. */
  private record Three(Outcome rotation, Outcome space, Outcome ours) {
    static Three run(Scenario scenario, long seed) {
      return new Three(
          Simulation.run(scenario, Policy.ROUND_ROBIN, seed),
          Simulation.run(scenario, Policy.AVAILABLE_SPACE, seed),
          Simulation.run(scenario, Policy.EVEN, seed));
    }

    /** Bytes written and read, AvailableSpace and ours over round robin. */
    Comparison speed(String what) {
      double base = rotation.bothWays();
      return Comparison.counted(
          what + ": MB/s (AS)", "x RR", space.bothWays() / base, ours.bothWays() / base);
    }
  }

  private static List<Comparison> empty(String what, Scenario scenario, long seed) {
    Three three = Three.run(scenario, seed);
    String share = what + ": blocks to the empty disk";
    double ours = 100 * three.ours.shareOf(Scenarios.EMPTY);
    return List.of(
        Comparison.counted(share, "%", 100 * three.rotation.shareOf(Scenarios.EMPTY), ours),
        Comparison.counted(share + " (AS)", "%", 100 * three.space.shareOf(Scenarios.EMPTY), ours),
        three.speed(what));
  }

  private static List<Comparison> sizes(String what, Scenario scenario, long seed) {
    Three three = Three.run(scenario, seed);
    String spread = what + ": spread of fill";
    double ours = 100 * three.ours.spread();
    return List.of(
        Comparison.counted(spread, "% points", 100 * three.rotation.spread(), ours),
        Comparison.counted(spread + " (AS)", "% points", 100 * three.space.spread(), ours),
        three.speed(what));
  }
}
