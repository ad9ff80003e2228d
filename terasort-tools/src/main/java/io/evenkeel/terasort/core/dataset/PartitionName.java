package io.evenkeel.terasort.core.dataset;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name MapReduce gives an output file: {@code part-r-00012} is partition 12. Stateless. */
final class PartitionName {
  private static final Pattern PART = Pattern.compile("(part-(?:[mr]-)?)([0-9]{1,18})");

  private PartitionName() {}

  /** The partition's number, or -1 when the name is none of MapReduce's. */
  static long number(String name) {
    Matcher matcher = PART.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(2)) : -1;
  }

  /** What stands before the number; the name itself when it is none of MapReduce's. */
  static String prefix(String name) {
    Matcher matcher = PART.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }
}
