package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end with its output in a file. Thread-safe. */
final class Programs {
  private Programs() {}

  /**
   * Runs a program and waits.
   *
   * <p>When this JVM is ended meanwhile, by Ctrl-C or a signal, the program is killed with its
   * children and {@code cleanUp} is run.
   *
   * @return its exit code
   * @throws CommandException when it cannot be started, takes longer than the limit (it is then
   *     killed with its children), or this thread is interrupted
   */
  static int run(List<String> command, Path output, Duration limit, Runnable cleanUp) {
    Process process = start(command, output);
    Thread hook =
        new Thread(
            () -> {
              kill(process);
              cleanUp.run();
            },
            "program-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      if (process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          command.get(0) + " did not end within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    } finally {
      kill(process);
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // this JVM is ending: the hook is running
      }
    }
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static Process start(List<String> command, Path output) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .redirectInput(new File("/dev/null"))
          .start();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot run " + command.get(0) + ": " + e.getMessage(), e);
    }
  }
}
