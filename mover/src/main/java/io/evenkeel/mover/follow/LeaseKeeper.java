package io.evenkeel.mover.follow;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the lease from a thread of its own, so that nothing else delays it. Thread-safe. */
final class LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final long JOIN_MS = 5_000;

  private final HdfsLease lease;
  private final long everyMs;
  private final Thread thread = new Thread(this::run, "evenkeel-follow-lease");
  private volatile boolean lost;
  private volatile boolean stopped;

  LeaseKeeper(HdfsLease lease, long everyMs) {
    this.lease = lease;
    this.everyMs = everyMs;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!stopped) {
        Thread.sleep(everyMs);
        lease.renew();
      }
    } catch (InterruptedException e) {
      LOG.debug("Stopped", e);
    } catch (IOException | RuntimeException | Error e) {
      if (!stopped) {
        lost = true;
        LOG.warn("The lease was not renewed, not active any more: {}", e.toString());
      }
    }
  }

  boolean isLost() {
    return lost;
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
