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
}
