package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** {@link PlanBenchmark} with one thread, for each kind of move. */
public final class PlanExperiment implements Experiment {
  @Override
  public String name() {
    return "mover.plan";
  }

  @Override
  public String description() {
    return "time and allocation of planning the moves of one block, 200 DataNodes (JMH)";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws RunnerException {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(PlanBenchmark.NONE, "nothing to move");
    labels.put(PlanBenchmark.INSIDE, "one replica, inside its DataNode");
    labels.put(PlanBenchmark.OTHER, "one replica, to another DataNode");
    List<Comparison> rows = new ArrayList<>();
    for (Map.Entry<String, String> label : labels.entrySet()) {
      Map<String, String> params = Map.of(PlanBenchmark.MOVE, label.getKey());
      rows.addAll(
          new JmhRun(PlanBenchmark.class, "plan", 1, params).compare(settings, label.getValue()));
    }
    return rows;
  }
}
