package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** {@link RecordCheckBenchmark} with one thread. */
public final class RecordCheckExperiment implements Experiment {
  @Override
  public String name() {
    return "terasort.check";
  }

  @Override
  public String description() {
    return "time and allocation of checking one record in memory (JMH)";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws RunnerException {
    return new JmhRun(RecordCheckBenchmark.class, "check", 1, Map.of())
        .compare(settings, "one record");
  }
}
