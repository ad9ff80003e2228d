package io.evenkeel.common.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in an operator's words what the parser of command lines says in Java's. Stateless. */
public final class Misuse {
  private static final Pattern NO_NUMBER =
      Pattern.compile("(?s)(.*: '([+-]?)(.*)') is not an? (?:int|long)");

  private static final Pattern NO_WORD =
      Pattern.compile(
          "(?s)(.*): expected one of \\[(.*?)] \\(case-(?:in)?sensitive\\) but was ('.*')");

  private Misuse() {}

  /** The message of the parser, with Java's types of numbers and names of constants in words. */
  public static String inWords(String message) {
    Matcher word = NO_WORD.matcher(message);
    if (word.matches()) {
      String allowed = word.group(2).toLowerCase(Locale.ROOT);
      return word.group(1) + ": " + word.group(3) + " is none of " + allowed;
    }
    Matcher number = NO_NUMBER.matcher(message);
    if (!number.matches()) {
      return message;
    }
    if (!number.group(3).matches("\\d+")) {
      return number.group(1) + " is not a whole number";
    }
    return number.group(1) + (number.group(2).equals("-") ? " is too small" : " is too large");
  }
}
