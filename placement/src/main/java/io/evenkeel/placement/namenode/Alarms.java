package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.Spread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says loudly, and at most once a minute for each kind, that a rule cannot be kept because hosts
 * are too few. Thread-safe. Separate from the state: it words and paces what is logged.
 */
public final class Alarms {
  private static final long INTERVAL_MS = TimeUnit.MINUTES.toMillis(1);

  private final LongSupplier clock;
  private final Consumer<String> log;
  private final AtomicLong sharedAt = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong tooFewAt = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong stripesAt = new AtomicLong(Long.MIN_VALUE);

  /**
   * Creates alarms.
   *
   * @param clock milliseconds that only grow
   */
  Alarms(LongSupplier clock, Consumer<String> log) {
    this.clock = clock;
    this.log = log;
  }

  void sharedHost(int onOneHost, Spread eligible) {
    if (due(sharedAt)) {
      log.accept(
          "A block has "
              + onOneHost
              + " replicas on one host: "
              + eligible.hosts()
              + " hosts can take one (evenkeel.placement.few-hosts=best-effort). When more hosts"
              + " are"
              + " there, run 'hdfs fsck / -replicate' (Hadoop 3.0, 3.1: fail over).");
    }
  }

  void tooFewHosts(int got, int wanted, Spread eligible) {
    if (due(tooFewAt)) {
      log.accept(
          "A block got "
              + got
              + " of "
              + wanted
              + " replicas: "
              + eligible.hosts()
              + " hosts can take one, and evenkeel.placement.few-hosts=strict allows one on each.");
    }
  }

  /**
   * Units of a striped block were placed.
   *
   * @param onOneHost most units on one host
   * @param units of the block in all
   */
  public void stripe(int onOneHost, int units) {
    int parity = parity(units);
    if (onOneHost > parity && onOneHost > 1 && due(stripesAt)) {
      log.accept(
          "A striped block of "
              + units
              + " internal blocks has "
              + onOneHost
              + " of them on one host, more than its parity of "
              + parity
              + ": losing that host loses the block. Add hosts or use a code with fewer internal"
              + " blocks.");
    }
  }

  /** Parity of the codes that come with HDFS, told by their number of units; 1 for others. */
  private static int parity(int units) {
    switch (units) {
      case 5: // RS-3-2
        return 2;
      case 9: // RS-6-3
        return 3;
      case 14: // RS-10-4
        return 4;
      default: // XOR-2-1, and whoever adds a code is told early
        return 1;
    }
  }

  private boolean due(AtomicLong last) {
    long now = clock.getAsLong();
    long before = last.get();
    boolean due = before == Long.MIN_VALUE || now - before >= INTERVAL_MS;
    return due && last.compareAndSet(before, now);
  }
}
