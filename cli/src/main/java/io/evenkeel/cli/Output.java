package io.evenkeel.cli;

import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints what a command found. Stateless. */
final class Output {
  private Output() {}

  /** Prints the document as JSON or the text, where the command prints; only that one is made. */
  static void print(CommandSpec spec, boolean json, Supplier<?> document, Supplier<String> text) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(document.get()));
    } else {
      out.print(text.get());
    }
    out.flush();
  }
}
