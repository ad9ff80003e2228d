package io.evenkeel.bench.cluster;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the reason out of a daemon's log. Pure; thread-safe. */
final class Logs {
  private static final Pattern THROWN =
      Pattern.compile(
          "^(?:Caused by: |Exception in thread \"[^\"]*\" )?((?:[\\w$]+\\.)+[\\w$]*"
              + "(?:Exception|Error)(?::.*)?)$");

  private Logs() {}

  /** The last exception named in the log, else its last line. */
  static String cause(List<String> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      Matcher m = THROWN.matcher(lines.get(i));
      if (m.matches()) {
        return m.group(1);
      }
    }
    return lines.isEmpty() ? "its log is empty" : lines.get(lines.size() - 1);
  }

  /** The last lines that say something: no stack frames, no shutdown banner. */
  static List<String> tail(List<String> lines, int count) {
    List<String> telling =
        lines.stream()
            .filter(l -> !l.isBlank() && !l.startsWith("\t") && !l.startsWith("..."))
            .filter(l -> !l.contains("SHUTDOWN_MSG") && !l.contains("****"))
            .toList();
    return telling.subList(Math.max(0, telling.size() - count), telling.size());
  }
}
