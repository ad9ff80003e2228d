package io.evenkeel.bench.gameday.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * When acknowledgements and refusals came, and the actions that wait for one of them. Times are
 * durations since it was made. Thread-safe.
 */
public final class Timeline {
  private final LongSupplier nanos;
  private final long start;
  private final Executor actions;

  // Everything below is guarded by this.
  private long total;
  private long last;
  private final Map<String, Long> byFile = new HashMap<>();
  private final SortedMap<Long, List<Runnable>> waiting = new TreeMap<>();
  private final Map<String, SortedMap<Long, List<Runnable>>> waitingByFile = new HashMap<>();
  private final SortedMap<Long, Long> perSecond = new TreeMap<>();
  private final SortedMap<String, Writer> writers = new TreeMap<>();
  private final List<Refusal> refusals = new ArrayList<>();

  /** When one writer had acknowledgements, in nanoseconds. */
  private static final class Writer {
    final List<Long> times = new ArrayList<>();
    boolean ended;
  }

  /**
   * An operation that ended with an exception.
   *
   * @param at when
   * @param exception simple name of its class; of the server's exception when it came from there
   */
  public record Refusal(
      Duration at, String writer, String operation, String exception, String message) {}

  /**
   * Begins.
   *
   * @param nanos a clock such as {@link System#nanoTime}
   * @param actions runs what waits; the thread that reports an acknowledgement does not run it
   *     unless this executor makes it
   */
  public Timeline(LongSupplier nanos, Executor actions) {
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.actions = actions;
  }

  /** Time since it was made. */
  public Duration now() {
    return Duration.ofNanos(nanos.getAsLong() - start);
  }

  /** A writer begins; its first pause lasts from now to its first acknowledgement. */
  public synchronized void begun(String writer) {
    writers.computeIfAbsent(writer, name -> new Writer()).times.add(now().toNanos());
  }

  /** A writer has done what it had to. */
  public synchronized void ended(String writer) {
    writers.computeIfAbsent(writer, name -> new Writer()).ended = true;
  }

  /** An operation of a writer on a file was acknowledged. */
  public void acknowledged(String writer, String file) {
    List<Runnable> due = new ArrayList<>();
    synchronized (this) {
      long at = now().toNanos();
      last = at;
      total++;
      long ofFile = byFile.merge(file, 1L, Long::sum);
      perSecond.merge(at / 1_000_000_000, 1L, Long::sum);
      writers.computeIfAbsent(writer, name -> new Writer()).times.add(at);
      take(waiting, total, due);
      SortedMap<Long, List<Runnable>> here = waitingByFile.get(file);
      if (here != null) {
        take(here, ofFile, due);
      }
    }
    due.forEach(actions::execute);
  }

  private static void take(SortedMap<Long, List<Runnable>> from, long count, List<Runnable> due) {
    while (!from.isEmpty() && from.firstKey() <= count) {
      due.addAll(from.remove(from.firstKey()));
    }
  }

  /** An operation of a writer ended with an exception. */
  public synchronized void refused(
      String writer, String operation, String exception, String message) {
    refusals.add(new Refusal(now(), writer, operation, exception, message));
  }

  /** Runs an action once, at so many acknowledgements, or at once when there were as many. */
  public void when(long count, Runnable action) {
    synchronized (this) {
      if (total < count) {
        waiting.computeIfAbsent(count, n -> new ArrayList<>()).add(action);
        return;
      }
    }
    actions.execute(action);
  }

  /** The same with the acknowledgements of one file, under the path it had each time. */
  public void when(String file, long count, Runnable action) {
    synchronized (this) {
      if (byFile.getOrDefault(file, 0L) < count) {
        waitingByFile
            .computeIfAbsent(file, name -> new TreeMap<>())
            .computeIfAbsent(count, n -> new ArrayList<>())
            .add(action);
        return;
      }
    }
    actions.execute(action);
  }

  /** All acknowledgements so far. */
  public synchronized long total() {
    return total;
  }

  /** Acknowledgements of one file so far. */
  public synchronized long total(String file) {
    return byFile.getOrDefault(file, 0L);
  }

  /**
   * When the last acknowledgement came; zero when there was none. A fault may stop all writers, and
   * with them the event that is to end it.
   */
  public synchronized Duration last() {
    return Duration.ofNanos(last);
  }

  /** Acknowledgements in each second that had any. */
  public synchronized SortedMap<Long, Long> perSecond() {
    return new TreeMap<>(perSecond);
  }

  /** All refusals so far, in order of time. */
  public synchronized List<Refusal> refusals() {
    return List.copyOf(refusals);
  }

  /**
   * The longest time that each writer went without an acknowledgement, as far as it lies between
   * two moments. A writer that has not ended is still waiting.
   */
  public synchronized SortedMap<String, Duration> longestPauses(Duration from, Duration to) {
    SortedMap<String, Duration> longest = new TreeMap<>();
    writers.forEach(
        (name, writer) -> longest.put(name, longestPause(writer, from.toNanos(), to.toNanos())));
    return longest;
  }

  private static Duration longestPause(Writer writer, long from, long to) {
    long longest = 0;
    for (int i = 1; i < writer.times.size(); i++) {
      long begin = Math.max(from, writer.times.get(i - 1));
      longest = Math.max(longest, Math.min(to, writer.times.get(i)) - begin);
    }
    if (!writer.ended && !writer.times.isEmpty()) {
      long last = writer.times.get(writer.times.size() - 1);
      longest = Math.max(longest, to - Math.max(from, last));
    }
    return Duration.ofNanos(longest);
  }
}
