package io.evenkeel.terasort.core.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class SuiteReportTest {
  private static final long GB = 1_000_000_000L;

  private final SuiteReport report = new SuiteReport(Map.of("rows", 10_000_000L));

  private void run(int run, double seconds, JobFacts facts) {
    for (Phase phase : Phase.values()) {
      report.add(new Measured(run, phase, seconds, GB, facts));
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> sortMean() {
    List<Object> means = (List<Object>) report.json(ExitCode.OK).get("means");
    return (Map<String, Object>) means.get(1);
  }

  @Test
  void means_fourRuns_leaveOutTheFirst() {
    run(1, 1000, JobFacts.NONE);
    run(2, 9, JobFacts.NONE);
    run(3, 10, JobFacts.NONE);
    run(4, 11, JobFacts.NONE);
    Map<String, Object> mean = sortMean();
    assertThat(mean).containsEntry("phase", "TeraSort").containsEntry("runs", 3);
    assertThat((Double) mean.get("seconds")).isCloseTo(10, within(1e-9));
    assertThat((Double) mean.get("secondsDeviation")).isCloseTo(1, within(1e-9));
    assertThat(mean.get("cpuSecondsPerGigabyte")).isNull();
    assertThat(report.text()).contains("mean of 3  TeraSort      10.0 +- 1.000");
  }

  @Test
  void means_oneRun_areThatRun() {
    run(1, 4, new JobFacts.Builder("job_1_1").cpuMillis(6000).maps(4, 4, 0).build());
    assertThat(sortMean())
        .containsEntry("runs", 1)
        .containsEntry("gigabytesPerSecond", 0.25)
        .containsEntry("cpuSecondsPerGigabyte", 6.0)
        .containsEntry("secondsDeviation", null);
    assertThat(report.text()).doesNotContain("mean of");
  }

  @Test
  void text_countersNotKnown_saysSo() {
    run(1, 4, JobFacts.NONE);
    assertThat(report.text().lines().filter(line -> line.contains("TeraSort")))
        .first()
        .asString()
        .containsSubsequence("0.250", "not known", "not known", "not known");
  }

  @Test
  void json_withNotKnownNumbers_canBeWritten() {
    run(1, 4, JobFacts.NONE);
    report.skew(1, 1.02);
    report.failed("TeraSort failed");
    Map<?, ?> json = (Map<?, ?>) Json.parse(Json.compact(report.json(ExitCode.COULD_NOT_RUN)));
    assertThat(json.get("failure")).isEqualTo("TeraSort failed");
    assertThat(json.get("largestOverMeanPartition")).isEqualTo(List.of(1.02));
    assertThat((Map<?, ?>) ((List<?>) json.get("phases")).get(1)).extracting("maps").isNull();
    assertThat(report.text()).endsWith("not complete: TeraSort failed\n");
  }

  @ParameterizedTest
  @CsvSource({"4,4,0,0", "4,0,3,1000", "4,2,2,-1", "-1,-1,-1,-1", "0,0,0,-1", "3,4,0,-1"})
  void remoteBytes_whatCountersTell_isNeverGuessed(
      long maps, long onHost, long inRack, long expected) {
    JobFacts facts = new JobFacts.Builder("j").maps(maps, onHost, inRack).build();
    assertThat(facts.remoteBytes(1000)).isEqualTo(expected);
  }

  @Test
  void cpu_noneCounted_isNotKnown() {
    assertThat(new JobFacts.Builder("j").cpuMillis(0).build().cpuMillis()).isNegative();
  }

  @Test
  void spread_noValue_isNotANumber() {
    assertThat(new SuiteReport.Spread(List.of()).mean()).isNaN();
    assertThat(new SuiteReport.Spread(List.of(3.0)).deviation()).isNaN();
  }
}
