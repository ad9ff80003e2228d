package io.evenkeel.mover.cli;

import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Units;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveCounts;
import io.evenkeel.mover.request.MoveReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats a {@link MoveReport} as plain text. Stateless. */
final class ReportText {
  /** How many unsatisfied files are listed unless all are asked for. */
  private static final int FIRST_FILES = 20;

  private ReportText() {}

  /**
   * Lines, each ended by a line feed; with {@code --verbose} all unsatisfied files the report has,
   * else the first.
   *
   * @param rounds how often the request was made, 1 without {@code --watch}
   */
  static String of(MoveReport report, MoverOptions options, long elapsedMillis, int rounds) {
    StringBuilder text = new StringBuilder();
    if (options.dryRun) {
      text.append("dry run: nothing was moved");
      text.append(options.policy == null ? "" : ", planned for the policy " + options.policy);
      text.append('\n');
    }
    text.append("files: ").append(files(report)).append('\n');
    counts(report.counts(), options.dryRun, text);
    text.append(String.format(Locale.ROOT, "elapsed: %.1f s", elapsedMillis / 1000.0));
    text.append(rounds > 1 ? " in " + rounds + " rounds" : "").append('\n');
    unsatisfied(report, options.verbose, text);
    return text.toString();
  }

  /** Files by outcome on one line. */
  static String files(MoveReport report) {
    if (report.fileCount() == 0) {
      return "none";
    }
    return report.files().entrySet().stream()
        .map(ReportText::count)
        .collect(Collectors.joining(", "));
  }

  private static String count(Map.Entry<FileOutcome, Long> entry) {
    return entry.getValue() + " " + entry.getKey().words();
  }

  private static void counts(MoveCounts counts, boolean dryRun, StringBuilder text) {
    text.append(dryRun ? "replicas that would be moved: " : "replicas moved: ");
    text.append(counts.localReplicas()).append(" inside their DataNode (");
    text.append(Units.humanBytes(counts.localBytes())).append("), ");
    text.append(counts.remoteReplicas()).append(" to another DataNode (");
    text.append(Units.humanBytes(counts.remoteBytes())).append(")\n");
    if (counts.retries() > 0) {
      text.append("retries: ").append(counts.retries()).append('\n');
    }
  }

  private static void unsatisfied(MoveReport report, boolean all, StringBuilder text) {
    long count = report.fileCount() - report.satisfiedCount();
    if (count == 0) {
      return;
    }
    text.append("not satisfied: ").append(count).append(" of ").append(report.fileCount());
    text.append(report.fileCount() == 1 ? " file\n" : " files\n");
    List<FileReport> shown =
        report.listed().stream()
            .filter(file -> !file.outcome().isSatisfied())
            .limit(all ? Long.MAX_VALUE : FIRST_FILES)
            .collect(Collectors.toList());
    for (FileReport file : shown) {
      text.append("  ").append(oneLine(file)).append('\n');
    }
    if (shown.size() < count) {
      text.append("  and ").append(count - shown.size()).append(" more");
      text.append(all ? "\n" : "; --verbose lists them\n");
    }
  }

  /** A file, what became of it and why; one line whatever its name is. */
  static String oneLine(FileReport file) {
    return OneLine.of(file.toString());
  }
}
