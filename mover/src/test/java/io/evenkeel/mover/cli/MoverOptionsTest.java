package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

@Tag("once")
class MoverOptionsTest {
  @Test
  void parse_pathsInEveryWay_areAllThere() {
    MoverOptions options =
        MoverOptions.parse(
            "-p", "/a", "/b*", "--json", "hdfs://ns/c", "-", "-f", "list", "--", "/d");
    assertThat(options.paths).containsExactly("/a", "/b*", "hdfs://ns/c", "/d");
    assertThat(options.lists).containsExactly("list", "-");
    assertThat(MoverOptions.parse("-f", "-").lists).containsExactly("-");
    assertThat(MoverOptions.parse("-p", "-").lists).containsExactly("-");
  }

  @Test
  void parse_values_areRead() {
    MoverOptions options =
        MoverOptions.parse(
            "/a",
            "--watch",
            "--throttle",
            "50m",
            "--deadline=10m",
            "--delay",
            "2s",
            "--interval",
            "500ms");
    assertThat(options.bytesPerSecond()).isEqualTo(50L << 20);
    assertThat(options.deadline()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.delay()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.interval()).isEqualTo(Duration.ofMillis(500));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--json|no path is given; give paths, or / for everything",
        "/a -x|-x",
        "-p /a -x|-x",
        "/a --bogus|--bogus",
        "-p|-p",
        "-f|-f",
        "/a --throttle x|--throttle: 'x' is not a size",
        "/a --throttle -1|--throttle",
        "/a --throttle 0|--throttle is 0",
        "/a --throttle 9999999p|--throttle",
        "/a --deadline soon|--deadline: 'soon' is not a duration",
        "/a --deadline 0|--deadline is 0",
        "/a --delay 1y|--delay: '1y'",
        "/a --watch --interval 1ms|--interval is below 100ms",
        "/a --interval 30s|--interval is for --watch",
        "/a --policy COLD|--policy needs --dry-run",
        "/a --watch --dry-run|--watch and --dry-run",
        "- -f -|standard input can be read once",
        "--follow /a|--follow cannot be combined with /a",
        "--follow - -f list|--follow cannot be combined with - -f",
        "--follow --debug --pause|--follow cannot be combined with --pause",
        "--pause --resume|--pause cannot be combined with --resume",
        "--resume --interval 1m|--resume cannot be combined with --interval",
        "--requests /a|--requests cannot be combined with /a",
        "--requests --run-during-upgrade|--requests cannot be combined with --run-during-upgrade",
        "--cancel 3 --json|--cancel cannot be combined with --json",
        "--cancel 0|needs a number",
        "--cancel x|--cancel",
        "--follow --json|--follow cannot be combined with --json",
        "--follow --throttle 50m|--follow cannot be combined with --throttle"
      })
  void parse_senseless_namesTheOptionOrPath(String args, String message) {
    assertThatThrownBy(() -> MoverOptions.parse(args.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void parse_ofADaemon_needsNoPath() {
    assertThat(MoverOptions.parse("--follow", "--run-during-upgrade", "--debug").follow).isTrue();
    assertThat(MoverOptions.parse("--requests", "--json", "--debug").asksDaemon()).isTrue();
    assertThat(MoverOptions.parse("--cancel", "3").cancelled).isEqualTo(3);
  }

  @Test
  void parse_emptyList_isRefused() {
    assertThatThrownBy(() -> MoverOptions.parse("-f", "")).hasMessageContaining("-f is empty");
  }

  @Test
  void usage_saysWhatComesFirstAndTheDefaults() {
    assertThat(MoverOptions.usage()).contains("-Dkey=value", "(30s)");
  }

  @Test
  void options_inTheDocs_areThoseOfTheProgram() throws IOException {
    String expected =
        new MoverOptions()
            .line().getCommandSpec().options().stream()
                .map(MoverOptionsTest::row)
                .collect(Collectors.joining("", "| argument | meaning |\n|---|---|\n", ""));
    String marker = "<!-- arguments of evenkeel mover -->\n";
    String doc = Files.readString(Path.of("../docs/commands-tools.md"));
    assertThat(doc).contains(marker);
    int from = doc.indexOf(marker) + marker.length();
    assertThat(doc.substring(from, doc.indexOf("<!-- end -->", from))).isEqualTo(expected);
  }

  private static String row(OptionSpec option) {
    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    String names =
        Arrays.stream(option.names())
            .map(name -> "`" + name + value + "`")
            .collect(Collectors.joining(", "));
    return "| " + names + " | " + String.join(" ", option.description()) + " |\n";
  }
}
