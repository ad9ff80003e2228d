package io.evenkeel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.report.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SectionsTest {
  private static final String SENTENCE = "Stock wrote less.";

  private static Map<String, Object> row(double stock, double evenkeel, String better) {
    return Map.of("name", "speed", "stock", stock, "evenkeel", evenkeel, "better", better);
  }

  private static Map<String, Object> report(String state, Map<String, Object> row) {
    return Map.of(
        "modules", List.of(Map.of("module", "volume", "state", state)),
        "sections",
            List.of(
                Map.of("id", "terasort", "status", "not selected", "reason", "because"),
                Map.of(
                    "id", "volume",
                    "title", "A slow disk",
                    "status", "done",
                    "finding", SENTENCE,
                    "rows", List.of(row))));
  }

  private static List<Finding> found(Map<String, Object> report) {
    List<Finding> found = new ArrayList<>();
    Sections.measured(new Doc(report), new ArrayList<>(), found);
    return found;
  }

  private static Kind kind(String state, Map<String, Object> row) {
    List<Finding> found = found(report(state, row));
    assertThat(found).extracting(Finding::headline).containsExactly(SENTENCE);
    return found.get(0).kind();
  }

  @Test
  void measured_activeModule_firstRowSaysBetterWorseOrSame() {
    assertThat(kind("active", row(1, 2, "more"))).isEqualTo(Kind.BETTER);
    assertThat(kind("active", row(1, 2, "less"))).isEqualTo(Kind.WORSE);
    assertThat(kind("active", row(2, 2, "less"))).isEqualTo(Kind.SAME);
    assertThat(kind("active", row(1, 2, "neither"))).isEqualTo(Kind.NOTE);
  }

  @Test
  void measured_moduleThatFellBack_isCreditedWithNothing() {
    assertThat(kind("fallback", row(1, 2, "more"))).isEqualTo(Kind.NOTE);
  }

  @Test
  void measured_failedSection_saysWhy() {
    Map<String, Object> failed =
        Map.of("id", "volume", "title", "A slow disk", "status", "failed", "reason", "no hook");
    assertThat(found(Map.of("sections", List.of(failed))))
        .containsExactly(new Finding(Kind.NOTE, "A slow disk failed.", "no hook"));
  }

  @Test
  void findings_suiteNotSelected_sayNothingOfItsHalves() {
    assertThat(Report.of(report("active", row(1, 2, "more"))).findings())
        .extracting(Finding::headline)
        .containsExactly(SENTENCE);
  }
}
