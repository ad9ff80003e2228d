package io.evenkeel.bench.mover;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.FollowMXBean;
import io.evenkeel.mover.follow.Follower;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/** Our daemon as {@code evenkeel mover --follow} runs it, with its defaults, in this JVM. */
final class OurDaemon implements AutoCloseable {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_MILLIS = 10;

  private final FileMover mover;
  private final Follower follower;

  private OurDaemon(FileMover mover, Follower follower) {
    this.mover = mover;
    this.follower = follower;
  }

  /** Starts it and waits until it follows what is renamed into a directory. */
  static OurDaemon start(MoverRig rig, String prefix) throws IOException, InterruptedException {
    Configuration conf = rig.conf();
    conf.set("evenkeel.mover.follow.prefixes", prefix);
    conf.setInt("evenkeel.mover.follow.replicas-per-second", 0); // as fast as it can
    FileMover mover = FileMover.open(conf);
    try {
      OurDaemon daemon = new OurDaemon(mover, Follower.open(conf, mover::move));
      daemon.follower.start();
      daemon.await("active", status -> status.getState().equals("active"));
      return daemon;
    } catch (IOException | RuntimeException | InterruptedException e) {
      mover.close();
      throw e;
    }
  }

  /** Waits until it has read all events and has nothing to do. */
  void awaitIdle() throws InterruptedException {
    await("idle", status -> status.getLagTransactions() == 0 && status.getQueued() == 0);
  }

  private void await(String what, Predicate<FollowMXBean> condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.test(follower.status())) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        throw new IllegalStateException("the daemon is not " + what);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    follower.close();
    mover.close();
  }
}
