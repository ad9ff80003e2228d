package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.history.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tool that runs again and again beside the load, as an operator has it. That it fails while
 * something is killed is no finding. Thread-safe.
 *
 * <p>Apart from {@link Round} for its thread.
 */
final class Repeated implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(6); // more than any tool has

  private final String name;
  private final Duration pause;
  private final Duration longest;
  private final Tool tool;
  private final Thread thread;
  private final AtomicLong runs = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong waits = new AtomicLong(); // for the lease of an earlier run
  private volatile Exception last; // null when none failed
  private volatile boolean closed;
  private volatile boolean hung; // a run did not end

  /** What is run. */
  interface Tool {
    void once() throws IOException, InterruptedException;
  }

  /** A run does not begin: an earlier one that a fault ended holds its lease still. */
  static final class LeaseHeld extends IOException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Begins.
   *
   * @param name of the tool, for people
   * @param pause between two runs
   */
  Repeated(String name, Duration pause, Tool tool) {
    this(name, pause, LONGEST, tool);
  }

  /**
   * The same.
   *
   * @param longest how long a run may take that is under way at the end
   */
  Repeated(String name, Duration pause, Duration longest, Tool tool) {
    this.name = name;
    this.pause = pause;
    this.longest = longest;
    this.tool = tool;
    thread = new Thread(this::run, "gameday-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        try {
          tool.once();
          runs.incrementAndGet();
        } catch (LeaseHeld e) {
          waits.incrementAndGet();
        } catch (IOException | RuntimeException e) {
          last = e; // the NameNode is away, or a DataNode: the next run finds what is left
          failures.incrementAndGet();
        }
        TimeUnit.MILLISECONDS.sleep(pause.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the end
    }
  }

  /** Begins no further run and waits for the one that is under way. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join(longest.toMillis());
    hung = thread.isAlive();
    thread.interrupt();
  }

  /**
   * A tool of which no run came to its end was not beside the load; one that hangs is one, too.
   * That all waited for a lease, which takes a minute, happens in a short load.
   */
  Optional<Finding> finding() {
    return !hung && (runs.get() > 0 || failures.get() == 0 || waits.get() > 0)
        ? Optional.empty()
        : Optional.of(new Finding(Finding.Kind.NOT_CALM, "", "", toString()));
  }

  /** How many runs came to their end, and why the others did not. */
  @Override
  public String toString() {
    Exception why = last;
    return runs
        + " runs of the "
        + name
        + (hung ? ", one did not end" : "")
        + (waits.get() == 0 ? "" : ", " + waits + " had to wait for an earlier one's lease")
        + (why == null ? "" : ", " + failures + " failed, the last: " + firstLine(why));
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
