package io.evenkeel.common.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in an operator's words what the parser of command lines says in its own. Stateless. */
public final class Misuse {
  private static final Pattern NO_NUMBER =
      Pattern.compile("(?s)(.*: '([+-]?)(.*)') is not an? (?:int|long)");

  private static final Pattern NO_WORD =
      Pattern.compile(
          "(?s)(.*): expected one of \\[(.*?)] \\(case-(?:in)?sensitive\\) but was ('.*')");

  /** What is said in place of what the parser says. */
  private static final Map<Pattern, String> SENTENCES = new LinkedHashMap<>();

  static {
    say("Unmatched (arguments?) (?:at|from) index \\d+: (.*)", "Unknown $1: $2");
    say("Missing required parameter(s?): (.*)", "Missing argument$1: $2");
    say("Missing required parameter for option (.*)", "Missing value of option $1");
    say(
        "Expected parameter (?:\\S+ )*?for option ('\\S+')(?: \\(.*\\))? but found (.*)",
        "Missing value of option $1: $2 is an option");
    say(
        "Expected parameter .* for positional parameter at index \\S+ \\((\\S+)\\) but found (.*)",
        "Option $2 stands between two of $1; put options first");
    say(
        "positional parameter at index \\S+ \\((\\S+)\\) requires at least (\\d+) values, but none.*",
        "Missing arguments: $2 or more of $1 are needed");
    say(
        "positional parameter at index \\S+ \\((\\S+)\\) requires at least (\\d+) values, but only (.*)"
            + " were specified: \\[(.*)]",
        "Missing arguments: $2 or more of $1 are needed, not only '$4'");
    say("option (.*) should be specified only once", "Option $1 can be given only once");
    say("Invalid value for option ('\\S+'): '.*' is not a boolean", "Option $1 takes no value");
  }

  private Misuse() {}

  private static void say(String parsers, String ours) {
    SENTENCES.put(Pattern.compile(parsers, Pattern.DOTALL), ours);
  }

  /** The message of the parser without its own terms, Java's types and names of constants. */
  public static String inWords(String message) {
    Matcher word = NO_WORD.matcher(message);
    if (word.matches()) {
      String allowed = word.group(2).toLowerCase(Locale.ROOT);
      return word.group(1) + ": " + word.group(3) + " is none of " + allowed;
    }
    for (Map.Entry<Pattern, String> sentence : SENTENCES.entrySet()) {
      Matcher parsers = sentence.getKey().matcher(message);
      if (parsers.matches()) {
        return parsers.replaceFirst(sentence.getValue());
      }
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
