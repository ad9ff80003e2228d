package io.evenkeel.placement.core.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MappingReportTest {
  private final Map<String, String> said = new LinkedHashMap<>();

  private MappingReport report() {
    return MappingReport.of(new MappingRules(2, UnknownMode.WARN, EmitLevel.PATH), said);
  }

  @Test
  void report_mixedMapping_countsEveryFinding() {
    said.put("h1", "/r1/n1");
    said.put("h2", "/r2/n1");
    said.put("h3", "/r2/n2");
    said.put("h4", "/r2");
    said.put("h5", null);
    said.put("h6", "/default-rack");
    said.put("h7", "rack");
    MappingReport report = report();
    assertThat(report.hosts()).isEqualTo(7);
    assertThat(report.count(Finding.KNOWN)).isEqualTo(3);
    assertThat(report.count(Finding.WRONG_DEPTH)).isEqualTo(1);
    assertThat(report.count(Finding.UNKNOWN)).isEqualTo(2);
    assertThat(report.count(Finding.MALFORMED)).isEqualTo(1);
    assertThat(report.depths()).containsExactly(Map.entry(1, 2), Map.entry(2, 3));
    assertThat(report.repeatedGroups()).containsOnlyKeys("n1");
    assertThat(report.repeatedGroups().get("n1")).containsExactly("/r1", "/r2");
    assertThat(report.problems())
        .containsExactly(
            "h4 -> /r2 (wrong depth)",
            "h5 -> nothing (unknown)",
            "h6 -> /default-rack (unknown)",
            "h7 -> rack (not a network location)");
    assertThat(report.firstProblems(1)).isEqualTo("h4 -> /r2 (wrong depth) and 3 more");
    assertThat(report.firstProblems(4)).doesNotContain("more");
  }

  @Test
  void report_siblingsOnOneHost_areNotRepeated() {
    said.put("vm1", "/r1/n1");
    said.put("vm2", "/r1/n1");
    assertThat(report().repeatedGroups()).isEmpty();
    assertThat(report().problems()).isEmpty();
  }
}
