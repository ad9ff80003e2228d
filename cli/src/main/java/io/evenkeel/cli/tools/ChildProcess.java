package io.evenkeel.cli.tools;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs a program to its end, and ends it when this JVM is told to end. Stateless. */
public final class ChildProcess {
  private static final int SECONDS_TO_END = 30;

  private ChildProcess() {}

  /**
   * Runs it. Ctrl-C reaches it by itself; a signal to this process alone does not.
   *
   * @param cleanUp run after its end when this JVM is told to end meanwhile
   * @return its exit code
   */
  public static int run(ProcessBuilder program, Runnable cleanUp)
      throws IOException, InterruptedException {
    Ender ender = new Ender(cleanUp);
    // before the start, which takes its time: else a signal could come in between
    Runtime.getRuntime().addShutdownHook(ender);
    try {
      return ender.start(program).waitFor();
    } catch (InterruptedException e) {
      ender.end();
      throw e;
    } finally {
      withdraw(ender);
    }
  }

  /** What a program printed, and how it ended. Immutable. */
  public static final class Answer {
    private final List<String> lines;
    private final int code;

    private Answer(List<String> lines, int code) {
      this.lines = Collections.unmodifiableList(lines);
      this.code = code;
    }

    /** The lines of its standard output. */
    public List<String> lines() {
      return lines;
    }

    /** Its exit code. */
    public int code() {
      return code;
    }
  }

  /**
   * Runs a program that prints something short. It reads nothing; its standard error is ours. It is
   * ended when this JVM is told to end, and when it takes too long.
   *
   * @param limitMillis how long it may take, in milliseconds
   * @throws TimeoutException when it takes longer
   */
  public static Answer answer(ProcessBuilder program, long limitMillis)
      throws IOException, InterruptedException, TimeoutException {
    program.redirectError(ProcessBuilder.Redirect.INHERIT);
    return answer(program, limitMillis, line -> {}, () -> {}, Process::getOutputStream);
  }

  /**
   * The same with its standard error where the program has it, and a standard input that ends with
   * this JVM, even where that is killed.
   *
   * @param progress gets each line of its standard output as it comes, in another thread
   * @param cleanUp run after its end when this JVM is told to end meanwhile
   */
  public static Answer answer(
      ProcessBuilder program, long limitMillis, Consumer<String> progress, Runnable cleanUp)
      throws IOException, InterruptedException, TimeoutException {
    return answer(program, limitMillis, progress, cleanUp, process -> () -> {});
  }

  private static Answer answer(
      ProcessBuilder program,
      long limitMillis,
      Consumer<String> progress,
      Runnable cleanUp,
      Function<Process, Closeable> closedAtOnce)
      throws IOException, InterruptedException, TimeoutException {
    Ender ender = new Ender(cleanUp);
    Runtime.getRuntime().addShutdownHook(ender);
    boolean ended = false;
    try {
      Process process = ender.start(program);
      closedAtOnce.apply(process).close();
      List<String> lines = reading(process, progress).get(limitMillis, TimeUnit.MILLISECONDS);
      if (!process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      ended = true;
      return new Answer(lines, process.exitValue());
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } finally {
      if (!ended) {
        ender.end();
      }
      withdraw(ender);
    }
  }

  /** Reads what it prints in another thread, as a read cannot be ended. */
  private static FutureTask<List<String>> reading(Process process, Consumer<String> progress) {
    FutureTask<List<String>> reading =
        new FutureTask<>(
            () -> {
              try (BufferedReader reader =
                  new BufferedReader(
                      new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
                return reader.lines().peek(progress).collect(Collectors.toList());
              }
            });
    Thread thread = new Thread(reading, "evenkeel-child");
    thread.setDaemon(true); // a child of the program may hold its output open
    thread.start();
    return reading;
  }

  /** Withdraws a shutdown hook. */
  public static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      Thread.currentThread().interrupt(); // the JVM ends already, the hook with it
    }
  }

  /** Ends the program and then cleans up. */
  private static final class Ender extends Thread {
    private final Runnable cleanUp;
    private Process process; // guarded by this
    private boolean ended; // guarded by this

    Ender(Runnable cleanUp) {
      super("end-child");
      this.cleanUp = cleanUp;
    }

    synchronized Process start(ProcessBuilder program) throws IOException, InterruptedException {
      if (ended) {
        throw new InterruptedException();
      }
      process = program.start();
      return process;
    }

    @Override
    public void run() {
      end();
      cleanUp.run();
    }

    synchronized void end() {
      ended = true;
      if (process == null) {
        return;
      }
      process.destroy();
      try {
        // it kills its job first
        if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
