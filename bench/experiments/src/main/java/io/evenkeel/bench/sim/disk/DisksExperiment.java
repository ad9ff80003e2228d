package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Unequal, slow, hanging, empty and healthy disks of one DataNode under 4 to 64 writers, and disks
 * that stream beside disks with small writes.
 */
public final class DisksExperiment implements Experiment {
  private static final int[] WRITERS = {4, 8, 16, 32, 64};
  private static final int[] QUICK_WRITERS = {8, 32};
  private static final String UNEQUAL = "4 fast + 4 slow SSD, W=";
  private static final String SLOW = "one 10x slower, W=";
  private static final String KEPT = ": of healthy run";
  private static final String IDEAL = ": of ideal";

  @Override
  public String name() {
    return "volume.disks";
  }

  @Override
  public String description() {
    return "simulated disks: unequal, 10x slower for a while, hanging, empty, healthy; 4-64 writers";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.more("Throughput kept with one slow disk of eight", SLOW + "\\d+" + KEPT),
        Problem.more(
            "Bandwidth of unequal SSDs used, 8 and more writers",
            Pattern.quote(UNEQUAL) + "(8|\\d\\d)" + IDEAL));
  }

  @Override
  public List<Comparison> run(RunSettings settings) {
    List<Comparison> rows = new ArrayList<>();
    int[] writers = settings.quick() ? QUICK_WRITERS : WRITERS;
    Map<String, Chooser.Factory> stock = Policy.stock();
    long seed = settings.seed();
    for (int w : writers) {
      Outcomes unequal = Outcomes.run(Scenarios.unequal(w), stock, seed);
      rows.addAll(unequal.compare(UNEQUAL + w + IDEAL, "%", DisksExperiment::of));
    }
    for (int w : writers) {
      settings.say(name() + ": faults, " + w + " writers");
      Outcomes healthy = Outcomes.run(Scenarios.healthy(w), stock, seed);
      rows.addAll(healthy.compare("8 equal disks, W=" + w + IDEAL, "%", DisksExperiment::of));
      Outcomes slow = Outcomes.run(Scenarios.faulty(w, Scenarios.SLOW), stock, seed);
      rows.addAll(slow.kept(SLOW + w + KEPT, healthy, Outcome::share));
      rows.addAll(slow.compare(SLOW + w + ": p99 of a block", "s", o -> o.seconds(0.99)));
      Outcomes hang = Outcomes.run(Scenarios.faulty(w, Scenarios.HANG), stock, seed);
      rows.addAll(hang.kept("one hangs, W=" + w + KEPT, healthy, Outcome::share));
    }
    for (int w : writers) {
      Outcomes empty = Outcomes.run(Scenarios.oneEmpty(w), stock, seed);
      rows.addAll(empty.compare("one empty of 8 disks, W=" + w + IDEAL, "%", DisksExperiment::of));
    }
    for (int w : writers) {
      Outcomes mixed = Outcomes.run(Scenarios.mixed(w), Policy.ROTATION, seed);
      String what = "2 streams, else small writes, W=" + w;
      rows.addAll(mixed.compare(what + IDEAL, "%", DisksExperiment::of));
      rows.addAll(mixed.compare(what + ": ejections", "ejections", Outcome::ejections));
    }
    Scenario noise = Scenarios.noisy(settings.quick() ? 600 : 3600);
    Outcomes noisy = Outcomes.run(noise, Policy.ROTATION, seed);
    rows.addAll(noisy.compare("noisy latency" + IDEAL, "%", DisksExperiment::of));
    rows.addAll(noisy.compare("noisy latency: ejections", "ejections", Outcome::ejections));
    return rows;
  }

  private static double of(Outcome outcome) {
    return 100 * outcome.share();
  }
}
