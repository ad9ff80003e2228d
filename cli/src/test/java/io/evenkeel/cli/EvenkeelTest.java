package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class EvenkeelTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private CommandLine line() {
    return Evenkeel.commandLine()
        .addSubcommand(new Later())
        .addSubcommand(new Failing())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err));
  }

  private int run(String... args) {
    return Evenkeel.run(line(), args);
  }

  /** The words that call each command, the launcher itself first. */
  static List<List<String>> commands() {
    List<List<String>> commands = new ArrayList<>();
    collect(Evenkeel.commandLine(), new ArrayList<>(), commands);
    return commands;
  }

  private static void collect(CommandLine line, List<String> words, List<List<String>> into) {
    into.add(words);
    line.getSubcommands()
        .forEach(
            (name, sub) -> {
              List<String> longer = new ArrayList<>(words);
              longer.add(name);
              collect(sub, longer, into);
            });
  }

  private static String[] with(List<String> words, String option) {
    List<String> args = new ArrayList<>(words);
    args.add(option);
    return args.toArray(new String[0]);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_everyCommand_printsUsageAndAllExitCodes(List<String> words) {
    assertThat(run(with(words, "--help"))).isZero();
    assertThat(out.toString()).contains("Usage: evenkeel");
    for (ExitCode code : ExitCode.values()) {
      assertThat(out.toString()).containsPattern(code.code() + " +" + code.meaning());
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void version_everyCommand_printsIt(List<String> words) {
    assertThat(run(with(words, "--version"))).isZero();
    assertThat(out.toString()).startsWith("evenkeel ");
  }

  @Test
  void run_noCommand_printsUsageAsAnError() {
    assertThat(run()).isEqualTo(64);
    assertThat(err.toString()).contains("Usage: evenkeel");
  }

  @Test
  void run_mistypedCommand_suggestsTheNearest() {
    assertThat(run("staus")).isEqualTo(64);
    assertThat(err.toString())
        .startsWith(String.format("evenkeel: Unknown command: 'staus'%nDid you mean 'status'?"));
  }

  @Test
  void run_mistypedOption_suggestsTheNearest() {
    assertThat(run("status", "--jsn")).isEqualTo(64);
    assertThat(err.toString()).contains("Did you mean '--json'?");
  }

  @Test
  void run_badOptionValue_pointsToTheHelpOfTheCommand() {
    assertThat(run("status", "--timeout", "soon")).isEqualTo(64);
    assertThat(err.toString()).contains("'soon'").contains("Try 'evenkeel status --help'.");
  }

  @Test
  void run_commandException_isOneLineAndItsCode() {
    assertThat(run("failing")).isEqualTo(5);
    assertThat(err.toString()).isEqualTo(String.format("evenkeel: /a is not yours%n"));
  }

  @Test
  void run_debug_addsTheStackTrace() {
    assertThat(run("failing", "--debug")).isEqualTo(5);
    assertThat(err.toString()).contains("at io.evenkeel.cli.EvenkeelTest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster start --dir",
        "cluster kill",
        "demo --out",
        "locality",
        "simulate --migrate",
        "simulate --topology",
        "topology check --fsck - --can-stop",
        "volumes"
      })
  void run_emptyText_isRefused(String words) {
    assertThat(run(with(List.of(words.split(" ")), ""))).isEqualTo(64);
    assertThat(err.toString()).containsPattern("^evenkeel: (--\\S+|the argument \\S+) is empty\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"locality", "simulate --topology", "terasort --dir", "mover"})
  void run_nameThatJavaCannotRead_isRefusedInPlainWords(String words) {
    // what the launcher of Java makes of bytes that are no text in the locale
    assertThat(run(with(List.of(words.split(" ")), "m\uFFFDller"))).isEqualTo(64);
    assertThat(err.toString())
        .containsPattern(
            "^evenkeel: (--\\S+|the argument \\S+) holds bytes that are no text in \\S+,")
        .contains("rename the file");
  }

  @Test
  void run_emptyTextForAnotherProgram_isHandedOn() {
    // the tool's own words, and not ours
    assertThat(run("cluster", "exec", "--dir", "/no/such", "fs", "")).isEqualTo(3);
    assertThat(err.toString()).contains("there is no cluster in /no/such");
  }

  @Test
  void run_emptyTextAndHelp_helps() {
    assertThat(run("status", "--dir", "", "--help")).isZero();
  }

  @Test
  void run_badWord_namesTheAllowedOnesAsTheyAreWritten() {
    assertThat(run("topology", "check", "--layers", "both")).isEqualTo(64);
    assertThat(err.toString()).contains("'both' is none of auto, rack, nodegroup");
  }

  @Test
  void run_interrupted_is130() {
    Callable<Integer> interrupted =
        () -> {
          throw new InterruptedException();
        };
    CommandLine line = line().addSubcommand("wait", new Wrapped(interrupted));
    assertThat(Evenkeel.run(line, "wait")).isEqualTo(130);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void run_classOfALaterJava_isOneLine() {
    Callable<Integer> tooNew =
        () -> {
          throw new UnsupportedClassVersionError("io/evenkeel/bench/X : 61.0");
        };
    CommandLine line = line().addSubcommand("new", new Wrapped(tooNew));
    assertThat(Evenkeel.run(line, "new")).isEqualTo(1);
    assertThat(err.toString()).contains("needs a later Java").hasLineCount(1);
  }

  @Test
  void run_needsALaterJava_isRefusedWithOneLine() {
    assertThat(run("later")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: 'evenkeel later' needs Java 99 or later, this is ")
        .hasLineCount(1);
  }

  @Test
  void run_helpOfACommandThatNeedsALaterJava_works() {
    assertThat(run("later", "--help")).isZero();
  }

  @Test
  void run_subcommandOfOneThatNeedsALaterJava_isRefusedToo() {
    CommandLine line = line();
    line.getSubcommands().get("later").addSubcommand(new Failing());
    line.setErr(new PrintWriter(err)); // handed down to the one just added
    assertThat(Evenkeel.run(line, "later", "failing")).isEqualTo(1);
    assertThat(err.toString()).contains("'evenkeel later failing' needs Java 99");
  }

  @Test
  void checkJava_lateEnough_passes() {
    CommandLine line = line();
    assertThatCode(() -> Evenkeel.checkJava(line.parseArgs("later"), 99))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Evenkeel.checkJava(line.parseArgs("later"), 98))
        .hasMessageContaining("needs Java 99 or later, this is 98");
  }

  @Test
  void checkJava_withTheOptionThatNeedsNone_passes() {
    CommandLine line = line();
    assertThatCode(() -> Evenkeel.checkJava(line.parseArgs("simulate", "--migrate", "-"), 8))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Evenkeel.checkJava(line.parseArgs("simulate", "--hosts", "3"), 11))
        .hasMessageContaining("'evenkeel simulate' needs Java 17 or later, this is 11");
  }

  @Test
  void javaFeature_oldAndNewNotation_areRead() {
    assertThat(Evenkeel.javaFeature("1.8")).isEqualTo(8);
    assertThat(Evenkeel.javaFeature("17")).isEqualTo(17);
  }

  @Command(name = "later", mixinStandardHelpOptions = true)
  @NeedsJava(99)
  static final class Later implements Callable<Integer> {
    @Override
    public Integer call() {
      return 0;
    }
  }

  @Command(name = "failing")
  static final class Failing implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new CommandException(ExitCode.DENIED, "/a is not yours");
    }
  }

  @Command
  static final class Wrapped implements Callable<Integer> {
    private final Callable<Integer> wrapped;

    Wrapped(Callable<Integer> wrapped) {
      this.wrapped = wrapped;
    }

    @Override
    public Integer call() throws Exception {
      return wrapped.call();
    }
  }
}
