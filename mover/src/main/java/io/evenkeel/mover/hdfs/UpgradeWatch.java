package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether an upgrade that is not finalised keeps replicas from being moved, or a version that is
 * not known, which the NameNode may have afterwards. Asks the NameNode when the last answer is
 * older than {@value #FRESH_SECONDS} s and somebody wants to know: no thread, and no call while
 * nothing moves. While one thread asks, and after a call that failed, the last answer holds.
 * Thread-safe.
 */
final class UpgradeWatch {
  static final long FRESH_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(UpgradeWatch.class);

  private final HdfsConnection.Call<String> question;
  private final LongSupplier nanos;
  private final Lock asking = new ReentrantLock();
  private boolean answered = true; // the last time; guarded by asking
  private volatile String refusal; // written by one that asks
  private volatile long askedAt;

  /**
   * Creates it; no call is made now.
   *
   * @param question why nothing may be moved now, null when it may; has just been answered by null
   * @param nanos a clock that never goes back, nanoseconds
   */
  UpgradeWatch(HdfsConnection.Call<String> question, LongSupplier nanos) {
    this.question = question;
    this.nanos = nanos;
    this.askedAt = nanos.getAsLong();
  }

  /** The upgrade that is not finalised and what follows, one line; null for none. Two calls. */
  static String upgrade(HdfsConnection connection) throws IOException {
    boolean finalized =
        connection.call(
            "isUpgradeFinalized" + HdfsConnection.SUPERUSER,
            () -> connection.protocol().isUpgradeFinalized());
    RollingUpgradeInfo rolling =
        connection.call(
            "rollingUpgrade query" + HdfsConnection.SUPERUSER,
            () -> connection.client().getNamenode().rollingUpgrade(RollingUpgradeAction.QUERY));
    return upgrade(connection.nameNode(), finalized, rolling);
  }

  /** The same from the NameNode's two answers; null for no rolling upgrade. */
  static String upgrade(URI nameNode, boolean finalized, RollingUpgradeInfo rolling) {
    boolean rollingOn = rolling != null && !rolling.isFinalized();
    if (finalized && !rollingOn) {
      return null;
    }
    return nameNode
        + ": "
        + (rollingOn ? "a rolling upgrade" : "an upgrade")
        + " is not finalised; moved replicas would stay on the old storage as well";
  }

  /** Why nothing may be moved now; null when it may, as far as is known. */
  String refusal() {
    if (isOld() && asking.tryLock()) {
      try {
        if (isOld()) { // else another thread has asked before this one had the lock
          ask();
        }
      } finally {
        asking.unlock();
      }
    }
    return refusal;
  }

  private boolean isOld() {
    return nanos.getAsLong() - askedAt > TimeUnit.SECONDS.toNanos(FRESH_SECONDS);
  }

  private void ask() {
    try {
      String before = refusal;
      String now = question.run();
      refusal = now;
      answered = true;
      if (now != null && !now.equals(before)) {
        LOG.warn("Nothing is moved from now on: {}", now);
      } else if (before != null && now == null) {
        LOG.info("Nothing keeps blocks from being moved any more; moves continue");
      }
    } catch (IOException e) {
      if (answered) { // once until it is known again
        LOG.info("It is not known whether blocks may be moved: {}", HdfsErrors.firstLine(e));
      }
      answered = false;
    } finally {
      askedAt = nanos.getAsLong();
    }
  }
}
