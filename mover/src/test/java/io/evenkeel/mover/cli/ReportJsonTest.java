package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ReportJsonTest {
  private static final MoveReport REPORT =
      new MoveReport.Builder()
          .add(Reports.file("/b", FileOutcome.PARTIAL, "disk full"))
          .add(FileReport.of("/a", FileOutcome.SATISFIED, ""))
          .build();

  private static Map<String, Object> json(String... options) {
    MoverOptions parsed = MoverOptions.parse(options);
    return ReportJson.of(REPORT, parsed, ExitCode.FINDING, 1500, 2);
  }

  @Test
  void of_report_isThis() {
    String json = Json.compact(json("/", "--dry-run", "--policy", "COLD"));
    assertThat(json)
        .startsWith("{\"schema\":\"evenkeel.mover/1\",\"evenkeel\":") // the version, if packaged
        .contains(
            ",\"exitCode\":2,\"failure\":null,"
                + "\"satisfied\":false,\"dryRun\":true,\"policy\":\"COLD\",\"elapsedSeconds\":1.5,"
                + "\"rounds\":2,\"fileCount\":2,\"outcomes\":{\"SATISFIED\":1,\"MOVED\":0,")
        .endsWith(
            "\"FAILED\":0},\"localReplicas\":2,\"remoteReplicas\":1,\"localBytes\":2048,"
                + "\"remoteBytes\":1024,\"retries\":3,\"files\":[{\"path\":\"/b\","
                + "\"inodeId\":16386,\"outcome\":\"PARTIAL\",\"reason\":\"disk full\","
                + "\"localReplicas\":2,\"remoteReplicas\":1,\"localBytes\":2048,"
                + "\"remoteBytes\":1024,\"retries\":3,\"blocks\":[{\"id\":1073741825,"
                + "\"outcome\":\"PARTIAL\",\"reason\":\"disk full\",\"localReplicas\":2,"
                + "\"remoteReplicas\":1,\"localBytes\":2048,\"remoteBytes\":1024,"
                + "\"retries\":3}]}]}");
  }

  @Test
  void of_all_listsSatisfiedFilesToo() {
    List<?> files = (List<?>) json("/", "--verbose").get("files");
    assertThat(files).hasSize(2);
    assertThat(((Map<?, ?>) files.get(1)).get("inodeId")).isNull();
  }

  @Test
  void failed_hasTheReason() {
    assertThat(ReportJson.failed(ExitCode.DENIED, "no"))
        .containsEntry("exitCode", 5)
        .containsEntry("failure", "no");
  }
}
