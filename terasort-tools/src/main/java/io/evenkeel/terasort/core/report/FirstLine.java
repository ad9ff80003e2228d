package io.evenkeel.terasort.core.report;

/** What a failure says to people. Stateless. */
public final class FirstLine {
  private FirstLine() {}

  /**
   * The first line of a message: what a NameNode refuses comes back with its whole stack trace
   * behind the reason.
   *
   * @param message any text; null stays null
   */
  public static String of(String message) {
    return message == null ? null : message.split("[\\r\\n]", 2)[0];
  }
}
