package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The section "volume": one DataNode whose disk turns slow in the middle of a write load, with
 * stock's policy, with stock's exclusion of slow disks and with ours, and what that did to writers.
 * Confined to one thread.
 */
final class SlowDiskSection extends DemoSection<SlowDiskSection.Result> {
  private static final double MEBI = 1 << 20;
  private static final int VOLUMES = 6;
  private static final int SLOW_VOLUME = 2;
  private static final int WRITERS = 12;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final long DISK_BYTES_PER_SECOND = 4 << 20;
  private static final double TIMES_SLOWER = 10;

  // Seconds; writers warm up before 0. The first arm, which is stock's, also loads the classes of
  // HDFS and has its code compiled.
  private static final double FIRST_WARM_UP = 5;
  private static final double WARM_UP = 1;
  private static final double SLOW = 2;
  private static final double HEALED = 6;
  private static final double END = 9.5;

  /** Both sides look for slow disks so often. */
  private static final int LOOK_MILLIS = 250;

  /** Metrics are collected as often, by somebody who throws them away. */
  private static final double COLLECTED = LOOK_MILLIS / 1e3;

  private final Path dir;
  private final HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
  private boolean warm;

  SlowDiskSection(Path dir, Progress progress) {
    super("volume", "A slow disk among equals", progress);
    this.dir = dir;
  }

  /**
   * Throws away what is collected, and counts how often that happened. Stopping a cluster makes
   * Hadoop forget its sinks, and without one nothing is collected: stock's exclusion then judges by
   * means since the start. So each cluster has one of its own.
   */
  private static final class Collector implements MetricsSink {
    private final AtomicInteger collections = new AtomicInteger();

    @Override
    public void init(SubsetConfiguration conf) {}

    @Override
    public void putMetrics(MetricsRecord collected) {}

    @Override
    public void flush() {
      collections.incrementAndGet();
    }
  }

  /** One block a writer has written, and whether it went to the slow disk. */
  private record Block(double begun, double seconds, boolean onSlowDisk) {}

  /**
   * What was measured.
   *
   * @param healthy bytes per second of all disks while all were healthy
   * @param slow the same while one was slow
   * @param collections how often metrics were collected meanwhile
   */
  record Result(
      double healthy, double slow, int collections, List<Block> blocks, List<String> failures) {
    /** Share of the blocks begun between two times that went to the disk; NaN without any. */
    private double share(double from, double to) {
      double all = begun(from, to).size();
      return all == 0 ? Double.NaN : toSlowDisk(from, to) / all;
    }

    /** Bytes per second of the blocks that were complete between two times. */
    private double written(double from, double to) {
      return blocks.stream()
              .mapToDouble(b -> b.begun + b.seconds)
              .filter(ended -> ended >= from && ended < to)
              .count()
          * (double) BLOCK_BYTES
          / (to - from);
    }

    private List<Block> begun(double from, double to) {
      return blocks.stream().filter(b -> b.begun >= from && b.begun < to).toList();
    }

    private long toSlowDisk(double from, double to) {
      return begun(from, to).stream().filter(Block::onSlowDisk).count();
    }

    /** Time that 99 % of the blocks begun between two times stayed within; NaN without any. */
    private double p99(double from, double to) {
      double[] times = begun(from, to).stream().mapToDouble(Block::seconds).sorted().toArray();
      return times.length == 0 ? Double.NaN : times[(int) Math.ceil(times.length * 0.99) - 1];
    }
  }

  @Override
  List<Arm> arms(boolean every) {
    List<Arm> stock = new ArrayList<>();
    stock.add(Arm.stock("round robin", Map.of()));
    stock.add(Arm.stock("excluding slow disks", excluding(LOOK_MILLIS + "ms")));
    if (every) {
      stock.add(Arm.stock("excluding slow disks, each second", excluding("1s")));
      stock.add(
          Arm.stock(
              "AvailableSpace",
              Map.of(
                  "dfs.datanode.fsdataset.volume.choosing.policy",
                  "org.apache.hadoop.hdfs.server.datanode.fsdataset"
                      + ".AvailableSpaceVolumeChoosingPolicy")));
    }
    Map<String, String> more = new LinkedHashMap<>();
    more.put("evenkeel.volume.signals", "metrics");
    more.put("evenkeel.volume.sample.interval", LOOK_MILLIS + "ms");
    more.put("evenkeel.volume.eject.base", "2s");
    more.put("evenkeel.volume.eject.max", "2s");
    return joined(stock, ours(more, every));
  }

  private static Map<String, String> excluding(String interval) {
    return Map.of(
        "dfs.datanode.max.slowdisks.to.exclude",
        "1",
        "dfs.datanode.outliers.report.interval",
        interval);
  }

  @Override
  Map<String, String> sharedKeys() {
    Map<String, String> keys = DemoSettings.hdfs(BLOCK_BYTES);
    keys.put("dfs.replication", "1");
    keys.put("dfs.datanode.fileio.profiling.sampling.percentage", "100");
    return keys;
  }

  @Override
  Result measure(Arm arm, Passes passes, int pass) throws IOException, InterruptedException {
    Map<String, String> keys = sharedKeys();
    keys.putAll(arm.keys());
    update(arm, "starting HDFS");
    List<String> storages = Collections.nCopies(VOLUMES, "DISK");
    Path at = dir.resolve(arm.directory() + pass);
    EmbeddedHdfs hdfs = new EmbeddedHdfs(at, plan, storages, keys);
    Collector collector = new Collector();
    DefaultMetricsSystem.instance().register("nobody" + at, "throws all away", collector);
    update(arm, "writing");
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      double warmUp = warm ? WARM_UP : FIRST_WARM_UP;
      Result result =
          new Load(fs, hdfs.dataNodes().values().iterator().next(), collector, warmUp).run();
      warm = true;
      fs.delete(new org.apache.hadoop.fs.Path("/blocks"), true);
      String speeds = "%.1f MiB/s with it, %.1f MiB/s before";
      done(arm, String.format(Locale.ROOT, speeds, result.slow / MEBI, result.healthy / MEBI));
      return result;
    } finally {
      finished(hdfs, passes);
    }
  }

  @Override
  String failure(Result result) {
    return result.collections == 0 ? "metrics were not collected while one disk was slow" : "";
  }

  @Override
  String summary() {
    return "One DataNode with "
        + VOLUMES
        + " volumes of "
        + (DISK_BYTES_PER_SECOND >> 20)
        + " MiB/s each, "
        + WRITERS
        + " writers of blocks of 1 MiB, one replica. The speed of the volumes is kept in front of"
        + " the file system, where counters of a device cannot see it: Evenkeel uses Hadoop's"
        + " volume metrics instead. Stock's own exclusion of slow disks and Evenkeel's ejection"
        + " both look every "
        + LOOK_MILLIS
        + " ms, with metrics collected as often: sooner than by default, so that all fits into"
        + " seconds.";
  }

  @Override
  String finding(Result often, Arm bestArm, Result best, Result evenkeel) {
    return String.format(
        Locale.ROOT,
        "With one of %d disks %.0f times slower, the DataNode wrote %.1f MiB/s with round robin,"
            + " %.1f MiB/s with stock at its best (%s) and %.1f MiB/s with Evenkeel.",
        VOLUMES,
        TIMES_SLOWER,
        often.slow / MEBI,
        best.slow / MEBI,
        bestArm.name(),
        evenkeel.slow / MEBI);
  }

  @Override
  List<Measure<Result>> measures() {
    return List.of(
        Measure.of("Written per second with a slow disk", "bytes", "more", r -> r.slow),
        Measure.of("The same, all disks healthy", "bytes", "neither", r -> r.healthy),
        Measure.of("Speed kept with a slow disk", "fraction", "more", r -> r.slow / r.healthy),
        Measure.of("Time to write a block then, p99", "s", "less", r -> r.p99(SLOW, HEALED)),
        Measure.of("Blocks sent to the slow disk", "", "less", r -> r.toSlowDisk(SLOW, HEALED)),
        Measure.of("Share of the slow disk", "fraction", "less", r -> r.share(SLOW, HEALED)),
        Measure.of(
            "Share of that disk, healthy again", "fraction", "neither", r -> r.share(END - 2, END)),
        Measure.<Result>of("Writes that failed", "", "less", r -> r.failures.size()).decided());
  }

  @Override
  List<String> commands() {
    return List.of("./evenkeel demo --only volume", "./evenkeel bench --only volume.disks");
  }

  @Override
  List<Plot<Result>> plots() {
    // Windows of a second, one for each half of a second.
    double[] middles =
        IntStream.rangeClosed(1, (int) (END * 2) - 1).mapToDouble(i -> i / 2.0).toArray();
    return List.of(
        new Plot<>(
            "Written per second, before, while and after one disk is slow.",
            "All disks of the DataNode together; a dip is a DataNode whose writers wait for the"
                + " slow disk.",
            "bytes",
            "s",
            List.of(new Span(SLOW, HEALED, "one disk is slow")),
            middles,
            r -> inWindows(middles, r::written)),
        new Plot<>(
            "Share of new blocks that go to the disk that turns slow.",
            String.format(
                Locale.ROOT,
                "An equal share is 1 of %d. A gap: in that second nobody could begin a block,"
                    + " because all writers were waiting.",
                VOLUMES),
            "fraction",
            "s",
            List.of(new Span(SLOW, HEALED, "the disk is slow")),
            middles,
            r -> inWindows(middles, r::share)));
  }

  /** Of the second around each place. */
  private static double[] inWindows(double[] middles, DoubleBinaryOperator fromTo) {
    return Arrays.stream(middles).map(m -> fromTo.applyAsDouble(m - 0.5, m + 0.5)).toArray();
  }

  /**
   * Writers that keep a DataNode busy while one of its disks is healthy, slow, and healthy again.
   * Used by one thread; the writers are its own.
   */
  private static final class Load {
    private final DistributedFileSystem fs;
    private final DataNode dataNode;
    private final Collector collector;
    private final Queue<File> files = new ConcurrentLinkedQueue<>();
    private final Writers writers = new Writers();
    private final AtomicInteger names = new AtomicInteger();
    private final long start;

    /** A file of one block. */
    private record File(String path, double begun, double ended) {}

    Load(DistributedFileSystem fs, DataNode dataNode, Collector collector, double warmUp) {
      this.fs = fs;
      this.dataNode = dataNode;
      this.collector = collector;
      this.start = System.nanoTime() + (long) (warmUp * 1e9);
    }

    Result run() throws IOException, InterruptedException {
      FsVolumeSpi slowVolume = slowVolume();
      PacedDisks disks = PacedDisks.in(dataNode, DISK_BYTES_PER_SECOND);
      for (int i = 0; i < WRITERS; i++) {
        writers.start("slow-disk-writer-" + i, this::writeFiles);
      }
      double healthy;
      double slow;
      int collections;
      List<String> failures;
      try {
        long begin = writtenAt(0, disks);
        long turned = writtenAt(SLOW, disks);
        int before = collector.collections.get();
        disks.slow(slowVolume, TIMES_SLOWER);
        long healed = writtenAt(HEALED, disks);
        collections = collector.collections.get() - before;
        disks.slow(slowVolume, 1);
        writtenAt(END, disks);
        healthy = (turned - begin) / SLOW;
        slow = (healed - turned) / (HEALED - SLOW);
      } finally {
        disks.slow(slowVolume, 1);
        failures = writers.end();
      }
      List<Block> blocks = new ArrayList<>();
      for (File file : files) {
        blocks.add(new Block(file.begun, file.ended - file.begun, isOn(slowVolume, file)));
      }
      return new Result(healthy, slow, collections, blocks, failures);
    }

    private FsVolumeSpi slowVolume() throws IOException {
      try (FsDatasetSpi.FsVolumeReferences references =
          dataNode.getFSDataset().getFsVolumeReferences()) {
        return references.get(SLOW_VOLUME);
      }
    }

    private void writeFiles() throws IOException {
      while (writers.running()) {
        String path = "/blocks/" + names.getAndIncrement();
        double begun = seconds();
        write(path);
        files.add(new File(path, begun, seconds()));
      }
    }

    private void write(String path) throws IOException {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
      try (FSDataOutputStream out = fs.create(file, (short) 1)) {
        out.write(new byte[BLOCK_BYTES]);
      }
    }

    private double seconds() {
      return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Waits for that second; returns the bytes that all disks have written by then. Meanwhile
     * metrics are collected, as every operator has them collected, if less often: stock finds its
     * slow disks by the means since the last collection.
     */
    private long writtenAt(double second, PacedDisks disks) throws InterruptedException {
      for (double left = second - seconds(); left > 0; left = second - seconds()) {
        TimeUnit.NANOSECONDS.sleep((long) (Math.min(left, COLLECTED) * 1e9));
        DefaultMetricsSystem.instance().publishMetricsNow();
      }
      return disks.written();
    }

    /** Asks the DataNode on which volume a file's block is. */
    private boolean isOn(FsVolumeSpi volume, File file) throws IOException {
      boolean there = false;
      for (LocatedBlock located :
          fs.getClient().getLocatedBlocks(file.path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        there |= dataNode.getFSDataset().getVolume(located.getBlock()) == volume;
      }
      return there;
    }
  }
}
