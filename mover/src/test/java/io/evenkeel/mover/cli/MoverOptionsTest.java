package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(options.given()).containsExactly("/a", "/b*", "hdfs://ns/c", "/d");
    assertThat(options.files()).containsExactly("list");
    assertThat(options.readsStandardInput()).isTrue();
    assertThat(MoverOptions.parse("-f", "-").readsStandardInput()).isTrue();
    assertThat(MoverOptions.parse("-p", "-").readsStandardInput()).isTrue();
  }

  @Test
  void parse_values_areRead() {
    MoverOptions options =
        MoverOptions.parse(
            "/a", "--throttle", "50m", "--deadline=10m", "--delay", "2s", "--interval", "500ms");
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
        "a/b|'a/b' is relative",
        "/ok -p b|'b' is relative",
        "/a/../b|'/a/../b' has a part . or ..",
        "/a/.|'/a/.' has a part",
        "file:///a|'file:///a' is not a path of HDFS",
        "viewfs://c/a|'viewfs://c/a' is not",
        "hdfs://ns|'hdfs://ns' has no absolute path",
        "hdfs:a|'hdfs:a' has no absolute path",
        "/a --throttle x|--throttle: 'x' is not a size",
        "/a --throttle -1|--throttle",
        "/a --throttle 0|--throttle is 0",
        "/a --throttle 9999999p|--throttle",
        "/a --deadline soon|--deadline: 'soon' is not a duration",
        "/a --deadline 0|--deadline is 0",
        "/a --delay 1y|--delay: '1y'",
        "/a --interval 1ms|--interval is below 100ms",
        "/a --policy COLD|--policy needs --dry-run",
        "/a --watch --dry-run|--watch and --dry-run",
        "- --watch|--watch cannot read standard input again",
        "- -f -|standard input can be read once",
        "--follow /a|--follow takes no paths",
        "--pause --resume|cannot be combined",
        "--requests /a|they allow only",
        "--cancel 3 --json|they allow only",
        "--cancel 0|needs a number",
        "--cancel x|--cancel",
        "--follow --json|--follow takes only",
        "--follow --throttle 50m|evenkeel.mover.bandwidth-per-datanode"
      })
  void parse_senseless_namesTheOptionOrPath(String args, String message) {
    assertThatThrownBy(() -> MoverOptions.parse(args.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void parse_emptyPath_isRefused() {
    assertThatThrownBy(() -> MoverOptions.parse("")).hasMessageContaining("a path is empty");
    assertThatThrownBy(() -> MoverOptions.parse("-f", "")).hasMessageContaining("-f is empty");
  }

  @Test
  void parse_pathsWithOddCharacters_stayAsTheyAre() {
    NamedPath path = NamedPath.parse("hdfs://nn:8020//a b/%20:c//");
    assertThat(path.authority()).isEqualTo("nn:8020");
    assertThat(path.path()).isEqualTo("/a b/%20:c");
    assertThat(NamedPath.parse("hdfs:///a").authority()).isEmpty();
    assertThat(NamedPath.parse("/a:b/@x").path()).isEqualTo("/a:b/@x");
    assertThat(NamedPath.parse("//").path()).isEqualTo("/");
    assertThat(NamedPath.parse("/a/{b,c}").isGlob()).isTrue();
    assertThat(NamedPath.parse("/a/b").isGlob()).isFalse();
  }

  @Test
  void usage_saysWhatComesFirstAndTheDefaults() {
    assertThat(MoverOptions.usage()).contains("-Dkey=value", "(30s)");
  }

  @Test
  void options_inTheDocs_areThoseOfTheProgram() throws Exception {
    String expected =
        MoverOptions.line(MoverOptions.empty()).getCommandSpec().options().stream()
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
