package io.evenkeel.volume.signal;

import io.evenkeel.common.log.LogLimiter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread that samples at a fixed interval, and in between sees that nothing hangs, for
 * as long as its owner is in use. It holds the owner weakly and ends when the owner is collected,
 * or is stopped. What it calls must not refer to the owner and must not block. Separate from the
 * groups to be tested alone. Thread-safe.
 */
public final class Sampler {
  private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
  private static final long WARN_INTERVAL = TimeUnit.SECONDS.toNanos(60);
  private static final long LONGEST_STEP = TimeUnit.SECONDS.toNanos(1);

  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  private final Reference<Object> owner;
  private final Runnable watch;
  private final Runnable sample;
  private final long step;
  private final long stepsPerSample;
  private final LogLimiter errors = new LogLimiter(WARN_INTERVAL);

  private Sampler(Object owner, Runnable watch, Runnable sample, long interval) {
    this.owner = new WeakReference<>(owner, gone);
    this.watch = watch;
    this.sample = sample;
    this.stepsPerSample = (interval + LONGEST_STEP - 1) / LONGEST_STEP;
    this.step = interval / stepsPerSample;
  }

  /**
   * Starts a thread, or logs that it could not. What the calls throw is logged.
   *
   * @param owner ends the thread when nothing refers to it any more
   * @param watch called each second or more often
   * @param sample called every interval, at once for the first time; a call that comes late moves
   *     the later ones, so that none are made up for
   * @param interval nanoseconds between two samples, 1 ms or more
   */
  public static Sampler start(Object owner, Runnable watch, Runnable sample, long interval) {
    Sampler sampler = new Sampler(owner, watch, sample, interval);
    try {
      Thread thread = new Thread(sampler::run, "evenkeel-volume-sampler");
      thread.setDaemon(true);
      thread.start();
    } catch (RuntimeException | Error e) {
      LOG.error("Volumes are not sampled; only work in flight counts", e);
    }
    return sampler;
  }

  /** Ends the thread soon; a call under way is not interrupted. */
  public void stop() {
    owner.clear();
    owner.enqueue();
  }

  private void run() {
    try {
      long due = System.nanoTime();
      for (long steps = 0; !endsBefore(due); steps++) {
        call(watch);
        if (steps % stepsPerSample == 0) {
          call(sample);
        }
        long now = System.nanoTime();
        due = due + step - now > 0 ? due + step : now + step;
      }
    } catch (InterruptedException e) {
      LOG.warn("Volumes are no longer sampled; only work in flight counts", e);
    }
  }

  /** Waits until {@code due}; true when the owner is gone before that. */
  private boolean endsBefore(long due) throws InterruptedException {
    long left = due - System.nanoTime();
    while (left > 0) {
      if (gone.remove(TimeUnit.NANOSECONDS.toMillis(left) + 1) != null) {
        return true;
      }
      left = due - System.nanoTime();
    }
    return gone.poll() != null;
  }

  private void call(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      long withheld = errors.permit(System.nanoTime());
      if (withheld != LogLimiter.QUIET) {
        LOG.warn(
            "A sample of the volumes failed; {} more such failures since the last warning",
            withheld,
            e);
      }
    }
  }
}
