package io.evenkeel.common.cli;

import java.util.Objects;

/** Ends a command with one clear line on standard error and an exit code; never a stack trace. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  /** Creates the exception; the message says what failed, for what, and what to do. */
  public CommandException(ExitCode exitCode, String message) {
    super(Objects.requireNonNull(message));
    this.exitCode = Objects.requireNonNull(exitCode);
  }

  /** The same with the cause that {@code --debug} prints. */
  public CommandException(ExitCode exitCode, String message, Throwable cause) {
    super(Objects.requireNonNull(message), cause);
    this.exitCode = Objects.requireNonNull(exitCode);
  }

  /** What the process ends with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
