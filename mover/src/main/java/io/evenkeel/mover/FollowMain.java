package io.evenkeel.mover;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.follow.Follower;
import io.evenkeel.mover.follow.MoverFunction;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;

/** Runs the daemon in the foreground. */
final class FollowMain {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10

  private FollowMain() {}

  /**
   * Follows until this thread is interrupted or the process is told to end.
   *
   * @return an {@link ExitCode}; what keeps it from running is one line on {@code err}
   */
  static int run(Configuration conf, PrintStream out, PrintStream err) {
    Configuration own = new Configuration(conf);
    own.setBoolean(MoverKeys.HAND_OVER.name(), false); // it is the one that is asked
    try (FileMover mover = FileMover.open(own)) {
      return run(conf, out, err, function(mover));
    } catch (ConfigException e) {
      err.println(e.getMessage());
      return ExitCode.USAGE.code();
    } catch (CommandException e) {
      err.println(e.getMessage());
      return e.exitCode().code();
    } catch (IOException e) {
      err.println(firstLine(e));
      return ExitCode.COULD_NOT_RUN.code();
    }
  }

  private static MoverFunction function(FileMover mover) {
    return new MoverFunction() {
      @Override
      public CompletableFuture<MoveReport> move(MoveRequest request) {
        return mover.move(request);
      }

      @Override
      public String refusal() {
        return mover.refusal();
      }
    };
  }

  /** The same with another mover. */
  static int run(Configuration conf, PrintStream out, PrintStream err, MoverFunction mover) {
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    Runnable hook = () -> end(told, ended);
    try (Follower follower = Follower.open(conf, mover)) {
      // Hadoop's hooks run one after another; a hook of the JVM would race with that which closes
      // all file systems, and the lease would not be given back
      ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
      out.println(follower.startLine());
      follower.start();
      told.await();
      return ExitCode.OK.code();
    } catch (ConfigException e) {
      err.println(e.getMessage());
      return ExitCode.USAGE.code();
    } catch (CommandException e) {
      err.println(e.getMessage());
      return e.exitCode().code();
    } catch (IOException e) {
      err.println(firstLine(e));
      return ExitCode.COULD_NOT_RUN.code();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED.code();
    } finally {
      ended.countDown();
      remove(hook);
    }
  }

  /** Lets the process end only after the lease was given back. */
  private static void end(CountDownLatch told, CountDownLatch ended) {
    told.countDown();
    try {
      ended.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Runnable hook) {
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the process ends already
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).split("\n", 2)[0];
  }
}
