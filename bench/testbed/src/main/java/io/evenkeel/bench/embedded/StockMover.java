package io.evenkeel.bench.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs mover} in this JVM. Under the metrics mode of small clusters it gets past its second
 * round also on 3.4 and 3.5, where a process of its own does not. Thread-safe.
 */
public final class StockMover {
  /**
   * Its own keys at their best: more moves at once, and no pause after each of its rounds, which is
   * twice the one interval and once the other.
   */
  public static final Map<String, String> TUNED =
      Map.of(
          "dfs.mover.moverThreads", "4000",
          "dfs.datanode.balance.max.concurrent.moves", "1000",
          "dfs.heartbeat.interval", "0",
          "dfs.namenode.redundancy.interval.seconds", "0");

  private static int running;
  private static PrintStream out; // the real one while any runs

  private StockMover() {}

  /**
   * Moves what is at paths and returns the exit code; what it prints on standard output is dropped.
   *
   * @param keys of its own, in place of those of the configuration, which stays as it is
   */
  public static int run(Configuration conf, List<String> paths, Map<String, String> keys)
      throws Exception {
    Configuration own = new Configuration(conf);
    keys.forEach(own::set);
    List<String> args = new ArrayList<>(List.of("-p"));
    args.addAll(paths);
    DefaultMetricsSystem.setMiniClusterMode(true);
    mute();
    try {
      return ToolRunner.run(own, new Mover.Cli(), args.toArray(new String[0]));
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
}
