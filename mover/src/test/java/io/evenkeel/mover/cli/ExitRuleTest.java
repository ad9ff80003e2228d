package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class ExitRuleTest {
  @ParameterizedTest
  @CsvSource({
    "'', NOTHING_TO_DO",
    "SATISFIED, OK",
    "MOVED SATISFIED MOVED, OK",
    "DELETED MOVED, OK",
    "DELETED, OK",
    "DELETED MISSING, NO_SUCH_PATH",
    "DELETED DENIED, DENIED",
    "DELETED NO_TARGET, FINDING",
    "MISSING, NO_SUCH_PATH",
    "MISSING MOVED SATISFIED, NO_SUCH_PATH",
    "MISSING MISSING, NO_SUCH_PATH",
    "MISSING NO_TARGET, FINDING",
    "MISSING DENIED, FINDING",
    "MISSING PLANNED, FINDING",
    "DENIED, DENIED",
    "DENIED MOVED, DENIED",
    "DENIED PARTIAL, FINDING",
    "SATISFIED PENDING_OPEN, FINDING",
    "SATISFIED PLANNED, FINDING"
  })
  void of_outcomes_isTheCode(String outcomes, ExitCode expected) {
    FileOutcome[] all =
        Arrays.stream(outcomes.split(" "))
            .filter(name -> !name.isEmpty())
            .map(FileOutcome::valueOf)
            .toArray(FileOutcome[]::new);
    assertThat(ExitRule.of(Reports.of(all))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(FileOutcome.class)
  void of_anyOutcomeBesideSatisfiedFiles_isZeroOnlyWhenSatisfied(FileOutcome outcome) {
    ExitCode code = ExitRule.of(Reports.of(FileOutcome.SATISFIED, outcome));
    assertThat(code == ExitCode.OK).isEqualTo(outcome.isSatisfied());
  }

  @Test
  void of_fileThatLostABlock_isAFindingAndNoMissingPath() {
    MoveReport report =
        new MoveReport.Builder()
            .add(Reports.file("/a", FileOutcome.MISSING, "no live replica"))
            .build();
    assertThat(ExitRule.of(report)).isEqualTo(ExitCode.FINDING);
  }
}
