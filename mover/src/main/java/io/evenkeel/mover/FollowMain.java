package io.evenkeel.mover;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.follow.Follower;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Runs the daemon in the foreground. Separate from the tool, whose other commands end by
 * themselves.
 */
final class FollowMain {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10

  private FollowMain() {}

  /**
   * Follows until the process is told to end, or this thread is interrupted.
   *
   * @return an {@link ExitCode}
   */
  static int run(Configuration conf, PrintStream out) throws IOException, InterruptedException {
    Configuration own = new Configuration(conf);
    own.setBoolean(MoverKeys.HAND_OVER.name(), false); // it is the one that is asked
    try (FileMover mover = FileMover.open(own)) {
      follow(conf, out, mover);
      return ExitCode.OK.code();
    }
  }

  private static void follow(Configuration conf, PrintStream out, FileMover mover)
      throws IOException, InterruptedException {
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
}
