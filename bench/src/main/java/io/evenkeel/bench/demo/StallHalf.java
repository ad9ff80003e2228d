package io.evenkeel.bench.demo;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * One side of the comparison of the section "a disk that stalls": a write load on two DataNodes,
 * one of which has a disk that answers, does not answer, and answers again. Used by one thread.
 */
public final class StallHalf {
  /** Volumes of each DataNode. */
  public static final List<String> STORAGES = List.of("RAM_DISK", "SSD", "SSD", "DISK", "DISK");

  /** Block size of all files. */
  public static final int BLOCK_BYTES = 1 << 20;

  /** Seconds at which the disk stalls, recovers, and all ends; writers warm up before 0. */
  static final double[] MARKS = {2, 12, 14.5};

  // The first side also loads the classes of HDFS and has its code compiled.
  private static final double FIRST_WARM_UP_SECONDS = 5;
  private static final double WARM_UP_SECONDS = 1.5;
  private static final long MEMORY_BYTES = 256L << 20;

  private final EmbeddedHdfs hdfs;
  private final DataNode dataNode;
  private final double warmUpSeconds;

  /**
   * Takes a running HDFS with {@link #STORAGES}.
   *
   * @param first whether no other side ran in this JVM before
   */
  StallHalf(EmbeddedHdfs hdfs, boolean first) {
    this.hdfs = hdfs;
    this.warmUpSeconds = first ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    this.dataNode = hdfs.dataNodes().values().iterator().next();
  }

  /** Keys both sides need on top of the demo's, and what the volume in memory needs of this JVM. */
  static void prepare(Map<String, String> conf) {
    // Blocks in memory are files like all others here: no right to lock pages is needed.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    conf.putAll(keys());
  }

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

  StallResult run() throws IOException, InterruptedException {
    StalledDisk disk = StalledDisk.in(dataNode, StorageType.DISK);
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      StallLoad load = new StallLoad(fs, System.nanoTime() + (long) (warmUpSeconds * 1e9));
      load.begin();
      StallResult result;
      try {
        sleepUntil(MARKS[0], load);
        disk.stall();
        sleepUntil(MARKS[1], load);
        disk.recover();
        sleepUntil(MARKS[2], load);
      } finally {
        disk.recover();
        result = load.end();
      }
      return result;
    }
  }

  private static void sleepUntil(double second, StallLoad load) throws InterruptedException {
    double left = second - load.seconds();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep((long) (left * 1e9));
    }
  }
}
