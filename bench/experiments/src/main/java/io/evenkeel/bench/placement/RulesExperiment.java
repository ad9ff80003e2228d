package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.placement.RulesRun.Threads;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Whether the rules hold while blocks are verified beside placing. */
public final class RulesExperiment implements Experiment {
  private static final int PLACEMENTS = 1_000_000;
  private static final int QUICK_PLACEMENTS = 100_000;
  private static final int PLACERS = 4;
  private static final int VERIFICATIONS = 100_000;
  private static final int VERIFIERS = 2;
  private static final int REPEATS = 10;

  @Override
  public String name() {
    return "placement.rules";
  }

  @Override
  public String description() {
    return "broken rules in 10^6 placements by 4 threads with 1 and 4 threads verifying beside them";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Pairs.usable(settings)) {
      return List.of();
    }
    int placements = settings.quick() ? QUICK_PLACEMENTS : PLACEMENTS;
    List<Comparison> rows = new ArrayList<>();
    for (int verifiers : new int[] {1, PLACERS}) {
      Threads threads = new Threads(PLACERS, verifiers);
      String label = verifiers + " verifying beside: ";
      settings.progress().accept("evenkeel: placement: " + placements + ", " + label);
      Both both =
          Both.run(1, c -> RulesRun.placing(UniformExperiment.small(), c, placements, threads));
      rows.addAll(
          List.of(
              both.row(label + "blocks twice on one host", r -> r.violations().sameHost()),
              both.row(label + "blocks on one rack", r -> r.violations().oneRack()),
              both.row(label + "blocks above the rack cap", r -> r.violations().rackCap()),
              both.row(label + "too few targets or none", r -> r.violations().tooFew())));
      rows.addAll(verification(both, label));
    }
    Both both =
        Both.run(
            settings.quick() ? 2 : REPEATS,
            c -> RulesRun.verifying(Shape.of(16, 2, 1), c, VERIFICATIONS, VERIFIERS));
    rows.addAll(verification(both, "2 x 100k, 32 DNs: "));
    return rows;
  }

  private static List<Comparison> verification(Both both, String label) {
    return List.of(
        both.row(label + "verifications", RulesRun::verified),
        both.row(label + "right blocks found wrong", RulesRun::rejected),
        both.row(label + "verifications that threw", RulesRun::threw),
        both.row(label + "DataNodes with another location", RulesRun::moved));
  }

  /** A run of one policy. */
  private interface Run {
    RulesRun of(Candidate candidate) throws Exception;
  }

  /**
   * The same run of both policies, several times.
   *
   * @param ours empty while our policy is not on the class path
   */
  private record Both(List<RulesRun> stock, List<RulesRun> ours) {
    static Both run(int times, Run run) throws Exception {
      Both both = new Both(new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < times; i++) {
        both.stock.add(run.of(Candidate.STOCK_NODE_GROUPS));
        if (Candidate.OURS_NODE_GROUPS.present()) {
          both.ours.add(run.of(Candidate.OURS_NODE_GROUPS));
        }
      }
      return both;
    }

    Comparison row(String quantity, ToDoubleFunction<RulesRun> value) {
      return Comparison.repeated(
          quantity,
          "",
          stock.stream().mapToDouble(value).toArray(),
          ours.stream().mapToDouble(value).toArray());
    }
  }
}
