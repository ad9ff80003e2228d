package io.evenkeel.placement.core.mapping;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Remembers the hosts without a usable location, so that each is reported once and asked for again
 * from time to time.
 *
 * <p>At most {@link #MOST} hosts are remembered; those beyond are counted. Thread-safe: the state
 * is guarded by {@code this}. Time is handed in: nanoseconds of any origin that do not run
 * backwards.
 */
public final class UnknownHosts {
  /** Most hosts that are remembered. */
  public static final int MOST = 10_000;

  /** Answer of {@link #report} when nothing is to be written now. */
  public static final int QUIET = 0;

  private final long reportNanos;
  private final long askAgainNanos;
  private final Set<String> met = new LinkedHashSet<>();
  private final Set<String> toAskAgain = new LinkedHashSet<>();
  private final Set<String> unreported = new HashSet<>();

  /** Whether anything may be remembered; lets the usual case pass without the lock. */
  private volatile boolean any;

  private boolean reported;
  private long lastReport;
  private long askAgainSince;

  /**
   * Creates an empty memory.
   *
   * @param reportNanos least time between two reports
   * @param askAgainNanos how long an unknown host stays unknown before it is asked for again
   */
  public UnknownHosts(long reportNanos, long askAgainNanos) {
    this.reportNanos = reportNanos;
    this.askAgainNanos = askAgainNanos;
  }

  /** Takes note of a host without a usable location. */
  public synchronized void add(String host, long nowNanos) {
    any = true;
    if (met.size() < MOST && met.add(host)) {
      unreported.add(host);
    }
    if (toAskAgain.isEmpty()) {
      askAgainSince = nowNanos;
    }
    if (toAskAgain.size() < MOST) {
      toAskAgain.add(host);
    }
  }

  /** Takes note that a host has a usable location. */
  public void remove(String host) {
    if (any) {
      removeNow(host);
    }
  }

  private synchronized void removeNow(String host) {
    met.remove(host);
    unreported.remove(host);
  }

  /** How many hosts were met since the last report when this is to be written, else QUIET. */
  public int report(long nowNanos) {
    return any ? reportNow(nowNanos) : QUIET;
  }

  private synchronized int reportNow(long nowNanos) {
    if (unreported.isEmpty() || (reported && nowNanos - lastReport < reportNanos)) {
      return QUIET;
    }
    int count = unreported.size();
    unreported.clear();
    reported = true;
    lastReport = nowNanos;
    return count;
  }

  /** The hosts that are to be asked for again now, each once; mostly none. */
  public List<String> takeToAskAgain(long nowNanos) {
    return any ? takeNow(nowNanos) : Collections.emptyList();
  }

  private synchronized List<String> takeNow(long nowNanos) {
    if (toAskAgain.isEmpty() || nowNanos - askAgainSince < askAgainNanos) {
      return Collections.emptyList();
    }
    List<String> taken = new ArrayList<>(toAskAgain);
    toAskAgain.clear();
    return Collections.unmodifiableList(taken);
  }

  /** The hosts that have no usable location now, in the order they were met. */
  public synchronized List<String> hosts() {
    return new ArrayList<>(met);
  }
}
