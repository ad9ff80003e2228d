package io.evenkeel.bench;

import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.jmh.VolumeChooserExperiment;
import io.evenkeel.bench.locking.BlockLockExperiment;
import io.evenkeel.bench.locking.DuplicateExperiment;
import io.evenkeel.bench.locking.MemoryExperiment;
import io.evenkeel.bench.locking.StallExperiment;
import io.evenkeel.bench.locking.ThroughputExperiment;
import io.evenkeel.bench.mover.CallsExperiment;
import io.evenkeel.bench.mover.FileExperiment;
import io.evenkeel.bench.mover.ManyExperiment;
import io.evenkeel.bench.mover.NetworkExperiment;
import io.evenkeel.bench.mover.RenameExperiment;
import io.evenkeel.bench.mover.TwoExperiment;
import io.evenkeel.bench.placement.ChangeExperiment;
import io.evenkeel.bench.placement.CostExperiment;
import io.evenkeel.bench.placement.NameNodeExperiment;
import io.evenkeel.bench.placement.PlacementJmhExperiment;
import io.evenkeel.bench.placement.PoliciesExperiment;
import io.evenkeel.bench.placement.RulesExperiment;
import io.evenkeel.bench.placement.ScaleExperiment;
import io.evenkeel.bench.placement.UniformExperiment;
import io.evenkeel.bench.sim.VolumeShareExperiment;
import io.evenkeel.bench.sim.disk.CoupledExperiment;
import io.evenkeel.bench.sim.disk.DisksExperiment;
import io.evenkeel.bench.sim.disk.FillExperiment;
import io.evenkeel.bench.sim.disk.RandomExperiment;
import io.evenkeel.bench.tera.LocalityExperiment;
import io.evenkeel.bench.tera.RemoteExperiment;
import io.evenkeel.bench.tera.TasksExperiment;
import io.evenkeel.bench.tera.YarnExperiment;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.Nearest;
import java.util.List;

/**
 * All experiments. Apart from {@link BenchMain} as the one place where another is added. Immutable.
 */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new VolumeShareExperiment(),
          new DisksExperiment(),
          new CoupledExperiment(),
          new RandomExperiment(),
          new FillExperiment(),
          new VolumeChooserExperiment(),
          new PoliciesExperiment(),
          new UniformExperiment(),
          new ChangeExperiment(),
          new CostExperiment(),
          new ScaleExperiment(),
          new RulesExperiment(),
          new NameNodeExperiment(),
          PlacementJmhExperiment.choose(),
          PlacementJmhExperiment.verify(),
          new TasksExperiment(),
          new LocalityExperiment(),
          new YarnExperiment(),
          new RemoteExperiment(),
          new BlockLockExperiment(),
          new StallExperiment(),
          new DuplicateExperiment(),
          new ThroughputExperiment(),
          new MemoryExperiment(),
          new CallsExperiment(),
          new FileExperiment(),
          new ManyExperiment(),
          new NetworkExperiment(),
          new TwoExperiment(),
          new RenameExperiment());

  private Experiments() {}

  /** Every experiment, in the order they run. */
  public static List<Experiment> all() {
    return ALL;
  }

  /**
   * The experiments to run.
   *
   * @param only a name, or null for all
   * @throws CommandException when there is no such experiment; names one that is much like it
   */
  static List<Experiment> named(String only) {
    if (only == null) {
      return ALL;
    }
    List<Experiment> found = ALL.stream().filter(e -> e.name().equals(only)).toList();
    if (found.isEmpty()) {
      String near =
          Nearest.mistyped(only, ALL.stream().map(Experiment::name).toList())
              .map(name -> "did you mean '" + name + "'? ")
              .orElse("");
      throw new CommandException(
          ExitCode.USAGE, "there is no benchmark '" + only + "'; " + near + "--list shows all");
    }
    return found;
  }
}
