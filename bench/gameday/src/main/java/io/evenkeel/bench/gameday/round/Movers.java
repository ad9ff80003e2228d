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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.balancer.ExitStatus;

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

  /** What mover and Balancer end with, as processes, where they could not speak with a NameNode. */
  static final int IO_EXCEPTION = ExitStatus.IO_EXCEPTION.getExitCode() & 0xff;

  private static final String ENDED = "hdfs mover ended with ";

  private final GameCluster cluster;
  private final boolean ours;
  private final String root;
  private final Set<String> ends = ConcurrentHashMap.newKeySet(); // those that should not be

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
      return;
    }
    String end = command();
    if (end.endsWith(StockDefects.METRICS)) {
      ends.add(end);
    } else if (end.equals(ENDED + IO_EXCEPTION)) {
      throw new IOException(end);
    }
  }

  /** Moves what is left when all faults are over, to the end. */
  void rest() throws IOException, InterruptedException {
    Configuration conf = cluster.view().client();
    if (ours) {
      moveFiles(conf);
      return;
    }
    String end = command();
    if (!end.isEmpty()) {
      ends.add(end);
    }
    try {
      StockMover.run(conf, List.of(root), StockMover.TUNED); // where the command ended early
    } catch (InterruptedException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** That stock's ended in other ways than it should. */
  List<Finding> findings() {
    return ends.stream().map(end -> new Finding(Finding.Kind.NOT_CALM, root, "", end)).toList();
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

  /** How it ended; empty when as it should. */
  private String command() throws IOException {
    List<String> command = new ArrayList<>(List.of("mover"));
    StockMover.TUNED.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
    command.addAll(List.of("-p", root));
    try {
      int code = cluster.run(null, command, OUTPUT, LONGEST);
      if (code == 0) {
        return "";
      }
      boolean early = Files.readString(cluster.output(OUTPUT)).contains(REGISTERED);
      return ENDED + code + (early ? StockDefects.METRICS : "");
    } catch (CommandException e) {
      throw new IOException(e);
    }
  }
}
