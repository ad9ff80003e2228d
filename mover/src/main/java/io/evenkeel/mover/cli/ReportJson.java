package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveCounts;
import io.evenkeel.mover.request.MoveReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report for programs, schema {@code evenkeel.mover/1}. Stateless. */
final class ReportJson {
  private static final String SCHEMA = "evenkeel.mover/1";

  private ReportJson() {}

  /**
   * The document of a run; with {@code --verbose} satisfied files are listed too.
   *
   * @param exitCode what the command ends with
   * @param rounds how often the request was made, 1 without {@code --watch}
   */
  static Map<String, Object> of(
      MoveReport report, MoverOptions options, ExitCode exitCode, long elapsedMillis, int rounds) {
    Map<String, Object> json = failed(exitCode, null);
    json.put("satisfied", report.isSatisfied());
    json.put("dryRun", options.dryRun);
    json.put("policy", options.policy);
    json.put("elapsedSeconds", elapsedMillis / 1000.0);
    json.put("rounds", rounds);
    json.put("fileCount", report.fileCount());
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (FileOutcome outcome : FileOutcome.values()) {
      outcomes.put(outcome.name(), report.files(outcome));
    }
    json.put("outcomes", outcomes);
    putCounts(json, report.counts());
    List<Object> files = new ArrayList<>();
    for (FileReport file : report.listed()) {
      if (options.verbose || !file.outcome().isSatisfied()) {
        files.add(file(file));
      }
    }
    json.put("files", files);
    return json;
  }

  /** The document of a run that has no report. */
  static Map<String, Object> failed(ExitCode exitCode, String failure) {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode);
    json.put("failure", failure);
    return json;
  }

  private static void putCounts(Map<String, Object> json, MoveCounts counts) {
    json.put("localReplicas", counts.localReplicas());
    json.put("remoteReplicas", counts.remoteReplicas());
    json.put("localBytes", counts.localBytes());
    json.put("remoteBytes", counts.remoteBytes());
    json.put("retries", counts.retries());
  }

  private static Map<String, Object> file(FileReport file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", file.path());
    json.put("inodeId", file.inodeId() == 0 ? null : file.inodeId());
    json.put("outcome", file.outcome().name());
    json.put("reason", file.reason().isEmpty() ? null : file.reason());
    putCounts(json, file.counts());
    List<Object> blocks = new ArrayList<>();
    for (BlockResult block : file.blocks()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", block.blockId());
      one.put("outcome", block.outcome().name());
      one.put("reason", block.reason().isEmpty() ? null : block.reason());
      putCounts(one, block.counts());
      blocks.add(one);
    }
    json.put("blocks", blocks);
    return json;
  }
}
