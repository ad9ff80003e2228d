package io.evenkeel.bench.locking;

import static io.evenkeel.bench.locking.BlockLockBenchmark.OWN;
import static io.evenkeel.bench.locking.BlockLockBenchmark.SAME;

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
  /** What is measured, by the values of {@link BlockLockBenchmark}. */
  private record Case(String method, int threads, String blocks) {
    String label() {
      String which = blocks.equals(SAME) ? "one block" : threads + " blocks of one volume";
      return method + ", " + (threads == 1 ? "1 thread" : threads + " threads, " + which);
    }
  }

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
    List<Case> cases =
        List.of(
            new Case("exclusive", 1, SAME),
            new Case("shared", 1, SAME),
            new Case("shared", 8, SAME),
            new Case("exclusive", 8, SAME),
            new Case("exclusive", 8, OWN));
    List<Comparison> rows = new ArrayList<>();
    for (Case each : cases) {
      Map<String, String> params = Map.of(BlockLockBenchmark.BLOCKS, each.blocks);
      rows.addAll(
          new JmhRun(BlockLockBenchmark.class, each.method, each.threads, params)
              .compare(settings, each.label()));
    }
    return rows;
  }
}
