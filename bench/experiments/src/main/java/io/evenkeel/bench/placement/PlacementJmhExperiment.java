package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import io.evenkeel.bench.sim.placement.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** One method of {@link PlacementBenchmark} on both topologies. */
public final class PlacementJmhExperiment implements Experiment {
  private final String method;
  private final String what;

  private PlacementJmhExperiment(String method, String what) {
    this.method = method;
    this.what = what;
  }

  /** Choosing DataNodes. */
  public static Experiment choose() {
    return new PlacementJmhExperiment("choose", "choosing the DataNodes of a block");
  }

  /** Verifying a placed block. */
  public static Experiment verify() {
    return new PlacementJmhExperiment("verify", "verifying the placement of a block");
  }

  @Override
  public String name() {
    return "placement." + method;
  }

  @Override
  public String description() {
    return "time and allocation of " + what + ", 400 DataNodes (JMH)";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws RunnerException {
    if (!PolicyPair.usable(settings) || !Candidate.OURS_PLAIN.present()) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    for (String topology : List.of(PlacementBenchmark.NODE_GROUPS, PlacementBenchmark.RACKS)) {
      Map<String, String> params = Map.of(PlacementBenchmark.TOPOLOGY, topology);
      String label =
          method + (topology.equals(PlacementBenchmark.RACKS) ? ", plain racks" : ", node groups");
      rows.addAll(new JmhRun(PlacementBenchmark.class, method, 1, params).compare(settings, label));
    }
    return rows;
  }
}
