package io.evenkeel.cli.core;

import java.util.List;

/** One line about daemons none of which answered. Stateless. */
public final class Silence {
  private Silence() {}

  /**
   * Says so with the reason of the first.
   *
   * @param what what they are called
   * @param reasons one for each, with its address; not empty
   */
  public static String of(String what, List<String> reasons) {
    String more = reasons.size() == 1 ? "" : " (and " + (reasons.size() - 1) + " more)";
    return "no " + what + " answered: " + reasons.get(0) + more;
  }
}
