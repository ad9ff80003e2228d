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
import org.apache.hadoop.conf.Configuration;

/**
 * A mover: ours with our plugins, otherwise stock's at its best. Thread-safe.
 *
 * <p>Apart from {@link Round}, which runs it beside the load and after it.
 */
final class Movers {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final boolean ours;
  private final Configuration conf;
  private final String root;

  /**
   * Prepares.
   *
   * @param root what is moved
   */
  Movers(boolean ours, Configuration conf, String root) {
    this.ours = ours;
    this.conf = conf;
    this.root = root;
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
}
