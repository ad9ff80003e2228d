package io.evenkeel.locking.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * How long locks of blocks were held and waited for, per operation and volume. Recording allocates
 * only for the first time of an operation on a volume, and takes no lock that is held while
 * anything else is done. Thread-safe.
 */
public final class LockStatistics implements LockEvents {
  private static final int KINDS = OperationKind.values().length;

  private final ConcurrentHashMap<String, AtomicReferenceArray<Row>> volumes =
      new ConcurrentHashMap<>();
  private final AtomicLong waits = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final LongSupplier clock;
  private final SlowHolders slow;
  private volatile String lastBroken = "";

  /**
   * Nothing recorded yet.
   *
   * @param clock as {@link System#nanoTime}
   * @param slow is told of each slow hold that ended
   */
  public LockStatistics(LongSupplier clock, SlowHolders slow) {
    this.clock = clock;
    this.slow = slow;
  }

  @Override
  public void waits(Operation waiter, Operation holder) {
    waits.getAndIncrement();
  }

  @Override
  public void released(Operation operation) {
    long held = clock.getAsLong() - operation.since();
    Row row = row(operation);
    row.hold.record(held);
    if (operation.waitedNanos() > 0) {
      row.waited().record(operation.waitedNanos());
    }
    if (slow.isSlow(held)) {
      row.slow.getAndIncrement();
      slow.ended(operation, held);
    }
  }

  @Override
  public void broken(Operation operation, String rule) {
    lastBroken = operation + " in " + operation.thread().getName() + ": " + rule;
    broken.getAndIncrement();
  }

  private Row row(Operation operation) {
    String volume = operation.volume() == null ? "" : operation.volume();
    AtomicReferenceArray<Row> rows = volumes.get(volume);
    if (rows == null) {
      rows = volumes.computeIfAbsent(volume, id -> new AtomicReferenceArray<>(KINDS));
    }
    int kind = operation.kind().ordinal();
    Row row = rows.get(kind);
    if (row == null) {
      rows.compareAndSet(kind, null, new Row(volume, operation.kind()));
      row = rows.get(kind);
    }
    return row;
  }

  /** What was recorded, ordered by volume and operation; the rows go on counting. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>();
    for (AtomicReferenceArray<Row> rows : volumes.values()) {
      for (int i = 0; i < KINDS; i++) {
        if (rows.get(i) != null) {
          all.add(rows.get(i));
        }
      }
    }
    all.sort(Comparator.comparing(Row::volume).thenComparing(Row::kind));
    return all;
  }

  /** How often a thread had to wait for a block's lock, those that still wait included. */
  public long waits() {
    return waits.get();
  }

  /** How often an operation itself found a rule broken; see {@link OrderRecorder} for the rest. */
  public long broken() {
    return broken.get();
  }

  /** The last of {@link #broken} in words, or an empty text. */
  public String lastBroken() {
    return lastBroken;
  }

  /** One operation on one volume. Thread-safe. */
  public static final class Row {
    private static final TimeHistogram NONE = new TimeHistogram();

    private final String volume;
    private final OperationKind kind;
    private final TimeHistogram hold = new TimeHistogram();
    private final AtomicLong slow = new AtomicLong();
    private volatile TimeHistogram wait; // most operations never wait

    Row(String volume, OperationKind kind) {
      this.volume = volume;
      this.kind = kind;
    }

    private synchronized TimeHistogram firstWait() {
      if (wait == null) {
        wait = new TimeHistogram();
      }
      return wait;
    }

    private TimeHistogram waited() {
      TimeHistogram made = wait;
      return made == null ? firstWait() : made;
    }

    /** Storage id; empty where no volume was chosen yet. */
    public String volume() {
      return volume;
    }

    public OperationKind kind() {
      return kind;
    }

    /** How long the lock was held, each time it was given back. */
    public TimeHistogram hold() {
      return hold;
    }

    /** How long the lock was waited for, of the times it was not free. */
    public TimeHistogram waiting() {
      TimeHistogram made = wait;
      return made == null ? NONE : made;
    }

    /** Holds that ended and were slow. */
    public long slow() {
      return slow.get();
    }
  }
}
