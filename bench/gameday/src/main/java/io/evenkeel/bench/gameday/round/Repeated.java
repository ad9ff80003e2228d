package io.evenkeel.bench.gameday.round;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tool that runs again and again beside the load, as an operator has it. That it fails while
 * something is killed is no finding. Thread-safe.
 *
 * <p>Apart from {@link Round} for its thread.
 */
final class Repeated implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final String name;
  private final Duration pause;
  private final Tool tool;
  private final Thread thread;
  private final AtomicLong runs = new AtomicLong();
  private volatile boolean closed;

  /** What is run. */
  interface Tool {
    void once() throws IOException, InterruptedException;
  }

  /**
   * Begins.
   *
   * @param name of the tool, for people
   * @param pause between two runs
   */
  Repeated(String name, Duration pause, Tool tool) {
    this.name = name;
    this.pause = pause;
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
        } catch (IOException e) {
          // The NameNode is away, or a DataNode: the next run finds what is left.
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
    thread.join(LONGEST.toMillis());
    thread.interrupt();
  }

  /** How many runs came to their end. */
  @Override
  public String toString() {
    return runs + " runs of the " + name;
  }
}
