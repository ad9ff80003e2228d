package io.evenkeel.mover.follow;

import java.io.IOException;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the lease from a thread of its own, so that nothing else delays it. Thread-safe. */
final class LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final long JOIN_MS = 5_000;

  /** Lengthens the lease. */
  interface Renewal {
    void renew() throws IOException;
  }

  private final Renewal lease;
  private final long everyMs;
  private final long timeoutMs;
  private final Thread thread = new Thread(this::run, "evenkeel-follow-lease");
  private volatile boolean lost;
  private volatile boolean stopped;
  private volatile long renewedAt = Time.monotonicNow();

  /**
   * Creates it for a lease just taken.
   *
   * @param timeoutMs when others may take it
   */
  LeaseKeeper(Renewal lease, long timeoutMs) {
    this.lease = lease;
    this.everyMs = timeoutMs / 4;
    this.timeoutMs = timeoutMs;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!stopped) {
        Thread.sleep(Math.max(0, renewedAt + everyMs - Time.monotonicNow()));
        long now = Time.monotonicNow(); // others count from when they see it
        lease.renew();
        renewedAt = now;
      }
    } catch (InterruptedException e) {
      LOG.debug("Stopped", e);
    } catch (IOException | RuntimeException | Error e) {
      if (!stopped) {
        lost = true;
        LOG.warn("The lease was not renewed; no longer active: {}", Problems.line(e));
      }
    }
  }

  boolean isLost() {
    return lost;
  }

  /** Whether a renewal takes so long that another process may take the lease soon. */
  boolean isLate() {
    return !stopped && Time.monotonicNow() - renewedAt > timeoutMs - timeoutMs / 4;
  }

  /** Whether another process may have the lease by now; nobody need be asked for that. */
  boolean isExpired() {
    return !stopped && Time.monotonicNow() - renewedAt > timeoutMs;
  }

  void stop() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
