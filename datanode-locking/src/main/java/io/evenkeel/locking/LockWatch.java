package io.evenkeel.locking;

import io.evenkeel.locking.core.SlowHold;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that looks several times per slow hold whether there is one, and logs it, so that nobody
 * who holds a lock waits for the log. Thread-safe.
 */
final class LockWatch {
  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);
  private static final long LOOKS_PER_HOLD = 4;
  private static final long SHORTEST_MILLIS = 10;
  private static final long LONGEST_MILLIS = 1000;

  private final LockMonitor monitor;
  private final long intervalNanos;
  private final Thread thread;
  private volatile boolean ended;

  // Of the thread only.
  private long brokenTold;
  private long brokenToldAt;

  private LockWatch(LockMonitor monitor, long intervalNanos) {
    this.monitor = monitor;
    this.intervalNanos = intervalNanos;
    this.thread = new Thread(this::run, "evenkeel-locking-watch");
    thread.setDaemon(true);
  }

  /** Starts it; {@code intervalNanos} is the least time between two lines about one thing. */
  static LockWatch start(LockMonitor monitor, long intervalNanos) {
    LockWatch watch = new LockWatch(monitor, intervalNanos);
    watch.thread.start();
    return watch;
  }

  void end() {
    ended = true;
    thread.interrupt();
  }

  /** Whether the thread still runs. */
  boolean isAlive() {
    return thread.isAlive();
  }

  private void run() {
    long pause = monitor.slowMillis() / LOOKS_PER_HOLD;
    pause = Math.max(SHORTEST_MILLIS, Math.min(LONGEST_MILLIS, pause));
    while (!ended) {
      try {
        TimeUnit.MILLISECONDS.sleep(pause);
        look(System.nanoTime());
      } catch (InterruptedException e) {
        return; // only end() interrupts it
      } catch (RuntimeException e) {
        LOG.warn("Slow holders of locks were not looked for", e);
      }
    }
  }

  private void look(long now) {
    for (SlowHold hold : monitor.slow().look(now, monitor.operations().holdings())) {
      LOG.warn(line(hold, monitor.directory(hold.volume())));
    }
    long broken = monitor.operations().brokenRules();
    if (broken > brokenTold && (brokenTold == 0 || now - brokenToldAt >= intervalNanos)) {
      brokenTold = broken;
      brokenToldAt = now;
      LOG.error(
          "A rule of the locks of blocks was broken, {} times since start, last: {}",
          broken,
          monitor.operations().lastBrokenRule());
    }
  }

  /** One line for people. */
  static String line(SlowHold hold, String directory) {
    StringBuilder text = new StringBuilder("Slow holder: ").append(hold.operation());
    long millis = TimeUnit.NANOSECONDS.toMillis(hold.heldNanos());
    text.append(hold.ended() ? " held" : " has held").append(" the lock of its block for ");
    text.append(millis).append(hold.ended() ? " ms" : " ms and still does");
    text.append(directory.isEmpty() ? ", no volume chosen yet" : ", volume " + directory);
    text.append(", thread ").append(hold.threadName());
    if (hold.waiting() > 0) {
      text.append("; waiting for it: ").append(hold.waiting());
    }
    if (hold.others() > 0) {
      text.append("; other slow ones there since the last such line: ").append(hold.others());
    }
    return text.toString();
  }
}
