package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class SpoolTextTest {
  private static SpoolText text() {
    Map<String, String> paths = new LinkedHashMap<>();
    paths.put("/a", "");
    paths.put("/ab", "");
    paths.put("relative", "not an absolute path");
    return new SpoolText("request", "alice", paths);
  }

  @Test
  void parse_whatWasFormatted_isTheSame() {
    SpoolText read = SpoolText.parse(text().format());
    assertThat(read.name()).isEqualTo("request");
    assertThat(read.owner()).isEqualTo("alice");
    assertThat(read.accepted()).containsExactly("/a", "/ab");
    assertThat(read.format()).isEqualTo(text().format());
  }

  @Test
  void results_aPathWithUnsatisfiedFiles_namesTheFirst_othersAreNotMixedUp() {
    MoveReport report =
        new MoveReport.Builder()
            .add(FileReport.of("/a/1", FileOutcome.NO_TARGET, "no SSD"))
            .add(FileReport.of("/a/2", FileOutcome.FAILED, "x"))
            .add(FileReport.of("/ab/1", FileOutcome.MOVED, ""))
            .build();
    assertThat(text().results(report))
        .containsExactly(
            "/a\tnot satisfied, 2: /a/1: no target (no SSD)",
            "/ab\tsatisfied",
            "relative\trefused: not an absolute path");
  }

  @Test
  void results_theRequestCouldNotBeRead_areNotKnown() {
    MoveReport report =
        new MoveReport.Builder().add(FileReport.of("", FileOutcome.FAILED, "no answer")).build();
    assertThat(text().results(report))
        .contains("/a\tnot known: no answer", "/ab\tnot known: no answer");
  }

  @Test
  void results_moreFilesThanTheReportLists_whatIsNotListedIsNotKnown() {
    MoveReport.Builder report = new MoveReport.Builder();
    for (int i = 0; i < MoveReport.LISTED_FILES; i++) {
      report.add(FileReport.of("/a/" + i, FileOutcome.NO_TARGET, "no SSD"));
    }
    report.add(FileReport.of("/ab/1", FileOutcome.NO_TARGET, "no SSD"));
    assertThat(text().results(report.build()))
        .anyMatch(line -> line.startsWith("/a\tnot satisfied, 10000: "))
        .contains("/ab\tnot known: 1 files more are not satisfied");
  }

  /** Who renames a directory while it is read has what is below it told by its inode id. */
  @Test
  void results_fileBelowADirectoryThatWasRenamed_noPathIsCalledSatisfied() {
    MoveReport.Builder report = new MoveReport.Builder();
    report.add(FileReport.of("/.reserved/.inodes/9/f", FileOutcome.PINNED, "favored nodes"));
    assertThat(text().results(report.build()))
        .anyMatch(line -> line.startsWith("/a\tnot known: /.reserved/.inodes/9/f"))
        .noneMatch(line -> line.contains("satisfied") && !line.contains("not"));
  }

  @Test
  void results_noReport_isAFailureOfTheAcceptedOnes() {
    assertThat(text().results(null))
        .containsExactly("/a\tfailed", "/ab\tfailed", "relative\trefused: not an absolute path");
  }
}
