package io.evenkeel.terasort.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.core.suite.JobFacts;
import org.junit.jupiter.api.Test;

class SuiteRunnerTest {
  private static JobFacts counted(long checksum) {
    return new JobFacts.Builder("job_1_1").checksum(checksum).build();
  }

  @Test
  void expected_counterHoldsTheSum_isSumAndRows() {
    assertThat(SuiteRunner.expected(counted(-1), 20, "/gen")).isEqualTo("ffffffffffffffff:20");
  }

  @Test
  void expected_sumMayBeLonger_isItsLowBits() {
    assertThat(SuiteRunner.expected(counted(-7), 1L << 32, "/gen")).isEqualTo("counter:-7");
    assertThat(SuiteRunner.expected(counted(7), (1L << 32) - 1, "/gen")).startsWith("7:");
  }

  @Test
  void expected_counterNotKnown_isTheDirectory() {
    assertThat(SuiteRunner.expected(JobFacts.NONE, 20, "/gen")).isEqualTo("/gen");
  }
}
