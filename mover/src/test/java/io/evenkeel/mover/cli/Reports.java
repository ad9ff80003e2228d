package io.evenkeel.mover.cli;

import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveCounts;
import io.evenkeel.mover.request.MoveReport;
import java.util.List;

/** Reports for tests. */
public final class Reports {
  private Reports() {}

  /** A report of one file for each outcome named, {@code /0}, {@code /1} and so on. */
  public static MoveReport of(FileOutcome... outcomes) {
    MoveReport.Builder report = new MoveReport.Builder();
    for (int i = 0; i < outcomes.length; i++) {
      report.add(FileReport.of("/" + i, outcomes[i], ""));
    }
    return report.build();
  }

  /** A file with one block of which replicas were moved. */
  public static FileReport file(String path, FileOutcome outcome, String reason) {
    return new FileReport(
        path,
        16386,
        outcome,
        reason,
        List.of(new BlockResult(1073741825, outcome, reason, new MoveCounts(2, 1, 2048, 1024, 3))));
  }
}
