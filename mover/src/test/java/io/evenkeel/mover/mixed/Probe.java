package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * How long a client waits for calls to the NameNode while movers run and while they are paused;
 * what falls into a failover does not count. Confined to one thread until it is told.
 */
final class Probe {
  private static final Path FILE = new Path("/probe");
  private static final String[] CALLS = {"getFileInfo", "listStatus", "create"};

  private final DistributedFileSystem fs;
  private final Movers movers;
  private final Weather weather;
  private final Tally tally;
  private final Random random;
  private final Samples[][] samples = new Samples[2][CALLS.length];

  Probe(DistributedFileSystem fs, Movers movers, Weather weather, Tally tally) {
    this.fs = fs;
    this.movers = movers;
    this.weather = weather;
    this.tally = tally;
    this.random = new Random(fs.hashCode());
    for (Samples[] of : samples) {
      Arrays.setAll(of, i -> new Samples());
    }
  }

  /** Times in nanoseconds. Thread-safe: a run that failed is told of while the probe goes on. */
  private static final class Samples {
    private long[] nanos = new long[1024];
    private int count;

    synchronized void add(long value) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = value;
    }

    synchronized String at(double... quantiles) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      StringBuilder text = new StringBuilder();
      for (double q : quantiles) {
        double ms = count == 0 ? Double.NaN : sorted[(int) Math.min(count - 1, q * count)] / 1e6;
        text.append(String.format(Locale.ROOT, " %.2f |", ms));
      }
      return text + " " + count + " |";
    }
  }

  /** A call. */
  private interface Call {
    void make() throws IOException;
  }

  void step() throws IOException {
    Worker.pause(10 + random.nextInt(20));
    time(0, () -> fs.getFileStatus(new Path("/hb/data")));
    time(1, () -> fs.listStatus(new Path("/hb/data/r0")));
    FSDataOutputStream[] out = {null};
    time(2, () -> out[0] = fs.create(FILE, true));
    if (out[0] != null) {
      try {
        out[0].close();
      } catch (IOException e) {
        tally.error("probe, close", e);
      }
    }
  }

  private void time(int call, Call made) {
    boolean paused = movers.isPaused();
    long start = System.nanoTime();
    try {
      made.make();
    } catch (IOException e) {
      tally.error("probe, " + CALLS[call], e);
      return;
    }
    long took = System.nanoTime() - start;
    if (paused == movers.isPaused() && weather.isCalmSince(start)) {
      samples[paused ? 1 : 0][call].add(took);
    }
  }

  /** The file is away then. */
  void end() throws IOException {
    fs.delete(FILE, false);
  }

  /** Milliseconds. */
  String table() {
    StringBuilder text =
        new StringBuilder("| call | movers | p50 ms | p99 ms | p99.9 ms | calls |\n");
    for (int call = 0; call < CALLS.length; call++) {
      for (int paused = 0; paused < 2; paused++) {
        text.append("| " + CALLS[call] + " | " + (paused == 1 ? "paused" : "on") + " |")
            .append(samples[paused][call].at(0.5, 0.99, 0.999))
            .append('\n');
      }
    }
    return text.toString();
  }
}
