package io.evenkeel.common.cli;

/** The one table of exit codes of all commands; {@code docs/commands.md} prints it. Immutable. */
public enum ExitCode {
  /** Done, or valid. */
  OK(0, "done or valid"),
  /** Could not run: a daemon did not answer, a build failed, a port was taken. */
  COULD_NOT_RUN(1, "could not run"),
  /** Ran and found something: invalid, a violation, a partial result. */
  FINDING(2, "a finding: invalid, violation, partial"),
  /** There was nothing to do. */
  NOTHING_TO_DO(3, "nothing to do"),
  /** No such path. */
  NO_SUCH_PATH(4, "no such path"),
  /** Permission denied. */
  DENIED(5, "permission denied"),
  /** The command line cannot be understood. */
  USAGE(64, "wrong command line"),
  /** Interrupted by the user. */
  INTERRUPTED(130, "interrupted");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The number the process ends with. */
  public int code() {
    return code;
  }

  /** What it means, in a few words. */
  public String meaning() {
    return meaning;
  }
}
