package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code evenkeel.volume.fill=even} does on one DataNode: an empty disk among full ones,
 * without and with page cache and readers, and disks of two sizes.
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

  private static Outcomes even(Scenario scenario, long seed) {
    return Outcomes.run(scenario, Policy.policies(), Policy.EVEN, seed);
  }

  private static List<Comparison> empty(String what, Scenario scenario, long seed) {
    Outcomes all = even(scenario, seed);
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(
        all.compare(
            what + ": blocks to the empty disk", "%", o -> 100 * o.shareOf(Scenarios.EMPTY)));
    rows.addAll(all.compare(what + ": throughput", "MB/s", Outcome::bothWays));
    return rows;
  }

  private static List<Comparison> sizes(String what, Scenario scenario, long seed) {
    Outcomes all = even(scenario, seed);
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(all.compare(what + ": spread of fill", "% points", o -> 100 * o.spread()));
    rows.addAll(all.compare(what + ": throughput", "MB/s", Outcome::bothWays));
    return rows;
  }
}
