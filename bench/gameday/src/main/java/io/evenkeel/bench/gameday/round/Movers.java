package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;

/**
 * A mover: ours with our plugins, otherwise {@code hdfs mover} with stock's best settings, as an
 * operator runs it. Thread-safe.
 *
 * <p>Apart from {@link Round}, which runs it beside the load and after it.
 */
final class Movers {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final String OUTPUT = "mover.out";

  /** In what the metrics say of a second source of one name. */
  private static final String REGISTERED = "already exists!";

  /** What stock's ends with, as a process, where it could not speak with a NameNode. */
  private static final int IO_EXCEPTION = 252;

  private final GameCluster cluster;
  private final boolean ours;
  private final String root;
  private final AtomicReference<String> end = new AtomicReference<>(); // null: as it should

  /**
   * Prepares.
   *
   * @param root what is moved
   */
  Movers(GameCluster cluster, boolean ours, String root) {
    this.cluster = cluster;
    this.ours = ours;
    this.root = root;
  }

  /** Moves once, beside faults. */
  void once() throws IOException, InterruptedException {
    if (ours) {
      moveFiles(cluster.view().client());
    } else if (command() == IO_EXCEPTION) {
      throw new IOException("hdfs mover ended with " + IO_EXCEPTION);
    }
  }

  /** Moves what is left when all faults are over, to the end. */
  void rest() throws IOException, InterruptedException {
    Configuration conf = cluster.view().client();
    if (ours) {
      moveFiles(conf);
      return;
    }
    int code = command();
    if (code != 0) {
      end.compareAndSet(null, "hdfs mover ended with " + code);
    }
    try {
      StockMover.run(conf, List.of(root), StockMover.TUNED); // where the command ended early
    } catch (InterruptedException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** That stock's ended in another way than it should. */
  Optional<Finding> finding() {
    return Optional.ofNullable(end.get())
        .map(how -> new Finding(Finding.Kind.NOT_CALM, root, "", how));
  }

  private void moveFiles(Configuration conf) throws IOException, InterruptedException {
    try (FileMover mover = FileMover.open(conf)) {
      mover
          .move(MoveRequest.of(root).snapshots(true).build())
          .get(LONGEST.toMinutes(), TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  private int command() throws IOException {
    List<String> command = new ArrayList<>(List.of("mover"));
    StockMover.TUNED.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
    command.addAll(List.of("-p", root));
    try {
      int code = cluster.run(null, command, OUTPUT, LONGEST);
      if (code != 0 && Files.readString(cluster.output(OUTPUT)).contains(REGISTERED)) {
        end.set("hdfs mover ended with " + code + StockDefects.METRICS);
      }
      return code;
    } catch (CommandException e) {
      throw new IOException(e);
    }
  }
}
