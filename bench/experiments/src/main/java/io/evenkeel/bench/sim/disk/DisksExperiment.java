package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Unequal, slow, hanging, empty and healthy disks of one DataNode under 4 to 64 writers, and disks
 * that stream beside disks with small writes.
 */
public final class DisksExperiment implements Experiment {
  private static final int[] WRITERS = {4, 8, 16, 32, 64};
  private static final int[] QUICK_WRITERS = {8, 32};
  private static final int FROM = (int) Scenarios.FAULT_FROM;
  private static final int TO = (int) Scenarios.FAULT_TO;

  /** By then a hang must have been noticed, in seconds after it began. */
  private static final double NOTICED = 5;

  @Override
  public String name() {
    return "volume.disks";
  }

  @Override
  public String description() {
    return "simulated disks: unequal, 10x slower for a while, hanging, empty, healthy; 4-64 writers";
  }

  @Override
  public List<Comparison> run(RunSettings settings) {
    List<Comparison> rows = new ArrayList<>();
    int[] writers = settings.quick() ? QUICK_WRITERS : WRITERS;
    for (int w : writers) {
      Pair pair = Pair.run(Scenarios.unequal(w), settings.seed());
      rows.add(
          pair.compare("4 fast + 4 slow SSD, W=" + w + ": of ideal", "%", DisksExperiment::of));
    }
    for (int w : writers) {
      settings.say(name() + ": faults, " + w + " writers");
      Pair healthy = Pair.run(Scenarios.healthy(w), settings.seed());
      rows.add(healthy.compare("8 equal disks, W=" + w + ": of ideal", "%", DisksExperiment::of));
      slow(w, healthy, settings.seed(), rows);
      hang(w, healthy, settings.seed(), rows);
    }
    for (int w : writers) {
      Scenario scenario = Scenarios.oneEmpty(w);
      String what = "one empty of 8 disks, W=" + w + ": of ideal";
      rows.add(Pair.run(scenario, settings.seed()).compare(what, "%", DisksExperiment::of));
      Pair space = Pair.run(scenario, Policy.AVAILABLE_SPACE, settings.seed());
      rows.add(space.compare(what + ", AS", "%", DisksExperiment::of));
    }
    for (int w : writers) {
      Pair mixed = Pair.run(Scenarios.mixed(w), settings.seed());
      String what = "2 streams, else small writes, W=" + w + ": ";
      rows.add(mixed.compare(what + "of ideal", "%", DisksExperiment::of));
      rows.add(mixed.compare(what + "ejections", "ejections", Outcome::ejections));
    }
    Pair noisy = Pair.run(Scenarios.noisy(settings.quick() ? 600 : 3600), settings.seed());
    rows.add(noisy.compare("noisy latency: of ideal", "%", DisksExperiment::of));
    rows.add(noisy.compare("noisy latency: ejections", "ejections", Outcome::ejections));
    return rows;
  }

  private static double of(Outcome outcome) {
    return 100 * outcome.share();
  }

  private static void slow(int w, Pair healthy, long seed, List<Comparison> rows) {
    Pair pair = Pair.run(Scenarios.faulty(w, Scenarios.SLOW), seed);
    String what = "one 10x slower, W=" + w + ": ";
    rows.add(pair.compare(what + "of healthy run", healthy, Outcome::share));
    rows.add(pair.compare(what + "p99 of a block", "s", o -> o.seconds(0.99)));
    rows.add(
        pair.compare(what + "blocks to it", "blocks", o -> o.blocksTo(Scenarios.BAD, FROM, TO)));
    rows.add(
        pair.compare(what + "ejected after", "s", o -> o.distrustedAfter(Scenarios.BAD, FROM)));
    rows.add(pair.compare(what + "back after", "s", o -> o.trustedAfter(Scenarios.BAD, TO)));
  }

  private static void hang(int w, Pair healthy, long seed, List<Comparison> rows) {
    Scenario scenario = Scenarios.faulty(w, Scenarios.HANG);
    Pair pair = Pair.run(scenario, seed);
    Pair without = Pair.run(scenario.without(Scenarios.BAD), seed);
    String what = "one hangs, W=" + w + ": ";
    rows.add(pair.compare(what + "of healthy run", healthy, Outcome::share));
    rows.add(pair.compare(what + "of run without it", without, o -> o.throughput(FROM, TO)));
    rows.add(
        pair.compare(
            what + "blocks to it after 5 s",
            "blocks",
            o -> o.blocksTo(Scenarios.BAD, FROM + NOTICED, TO)));
  }
}
