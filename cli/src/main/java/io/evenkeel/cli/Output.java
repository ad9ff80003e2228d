package io.evenkeel.cli;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Prints what a command found or why it failed. Stateless. */
final class Output {
  /** Controls but ends of lines and colours, and what turns the direction of a line. */
  private static final Pattern UNPRINTABLE =
      Pattern.compile(
          "(?!\n|\t|\u001b\\[\\d{0,2}m)"
              + "[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]");

  private Output() {}

  /** What a terminal may show: names of files and daemons can hold sequences that it would obey. */
  static String printable(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }

  /** Prints the document as JSON or the text, where the command prints; only that one is made. */
  static void print(CommandSpec spec, boolean json, Supplier<?> document, Supplier<String> text) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(document.get()));
    } else {
      out.print(printable(text.get()));
    }
    out.flush();
  }

  /** Says in one line on standard error why a report holds nothing; null when it does. */
  static void tellFailure(CommandSpec spec, String failure) {
    if (failure != null) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("evenkeel: " + printable(failure));
      err.flush();
    }
  }

  /** Says in one line on standard error what a command waits for. */
  static Consumer<String> progress(CommandSpec spec) {
    PrintWriter err = spec.commandLine().getErr();
    return line -> {
      err.println("evenkeel: " + printable(line));
      err.flush();
    };
  }

  /** Prints the failure of a command as JSON, if that is what it was asked for. */
  static void printFailure(CommandLine command, ExitCode code, String message) {
    OptionSpec json = command.getCommandSpec().findOption("--json");
    boolean asked = json != null && command.getParseResult().hasMatchedOption(json);
    if (!asked || json.arity().max() > 0) { // a file: only a result is written there
      return;
    }
    Map<String, Object> document = ReportHead.of("evenkeel.failure/1", code);
    document.put("failure", message);
    PrintWriter out = command.getOut();
    boolean lines = command.getParseResult().hasMatchedOption("--watch");
    out.println(lines ? Json.compact(document) : Json.pretty(document));
    out.flush();
  }
}
