package io.evenkeel.bench.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import io.evenkeel.bench.locking.BlockLockBenchmark.OneBlock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class BlockLockBenchmarkIT {
  private static final int THREADS = 4;
  private static final int CALLS = 1_000;

  @BeforeEach
  void onHadoopThatHasALockManager() {
    assumeThat(Release.has(new RunSettings(true, 1, line -> {}), "here")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {JmhRun.STOCK, JmhRun.EVENKEEL})
  void benchmark_eitherArm_locksAndGivesBackInEveryCase(String arm) throws Exception {
    BlockLockBenchmark benchmark = new BlockLockBenchmark();
    benchmark.arm = arm;
    benchmark.start();
    try {
      for (String blocks : new String[] {BlockLockBenchmark.SAME, BlockLockBenchmark.OWN}) {
        benchmark.blocks = blocks;
        lockAtOnce(benchmark);
        assertThat(benchmark.liveLocks()).isZero();
      }
    } finally {
      benchmark.stop();
    }
  }

  /** A lock that is not given back stops the next exclusive one until the timeout. */
  private static void lockAtOnce(BlockLockBenchmark benchmark) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      Future<?>[] running = new Future<?>[THREADS];
      CountDownLatch start = new CountDownLatch(1);
      for (int t = 0; t < THREADS; t++) {
        OneBlock block = new OneBlock();
        block.of(benchmark, benchmark.blocks.equals(BlockLockBenchmark.SAME) ? 0 : t);
        running[t] =
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < CALLS; i++) {
                    assertThat(benchmark.exclusive(block)).isPositive();
                    assertThat(benchmark.shared(block)).isPositive();
                  }
                  return null;
                });
      }
      start.countDown();
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
