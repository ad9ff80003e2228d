package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.DemoSection.Passes;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoReportTest {
  private final DemoReport report =
      new DemoReport(
          new DemoOptions(1, "3.4.3", Path.of("x"), "hosts", false, false, false),
          new Passes(1, false),
          null);

  @ParameterizedTest
  @ValueSource(strings = {"done", "not selected"})
  void section_thatNothingHappenedTo_isNoFailure(String status) {
    assertThat(report.section(Map.of("status", status))).isTrue();
  }

  @Test
  void section_failed_isOne() {
    assertThat(report.section(Map.of("status", "failed"))).isFalse();
  }
}
