package io.evenkeel.bench.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * One side of the comparison of the section "a slow disk": writers keep one DataNode busy while one
 * of its disks is healthy, slow, and healthy again. Used by one thread; the writers are its own.
 */
final class SlowDiskHalf {
  static final int VOLUMES = 6;
  static final int WRITERS = 12;
  static final int BLOCK_BYTES = 1 << 20;
  static final long DISK_BYTES_PER_SECOND = 4 << 20;
  static final double TIMES_SLOWER = 10;

  /** Seconds at which the disk becomes slow, recovers, and all ends; writers warm up before 0. */
  static final double[] MARKS = {2, 6, 9.5};

  private static final double WARM_UP_SECONDS = 1;

  private static final int SLOW = 2;
  private static final long END_LIMIT_MILLIS = 60_000;

  private final EmbeddedHdfs hdfs;
  private final DataNode dataNode;
  private final Queue<Block> blocks = new ConcurrentLinkedQueue<>();
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger names = new AtomicInteger();
  private volatile boolean running = true;
  private long start;

  /** One block a writer has written. */
  private record Block(String file, double begun, double ended) {}

  /**
   * What was measured.
   *
   * @param bytesPerSecond of all disks while all were healthy, and while one was slow
   * @param blocks each block in the order begun: seconds, time to write it, 1 when it went to the
   *     slow disk
   */
  record Result(double[] bytesPerSecond, List<double[]> blocks, List<String> failures) {
    /** Share of the blocks begun between two times that went to the disk; NaN without any. */
    double share(double from, double to) {
      long all = begun(from, to);
      return all == 0 ? Double.NaN : toSlowDisk(from, to) / (double) all;
    }

    long begun(double from, double to) {
      return between(from, to).size();
    }

    long toSlowDisk(double from, double to) {
      return between(from, to).stream().filter(b -> b[2] > 0).count();
    }

    /** Time that 99 % of the blocks begun between two times stayed within; NaN without any. */
    double p99(double from, double to) {
      double[] times = between(from, to).stream().mapToDouble(b -> b[1]).sorted().toArray();
      return times.length == 0
          ? Double.NaN
          : times[Math.max(0, (int) Math.ceil(times.length * 0.99) - 1)];
    }

    private List<double[]> between(double from, double to) {
      return blocks.stream().filter(b -> b[0] >= from && b[0] < to).toList();
    }
  }

  /** Takes a running HDFS of one DataNode. */
  SlowDiskHalf(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.dataNode = hdfs.dataNodes().values().iterator().next();
  }

  Result run() throws IOException, InterruptedException {
    FsVolumeSpi slowVolume = volume(SLOW);
    PacedDisks disks = PacedDisks.in(dataNode, DISK_BYTES_PER_SECOND);
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      start = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
      List<Thread> writers = startWriters(fs);
      long[] written = new long[4];
      try {
        written[0] = at(0, disks);
        written[1] = at(MARKS[0], disks);
        disks.slow(slowVolume, TIMES_SLOWER);
        written[2] = at(MARKS[1], disks);
        disks.slow(slowVolume, 1);
        written[3] = at(MARKS[2], disks);
      } finally {
        running = false;
        disks.slow(slowVolume, 1);
        end(writers);
      }
      double[] speeds = {
        (written[1] - written[0]) / MARKS[0], (written[2] - written[1]) / (MARKS[1] - MARKS[0])
      };
      return new Result(
          speeds, located(fs, slowVolume), failures.stream().map(Exception::toString).toList());
    }
  }

  private FsVolumeSpi volume(int index) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences references =
        dataNode.getFSDataset().getFsVolumeReferences()) {
      return references.get(index);
    }
  }

  private List<Thread> startWriters(DistributedFileSystem fs) {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Thread writer = new Thread(() -> writeFiles(fs), "slow-disk-writer-" + i);
      writer.setDaemon(true);
      writers.add(writer);
      writer.start();
    }
    return writers;
  }

  private void writeFiles(DistributedFileSystem fs) {
    while (running) {
      String file = "/blocks/" + names.getAndIncrement();
      double begun = seconds();
      try {
        write(fs, file);
        blocks.add(new Block(file, begun, seconds()));
      } catch (IOException | RuntimeException e) {
        // try-with-resources makes a RuntimeException of what HDFS throws twice
        failures.add(e);
        return;
      }
    }
  }

  private static void write(DistributedFileSystem fs, String file) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(file), (short) 1)) {
      out.write(new byte[BLOCK_BYTES]);
    }
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Waits for that second; returns the bytes written by then. */
  private long at(double second, PacedDisks disks) throws InterruptedException {
    double left = second - seconds();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep((long) (left * 1e9));
    }
    return disks.written();
  }

  private static void end(List<Thread> writers) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_LIMIT_MILLIS);
    for (Thread writer : writers) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      writer.join(Math.max(1, left));
    }
  }

  /** Asks the DataNode on which volume each block is. */
  private List<double[]> located(DistributedFileSystem fs, FsVolumeSpi slow) throws IOException {
    List<double[]> rows = new ArrayList<>();
    for (Block block : blocks) {
      boolean there = false;
      for (LocatedBlock located :
          fs.getClient().getLocatedBlocks(block.file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        there |= dataNode.getFSDataset().getVolume(located.getBlock()) == slow;
      }
      rows.add(new double[] {block.begun, block.ended - block.begun, there ? 1 : 0});
    }
    rows.sort((a, b) -> Arrays.compare(a, b));
    return rows;
  }
}
