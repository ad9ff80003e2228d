package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;

/** What a run ends with: 0 only when no replica asked for is on a wrong type. Stateless. */
public final class ExitRule {
  private ExitRule() {}

  /**
   * The exit code of a report.
   *
   * <ul>
   *   <li>no file at all (empty directories): nothing to do
   *   <li>every file as its policy asks, or deleted meanwhile: OK
   *   <li>all that is not satisfied are paths that do not exist, or globs nothing matches: no such
   *       path
   *   <li>all that is not satisfied was denied: denied
   *   <li>anything else, a dry run that would move something included: a finding
   * </ul>
   */
  public static ExitCode of(MoveReport report) {
    long unsatisfied = report.fileCount() - report.satisfiedCount();
    if (report.fileCount() == 0) {
      return ExitCode.NOTHING_TO_DO;
    }
    if (unsatisfied == 0) {
      return ExitCode.OK;
    }
    if (report.files(FileOutcome.DENIED) == unsatisfied) {
      return ExitCode.DENIED;
    }
    boolean onlyMissing = report.files(FileOutcome.MISSING) == unsatisfied;
    return onlyMissing && report.listed().stream().noneMatch(ExitRule::isFileWithoutReplica)
        ? ExitCode.NO_SUCH_PATH
        : ExitCode.FINDING;
  }

  /** Missing is said of a path that is not there and of a file without a live replica. */
  private static boolean isFileWithoutReplica(FileReport file) {
    return file.outcome() == FileOutcome.MISSING && file.inodeId() != 0;
  }
}
