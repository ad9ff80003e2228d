package io.evenkeel.cli.core.history;

/** What was read is no job history; the message says what it is instead. */
public final class HistoryException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates it with one line that says what is wrong. */
  public HistoryException(String message) {
    super(message);
  }

  /** The same with its cause. */
  public HistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
