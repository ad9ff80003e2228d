package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.experiment.Runs.Turn;
import io.evenkeel.bench.placement.RulesRun.Threads;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Whether the rules hold while blocks are verified beside placing. */
public final class RulesExperiment implements Experiment {
  private static final int PLACEMENTS = 1_000_000;
  private static final int QUICK_PLACEMENTS = 100_000;
  private static final int PLACERS = 4;
  private static final int VERIFICATIONS = 100_000;
  private static final int VERIFIERS = 2;
  private static final int REPEATS = 10;

  private static final String STOCK = "WithNodeGroup";
  private static final String BESIDE = " verifying beside: ";
  private static final String BROKEN = "broken rules of all kinds";

  @Override
  public String name() {
    return "placement.rules";
  }

  @Override
  public String description() {
    return "broken rules in 10^6 placements by 4 threads with 1 and 4 threads verifying beside them";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less(
            "Rules broken in placements while 1 and 4 threads verify blocks",
            "\\d" + BESIDE + BROKEN));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    int placements = settings.quick() ? QUICK_PLACEMENTS : PLACEMENTS;
    List<Comparison> rows = new ArrayList<>();
    String share = String.format(Locale.ROOT, "in %,d", placements);
    for (int verifiers : new int[] {1, PLACERS}) {
      Threads threads = new Threads(PLACERS, verifiers);
      String label = verifiers + BESIDE;
      settings.say("placement: " + placements + ", " + label);
      Shape shape = UniformExperiment.small();
      Arms<RulesRun> arms =
          Arms.inTurn(
              1,
              stock(),
              Candidate.OURS_NODE_GROUPS,
              (policy, i) -> RulesRun.placing(shape, policy, placements, threads));
      rows.addAll(arms.mean(label + BROKEN, share, r -> r.violations().sum()));
      rows.addAll(
          arms.mean(label + "blocks twice on one host", "", r -> r.violations().sameHost()));
      rows.addAll(arms.mean(label + "too few targets or none", "", r -> r.violations().tooFew()));
      rows.addAll(verification(new Runs<>(arms.stock().get(STOCK), arms.evenkeel()), label));
    }
    Shape shape = Shape.of(16, 2, 1);
    Runs<RulesRun> runs =
        inTurn(
            settings.quick() ? 2 : REPEATS,
            (policy, i) -> RulesRun.verifying(shape, policy, VERIFICATIONS, VERIFIERS));
    rows.addAll(verification(runs, "2 x 100k, 32 DNs: "));
    return rows;
  }

  /** The one for node groups, which ours replaces, and what keeps hosts apart without them. */
  private static Map<String, Candidate> stock() {
    Map<String, Candidate> stock = new LinkedHashMap<>();
    for (String name : List.of(STOCK, "default", "RackFaultTolerant")) {
      stock.put(name, Candidate.stockPolicies().get(name));
    }
    return stock;
  }

  private static Runs<RulesRun> inTurn(int times, Turn<Candidate, RulesRun> turn) throws Exception {
    PolicyPair pair = PolicyPair.NODE_GROUPS;
    return Runs.inTurn(times, pair.stock(), pair.ours(), turn);
  }

  private static List<Comparison> verification(Runs<RulesRun> runs, String label) {
    return Stream.of(
            runs.mean(label + "verifications", "", RulesRun::verified),
            runs.mean(label + "right blocks found wrong", "", RulesRun::rejected),
            runs.mean(label + "verifications that threw", "", RulesRun::threw),
            runs.mean(label + "DataNodes with another location", "", RulesRun::moved))
        .map(row -> row.against(STOCK))
        .toList();
  }
}
