package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.jmh.JmhRun;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class PlanBenchmarkIT {
  @ParameterizedTest
  @CsvSource({
    JmhRun.STOCK + "," + PlanBenchmark.NONE + ",0",
    JmhRun.EVENKEEL + "," + PlanBenchmark.NONE + ",0",
    JmhRun.STOCK + "," + PlanBenchmark.INSIDE + ",1",
    JmhRun.EVENKEEL + "," + PlanBenchmark.INSIDE + ",1",
    JmhRun.STOCK + "," + PlanBenchmark.OTHER + ",1",
    JmhRun.EVENKEEL + "," + PlanBenchmark.OTHER + ",1"
  })
  void plan_everyBlockTwiceAndMore_plansTheMoveItNeeds(String arm, String move, int moves)
      throws Exception {
    PlanBenchmark benchmark = new PlanBenchmark();
    benchmark.arm = arm;
    benchmark.move = move;
    benchmark.start();
    try {
      for (int i = 0; i < 2 * StockPlanner.QUEUED + 1; i++) {
        assertThat(benchmark.plan()).as("block %d", i).isEqualTo(moves);
      }
    } finally {
      benchmark.stop();
    }
  }
}
