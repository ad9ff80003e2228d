package io.evenkeel.bench.mover;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs mover} in this JVM. Under the metrics mode of small clusters it gets past its second
 * round also on 3.4 and 3.5, where a process of its own does not. Thread-safe.
 */
final class StockMover {
  /**
   * Its own keys at their best: more moves at once, and no pause after each of its rounds, which is
   * twice the one interval and once the other.
   */
  static final Map<String, String> TUNED =
      Map.of(
          "dfs.mover.moverThreads", "4000",
          "dfs.datanode.balance.max.concurrent.moves", "1000",
          "dfs.heartbeat.interval", "0",
          "dfs.namenode.redundancy.interval.seconds", "0");

  private static int running;
  private static PrintStream out; // the real one while any runs

  private StockMover() {}

  /** Moves and returns the exit code; what it prints on standard output is dropped. */
  static int run(MoverCluster cluster, String path) throws Exception {
    return run(cluster.conf(), path);
  }

  private static int run(Configuration conf, String path) throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    mute();
    try {
      return ToolRunner.run(conf, new Mover.Cli(), new String[] {"-p", path});
    } finally {
      unmute();
    }
  }

  /** Standard output belongs to the result of the run. */
  private static synchronized void mute() {
    if (running++ == 0) {
      out = System.out;
      System.setOut(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
  }

  private static synchronized void unmute() {
    if (--running == 0) {
      System.setOut(out);
    }
  }

  /**
   * Moves what is at a path.
   *
   * @throws IllegalStateException when it ends with another code than 0
   */
  static Run.Tool tool(MoverCluster cluster, String path) {
    return tool(cluster, path, Map.of());
  }

  /** The same with keys of its own. */
  static Run.Tool tool(MoverCluster cluster, String path, Map<String, String> keys) {
    return () -> {
      Configuration conf = cluster.conf();
      keys.forEach(conf::set);
      int code = run(conf, path);
      if (code != 0) {
        throw new IllegalStateException("hdfs mover ended with " + code);
      }
    };
  }
}
