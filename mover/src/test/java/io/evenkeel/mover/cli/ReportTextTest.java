package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ReportTextTest {
  private static String text(MoveReport report, String... options) {
    return ReportText.of(report, MoverOptions.parse(options), 2345, 1);
  }

  @Test
  void of_mixedReport_isThis() {
    MoveReport report =
        new MoveReport.Builder()
            .add(FileReport.of("/a", FileOutcome.SATISFIED, ""))
            .add(Reports.file("/b", FileOutcome.MOVED, ""))
            .add(FileReport.of("/c\nd", FileOutcome.NO_TARGET, "no DataNode has SSD"))
            .build();
    assertThat(text(report, "/"))
        .isEqualTo(
            """
            files: 1 already satisfied, 1 moved, 1 no target
            replicas moved: 2 inside their DataNode (2.00 kB), 1 to another DataNode (1.00 kB)
            retries: 3
            elapsed: 2.3 s
            not satisfied: 1 of 3 files
              /c\\nd: no target (no DataNode has SSD)
            """);
  }

  @Test
  void of_dryRun_saysWhatWould() {
    MoveReport report =
        new MoveReport.Builder().add(Reports.file("/b", FileOutcome.PLANNED, "")).build();
    assertThat(text(report, "/", "--dry-run", "--policy", "COLD"))
        .startsWith("dry run: nothing was moved, planned for the policy COLD\n")
        .contains("files: 1 would be moved\n")
        .contains("replicas that would be moved: 2 inside");
  }

  @Test
  void of_noFile_saysNone() {
    assertThat(ReportText.of(Reports.of(), MoverOptions.parse("/"), 0, 3))
        .startsWith("files: none\n")
        .contains("elapsed: 0.0 s in 3 rounds\n")
        .doesNotContain("not satisfied");
  }

  @Test
  void of_manyUnsatisfied_listsTheFirstUnlessAllAreAskedFor() {
    FileOutcome[] open =
        Stream.generate(() -> FileOutcome.PENDING_OPEN).limit(25).toArray(FileOutcome[]::new);
    List<String> first = text(Reports.of(open), "/").lines().toList();
    assertThat(first).filteredOn(line -> line.startsWith("  /")).hasSize(20);
    assertThat(first).last().isEqualTo("  and 5 more; --verbose lists them");
    assertThat(text(Reports.of(open), "/", "--verbose").lines())
        .filteredOn(line -> line.startsWith("  "))
        .hasSize(25)
        .last()
        .isEqualTo("  /24: pending, open for writing");
  }
}
