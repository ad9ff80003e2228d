package io.evenkeel.bench.mover;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs mover} in this JVM. Under the metrics mode of small clusters it gets past its second
 * round also on 3.4 and 3.5, where a process of its own does not. Thread-safe.
 */
final class StockMover {
  private static int running;
  private static PrintStream out; // the real one while any runs

  private StockMover() {}

  /** Moves and returns the exit code; what it prints on standard output is dropped. */
  static int run(MoverCluster cluster, String path) throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    mute();
    try {
      return ToolRunner.run(cluster.conf(), new Mover.Cli(), new String[] {"-p", path});
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
    return () -> {
      int code = run(cluster, path);
      if (code != 0) {
        throw new IllegalStateException("hdfs mover ended with " + code);
      }
    };
  }
}
