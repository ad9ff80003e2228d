package io.evenkeel.bench.gameday.cluster;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Failures of actions that are all to be done, whatever becomes of the others. Not thread-safe.
 * Apart from {@link GameCluster}, several of whose methods have some.
 */
final class Problems {
  private final List<Exception> problems = new ArrayList<>();

  /** An action that may fail. */
  interface Action {
    void run() throws IOException;
  }

  /** Does it and remembers its failure; an interruption goes through. */
  void collect(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      problems.add(e);
    } catch (CommandException e) {
      if (e.exitCode() == ExitCode.INTERRUPTED) {
        throw e;
      }
      problems.add(e);
    }
  }

  /** Throws all failures as one, if there are any. */
  void raise() throws IOException {
    if (problems.isEmpty()) {
      return;
    }
    IOException all =
        new IOException(String.join("; ", problems.stream().map(Exception::getMessage).toList()));
    problems.forEach(all::addSuppressed);
    throw all;
  }
}
