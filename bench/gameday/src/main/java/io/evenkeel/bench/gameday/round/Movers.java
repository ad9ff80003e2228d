package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;

/**
 * A mover that runs again and again beside the load: ours with our plugins, otherwise stock's at
 * its best. That it fails while something is killed is no finding. Thread-safe.
 *
 * <p>Apart from {@link Round} for its thread.
 */
final class Movers implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final boolean ours;
  private final Configuration conf;
  private final String root;
  private final Thread thread = new Thread(this::run, "gameday-mover");
  private final AtomicLong runs = new AtomicLong();
  private volatile boolean closed;

  /**
   * Prepares.
   *
   * @param root what is moved
   */
  Movers(boolean ours, Configuration conf, String root) {
    this.ours = ours;
    this.conf = conf;
    this.root = root;
    thread.setDaemon(true);
  }

  /** Begins to run beside the load. */
  void start() {
    thread.start();
  }

  /** Moves once, to the end. */
  void once() throws IOException, InterruptedException {
    if (ours) {
      try (FileMover mover = FileMover.open(conf)) {
        mover
            .move(MoveRequest.of(root).snapshots(true).build())
            .get(LONGEST.toMinutes(), TimeUnit.MINUTES);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException(e);
      }
    } else {
      try {
        StockMover.run(conf, List.of(root), StockMover.TUNED);
      } catch (InterruptedException | IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  private void run() {
    while (!closed) {
      try {
        once();
        runs.incrementAndGet();
      } catch (IOException e) {
        // The NameNode is away, or a DataNode: the next run finds what is left.
      } catch (InterruptedException e) {
        return;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Runs that came to their end. */
  long runs() {
    return runs.get();
  }

  /** Begins no further run and waits for the one that is under way. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join(LONGEST.toMillis());
    thread.interrupt();
  }
}
