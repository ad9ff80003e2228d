package io.evenkeel.terasort.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

@Tag("once")
class SuiteOptionsTest {
  @Test
  void parse_rowsOnly_hasTheDefaults() {
    SuiteOptions options = SuiteOptions.parse("--rows", "10m");
    assertThat(options.rows()).isEqualTo(10_000_000);
    assertThat(options.samples()).isZero();
    assertThat(options.repeat).isEqualTo(1);
    assertThat(options.dir).isEqualTo("evenkeel-terasort");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--repeat 2|give --rows",
        "--rows 0|--rows: '0' rows are not allowed",
        "--rows 1x|--rows: '1x' is not a number",
        "--rows 1 --reducers 0|--reducers = 0",
        "--rows 1 --maps 1000001|--maps = 1000001",
        "--rows 1 --replication 513|--replication = 513",
        "--rows 1 --repeat 0|--repeat = 0",
        "--rows 1 --samples some|--samples",
        "--rows 1 --samples 0|--samples",
        "--rows 1 --skew 1|--skew = 1.0",
        "--rows 1 --probes 1|--probes = 1",
        "--rows 1 --bogus|--bogus",
        "--rows 1 more|more",
        "--input in|--input needs --forecast",
        "--rows 1 --input in --forecast|give --rows, or"
      })
  void parse_senseless_namesTheOption(String args, String message) {
    assertThatThrownBy(() -> SuiteOptions.parse(args.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void parse_fileNamesWithAt_areNotExpanded() throws Exception {
    Path file = Files.writeString(Files.createTempFile("args", ".txt"), "--keep");
    assertThat(SuiteOptions.parse("--rows", "1", "--dir", "@" + file).dir).isEqualTo("@" + file);
  }

  @Test
  void usage_saysWhatComesFirst() {
    assertThat(SuiteOptions.usage()).contains("--samples", "95 %", "-Dkey=value");
  }

  @Test
  void options_inTheDocs_areThoseOfTheProgram() throws Exception {
    String expected =
        SuiteOptions.line(SuiteOptions.empty()).getCommandSpec().options().stream()
            .map(SuiteOptionsTest::row)
            .collect(Collectors.joining("", "| argument | meaning |\n|---|---|\n", ""));
    String marker = "<!-- arguments of evenkeel terasort -->\n";
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
    String text = String.join(" ", option.description()).replace("%%", "%").replace("|", "\\|");
    return "| " + names + " | " + text + " |\n";
  }
}
