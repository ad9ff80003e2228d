package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/commands.md and commands-tools.md say what the program does; a failure shows what belongs
 * there.
 */
class CommandsDocTest {
  private static final List<Path> DOCS =
      List.of(Path.of("../docs/commands.md"), Path.of("../docs/commands-tools.md"));

  /** Every command has them; they stand once. */
  private static final Set<String> COMMON = Set.of("--debug", "--help", "--version");

  private static final Pattern OPTIONS = Pattern.compile("<!-- options of (.+) -->");

  private static String section(String marker) throws IOException {
    String doc = docs();
    String start = "<!-- " + marker + " -->\n";
    assertThat(doc).contains(start);
    int from = doc.indexOf(start) + start.length();
    return doc.substring(from, doc.indexOf("<!-- end -->", from));
  }

  private static String docs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path doc : DOCS) {
      all.append(Files.readString(doc));
    }
    return all.toString();
  }

  static Stream<CommandLine> commands() {
    return withSubcommands(Evenkeel.commandLine());
  }

  private static Stream<CommandLine> withSubcommands(CommandLine line) {
    return Stream.concat(
        Stream.of(line),
        line.getSubcommands().values().stream().flatMap(CommandsDocTest::withSubcommands));
  }

  private static String name(CommandLine line) {
    return line.getCommandSpec().qualifiedName();
  }

  @Test
  void exitCodes_inTheDocs_areThoseOfTheProgram() throws IOException {
    String expected =
        Arrays.stream(ExitCode.values())
            .map(code -> "| " + code.code() + " | " + code.meaning() + " |\n")
            .collect(Collectors.joining("", "| code | meaning |\n|---|---|\n", ""));
    assertThat(section("exit codes")).isEqualTo(expected);
  }

  @Test
  void commands_inTheDocs_areThoseOfTheProgram() throws IOException {
    Matcher m = OPTIONS.matcher(docs());
    List<String> documented = m.results().map(found -> found.group(1)).toList();
    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(commands().map(CommandsDocTest::name).toList());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void options_inTheDocs_areThoseOfTheProgram(CommandLine line) throws IOException {
    boolean isSubcommand = line.getParent() != null;
    String rows =
        line.getCommandSpec().options().stream()
            .filter(
                option ->
                    !option.hidden() && !(isSubcommand && COMMON.contains(option.longestName())))
            .sorted(Comparator.comparing(OptionSpec::longestName))
            .map(CommandsDocTest::row)
            .collect(Collectors.joining());
    String head = rows.isEmpty() ? "" : "| option | meaning |\n|---|---|\n";
    assertThat(section("options of " + name(line))).isEqualTo(head + rows);
  }

  private static String row(OptionSpec option) {
    String label = option.paramLabel();
    String value =
        option.arity().max() == 0
            ? ""
            : option.arity().min() == 0 ? "[=" + label + "]" : " " + label;
    String names =
        Arrays.stream(option.names())
            .map(name -> "`" + name + value + "`")
            .collect(Collectors.joining(", "));
    String description = String.join(" ", option.description()).replace("|", "\\|");
    return "| " + names + " | " + description + " |\n";
  }
}
