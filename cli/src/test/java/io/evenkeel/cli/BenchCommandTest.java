package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The parts that need no child JVM. */
class BenchCommandTest {
  private final StringWriter out = new StringWriter();

  private CommandLine command() {
    CommandLine line = new CommandLine(new BenchCommand());
    line.setOut(new PrintWriter(out));
    line.setExecutionExceptionHandler(
        (e, cmd, parsed) -> {
          out.append(e.getMessage());
          return 64;
        });
    return line;
  }

  @Test
  void call_list_printsNamesAndRunsNothing() {
    assertThat(command().execute("--list")).isZero();
    assertThat(out.toString()).contains("volume.share", "volume.chooser");
  }

  @Test
  void call_listOfOneName_printsThatOneOnly() {
    assertThat(command().execute("--list", "--only", "volume.share")).isZero();
    assertThat(out.toString()).startsWith("volume.share ").hasLineCount(1);
  }

  @Test
  void call_listOfAnUnknownName_fails() {
    assertThat(command().execute("--list", "--only", "foo")).isEqualTo(64);
    assertThat(out.toString()).isEqualTo("there is no benchmark 'foo'; --list shows all");
  }

  @Test
  void call_listAsJson_goesWhereTheOptionSays(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("list.json");
    assertThat(command().execute("--list", "--json", file.toString())).isZero();
    assertThat(out.toString()).startsWith("volume.share ");
    assertThat((List<?>) Json.parse(Files.readString(file))).isNotEmpty();
  }

  @Test
  void call_unknownName_failsBeforeAnythingIsStarted() {
    assertThat(command().execute("--only", "volume.choser", "--hadoop", "0.0.0")).isEqualTo(64);
    assertThat(out.toString()).contains("did you mean 'volume.chooser'");
  }

  @Test
  void call_jsonCannotBeWritten_failsBeforeAnythingIsStarted(@TempDir Path dir) {
    Path none = dir.resolve("none/a.json");
    assertThat(command().execute("--json", none.toString(), "--hadoop", "0.0.0")).isEqualTo(64);
    assertThat(command().execute("--json", dir.toString(), "--hadoop", "0.0.0")).isEqualTo(64);
    assertThat(out.toString())
        .isEqualTo(
            "--json "
                + none
                + " cannot be written: its directory does not exist"
                + ("--json " + dir + " cannot be written: it is a directory"));
  }

  @Test
  void call_seedIsNoWholeNumber_isMisuse() {
    assertThat(command().execute("--list", "--seed", "-7")).isZero();
    assertThat(command().execute("--list", "--seed", "seven")).isEqualTo(2); // 64 from evenkeel
  }
}
