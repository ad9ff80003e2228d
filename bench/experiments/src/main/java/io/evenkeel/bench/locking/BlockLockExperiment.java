package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** {@link BlockLockBenchmark} with 1 and 8 threads. */
public final class BlockLockExperiment implements Experiment {
  private static final int MANY = 8;

  @Override
  public String name() {
    return "locking.block";
  }

  @Override
  public String description() {
    return "time and allocation of a block's lock: uncontended, shared, contended (JMH)";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws RunnerException {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(run(settings, "exclusive, 1 thread", "exclusive", 1, BlockLockBenchmark.SAME));
    rows.addAll(run(settings, "shared, 1 thread", "shared", 1, BlockLockBenchmark.SAME));
    rows.addAll(
        run(settings, "shared, 8 threads, one block", "shared", MANY, BlockLockBenchmark.SAME));
    rows.addAll(
        run(
            settings,
            "exclusive, 8 threads, one block",
            "exclusive",
            MANY,
            BlockLockBenchmark.SAME));
    rows.addAll(
        run(
            settings,
            "exclusive, 8 threads, 8 blocks of one volume",
            "exclusive",
            MANY,
            BlockLockBenchmark.OWN));
    return rows;
  }

  private static List<Comparison> run(
      RunSettings settings, String label, String method, int threads, String blocks)
      throws RunnerException {
    Map<String, String> params = Map.of(BlockLockBenchmark.BLOCKS, blocks);
    return new JmhRun(BlockLockBenchmark.class, method, threads, params).sides(settings, label);
  }
}
