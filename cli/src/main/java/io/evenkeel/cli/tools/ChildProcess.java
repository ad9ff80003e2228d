package io.evenkeel.cli.tools;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

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
