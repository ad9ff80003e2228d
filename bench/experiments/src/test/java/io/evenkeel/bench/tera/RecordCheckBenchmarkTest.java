package io.evenkeel.bench.tera;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import org.junit.jupiter.api.Test;

class RecordCheckBenchmarkTest {
  @Test
  void check_ours_returnsTheSumOfAllRecords() throws Exception {
    long crc32 = new RecordChecks(RunSettings.DEFAULT_SEED).crc32();
    assertThat(check(JmhRun.EVENKEEL)).isEqualTo(crc32).isNotZero();
  }

  @Test
  void check_stock_writesBothEdgesAndTheSum() throws Exception {
    assertThat(check(JmhRun.STOCK)).isEqualTo(3);
  }

  private static long check(String arm) throws Exception {
    RecordCheckBenchmark benchmark = new RecordCheckBenchmark();
    benchmark.arm = arm;
    benchmark.prepare();
    return benchmark.check();
  }
}
