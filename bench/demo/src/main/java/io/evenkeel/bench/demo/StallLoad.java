package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.StallResult.Ack;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Writes to HDFS as HBase does: logs of small records, each acknowledged by hflush, on the fast
 * tier, and files that are flushed, replicated and deleted on the slow one. Apart from {@link
 * StallSection} because a test of the locks runs it on a cluster of processes. Made, started and
 * stopped by one thread; the writers are its own.
 */
public final class StallLoad {
  /** Volumes each DataNode needs. */
  public static final List<String> STORAGES = List.of("RAM_DISK", "SSD", "SSD", "DISK", "DISK");

  /** Block size of all files. */
  public static final int BLOCK_BYTES = 1 << 20;

  static final int SSD_WRITERS = 6;
  static final int MEMORY_WRITERS = 2;
  static final int FLUSH_WRITERS = 3;
  static final int RECORD_BYTES = 2 << 10;
  static final int FLUSH_BYTES = 512 << 10;

  /** A log is closed and deleted, and the next one begun, after so long. */
  static final double LOG_SECONDS = 0.4;

  private static final long MEMORY_BYTES = 256L << 20;
  private static final Path SSD = new Path("/wal");
  private static final Path MEMORY = new Path("/wal-memory");
  private static final Path DISK = new Path("/flush");
  private static final int FILES_KEPT = 3;
  private static final long RECORD_PAUSE_MILLIS = 5;
  private static final long FLUSH_PAUSE_MILLIS = 150;

  private final DistributedFileSystem fs;
  private final long start;
  private final Writers writers = new Writers();
  private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();
  private final Queue<Double> flushes = new ConcurrentLinkedQueue<>();

  /** Keys of any HDFS under this load, without {@code dfs.datanode.data.dir}. */
  public static Map<String, String> keys() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("dfs.datanode.max.locked.memory", String.valueOf(MEMORY_BYTES));
    conf.put("dfs.datanode.non.local.lazy.persist", "true");
    conf.put("dfs.datanode.lazywriter.interval.sec", "1");
    conf.put("dfs.namenode.redundancy.interval.seconds", "1");
    conf.put("dfs.namenode.replication.work.multiplier.per.iteration", "5");
    // Stock's client sleeps 400 ms when the NameNode has not yet heard of a block's end.
    conf.put("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20");
    return conf;
  }

  /**
   * Prepares directories.
   *
   * @param start the nanoTime that is second 0 of the result
   */
  public StallLoad(DistributedFileSystem fs, long start) throws IOException {
    this.fs = fs;
    this.start = start;
    for (Map.Entry<Path, String> directory : storagePolicies().entrySet()) {
      fs.mkdirs(directory.getKey());
      fs.setStoragePolicy(directory.getKey(), directory.getValue());
    }
  }

  /** Storage policies of its directories. */
  static Map<Path, String> storagePolicies() {
    return Map.of(SSD, "ALL_SSD", MEMORY, "LAZY_PERSIST", DISK, "HOT");
  }

  /** Starts all writers. */
  public void begin() {
    for (int i = 0; i < SSD_WRITERS + MEMORY_WRITERS; i++) {
      int writer = i;
      boolean memory = i >= SSD_WRITERS;
      writers.start(
          "wal-writer-" + i,
          () -> writeLogs(writer, memory ? MEMORY : SSD, (short) (memory ? 1 : 2)));
    }
    for (int i = 0; i < FLUSH_WRITERS; i++) {
      int writer = i;
      writers.start("flush-writer-" + i, () -> flush(writer));
    }
  }

  private void writeLogs(int writer, Path dir, short replicas)
      throws IOException, InterruptedException {
    byte[] record = new byte[RECORD_BYTES];
    for (int number = 0; writers.running(); number++) {
      Path log = new Path(dir, writer + "-" + number);
      try (FSDataOutputStream out = fs.create(log, replicas)) {
        double end = seconds() + LOG_SECONDS;
        while (writers.running() && seconds() < end) {
          double begun = seconds();
          out.write(record);
          out.hflush();
          acks.add(new Ack(writer, begun, seconds()));
          Thread.sleep(RECORD_PAUSE_MILLIS);
        }
      }
      fs.delete(log, false);
    }
  }

  private void flush(int writer) throws IOException, InterruptedException {
    Deque<Path> kept = new ArrayDeque<>();
    byte[] content = new byte[FLUSH_BYTES];
    for (int number = 0; writers.running(); number++) {
      Path file = new Path(DISK, writer + "-" + number);
      try (FSDataOutputStream out = fs.create(file, (short) 1)) {
        out.write(content);
      }
      flushes.add(seconds());
      fs.setReplication(file, (short) 2); // the NameNode has one DataNode copy it to the other
      kept.add(file);
      if (kept.size() > FILES_KEPT) {
        fs.delete(kept.remove(), false);
      }
      Thread.sleep(FLUSH_PAUSE_MILLIS);
    }
  }

  /** Time on the clock of the result. */
  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Lets every writer finish what it is at; returns what was seen. */
  public StallResult end() throws InterruptedException {
    List<String> failures = writers.end();
    return new StallResult(
        SSD_WRITERS + MEMORY_WRITERS, List.copyOf(acks), List.copyOf(flushes), failures);
  }
}
