package io.evenkeel.common.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in an operator's words what the parser of command lines says in Java's. Stateless. */
public final class Misuse {
  private static final Pattern NO_NUMBER =
      Pattern.compile("(?s)(.*: '([+-]?)(.*)') is not an? (?:int|long)");

  private Misuse() {}

  /** The message of the parser, with Java's types of numbers put into words. */
  public static String inWords(String message) {
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
