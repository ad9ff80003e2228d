package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end. Nothing of it is left behind: however the wait ends, the program and
 * its children are ended, also when this JVM is ended meanwhile by Ctrl-C or a signal. Processes
 * that are to outlive this JVM are no matter of this class. Thread-safe.
 */
public final class Programs {
  private static final Redirect NO_INPUT = Redirect.from(new File("/dev/null"));

  private Programs() {}

  /**
   * Runs a program that writes where this JVM does.
   *
   * @param grace how long it may take to end when it is told to
   * @param cleanUp run after the program's end when this JVM is being ended
   * @return its exit code
   * @throws CommandException when it cannot be started
   */
  public static int run(List<String> command, Duration grace, Runnable cleanUp)
      throws InterruptedException {
    try (Child child = new Child(grace, cleanUp)) {
      return child.start(new ProcessBuilder(command).inheritIO(), NO_INPUT).waitFor();
    }
  }

  /** The same with a program that also reads the standard input of this JVM. */
  public static int client(List<String> command, Duration grace) throws InterruptedException {
    try (Child child = new Child(grace, () -> {})) {
      return child.start(new ProcessBuilder(command).inheritIO(), Redirect.INHERIT).waitFor();
    }
  }

  /**
   * Runs a program with its output in a file.
   *
   * @param cleanUp run after the program's end when this JVM is being ended
   * @return its exit code
   * @throws CommandException when it cannot be started, takes longer than the limit, or this thread
   *     is interrupted
   */
  public static int run(List<String> command, Path output, Duration limit, Runnable cleanUp) {
    ProcessBuilder program = new ProcessBuilder(command);
    program.redirectErrorStream(true).redirectOutput(output.toFile());
    try (Child child = new Child(Duration.ZERO, cleanUp)) {
      Process process = child.start(program, NO_INPUT);
      if (process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          command.get(0) + " did not end within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
  }

  /**
   * Runs a program that is asked on its standard input and answers on its standard output; its
   * standard error is this JVM's.
   *
   * @return what it printed
   * @throws CommandException when it cannot be started, ends early or with another code than 0;
   *     then with what it printed as the message
   */
  public static String answer(List<String> command, String input) throws InterruptedException {
    ProcessBuilder program = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    try (Child child = new Child(Duration.ZERO, () -> {})) {
      Process process = child.start(program, Redirect.PIPE);
      try (OutputStream to = process.getOutputStream()) {
        to.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN,
            answer.isEmpty() ? command.get(0) + " ended with " + code : answer);
      }
      return answer;
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, command.get(0) + " ended early: " + e.getMessage(), e);
    }
  }

  /**
   * A program that ends with this JVM. What ends it is set before it starts, which takes its time:
   * else a signal could come in between.
   */
  static final class Child implements AutoCloseable {
    private final Duration grace;
    private final Thread hook;
    private Process process; // guarded by this
    private boolean over; // guarded by this

    Child(Duration grace, Runnable cleanUp) {
      this.grace = grace;
      this.hook =
          Jvm.atExit(
              "program-end",
              () -> {
                end();
                cleanUp.run();
              });
    }

    synchronized Process start(ProcessBuilder program, Redirect input) {
      if (over) {
        throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
      }
      try {
        process = program.redirectInput(input).start();
        return process;
      } catch (IOException e) {
        String name = program.command().get(0);
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, "cannot run " + name + ": " + e.getMessage(), e);
      }
    }

    synchronized void end() {
      over = true;
      if (process != null) {
        Programs.end(process, grace);
      }
    }

    @Override
    public void close() {
      end();
      Jvm.cancelAtExit(hook);
    }
  }

  private static void end(Process process, Duration grace) {
    List<ProcessHandle> children = process.descendants().toList();
    try {
      if (!grace.isZero()) {
        process.destroy();
        process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
