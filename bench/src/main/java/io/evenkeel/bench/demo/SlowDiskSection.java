package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.SlowDiskHalf.Result;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.PlugPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The section "volume": one DataNode whose disk turns slow in the middle of a write load, with
 * stock's policy and then with ours, and what that did to writers. Confined to one thread.
 */
final class SlowDiskSection {
  private static final String POLICY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String SUMMARY =
      "One DataNode with "
          + SlowDiskHalf.VOLUMES
          + " volumes of "
          + (SlowDiskHalf.DISK_BYTES_PER_SECOND >> 20)
          + " MB/s each, "
          + SlowDiskHalf.WRITERS
          + " writers of blocks of 1 MB, one replica. The speed of the volumes is kept in front of"
          + " the file system, where counters of a device cannot see it: the Evenkeel half uses"
          + " Hadoop's volume metrics instead, and shorter times than its defaults, so that an"
          + " ejection and the return fit into seconds.";

  private final Path dir;
  private final Progress progress;
  private final HostPlan plan = HostPlan.of(new Layout(1, 1, 1));

  SlowDiskSection(Path dir, Progress progress) {
    this.dir = dir;
    this.progress = progress;
  }

  /** Runs both halves and returns the section in the schema of the report; never throws. */
  Map<String, Object> run() throws InterruptedException {
    return DemoSection.run(
        "volume", "A slow disk among equals", "a slow disk", progress, this::compare);
  }

  private Map<String, Object> compare() throws IOException, InterruptedException {
    Result stock = half("stock", Map.of());
    Result evenkeel = half("evenkeel", ours());
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("summary", SUMMARY);
    found.put("finding", finding(stock, evenkeel));
    found.put("rows", rows(stock, evenkeel));
    found.put("plots", List.of(plot(stock, evenkeel)));
    return found;
  }

  private Map<String, String> ours() throws IOException {
    String policy = PlugPoints.onClassPath().get(POLICY);
    if (policy == null) {
      throw new IOException("the volume module is not on the class path");
    }
    Map<String, String> map = new LinkedHashMap<>();
    map.put(POLICY, policy);
    map.put("evenkeel.volume.signals", "metrics");
    map.put("evenkeel.volume.sample.interval", "250ms");
    map.put("evenkeel.volume.eject.base", "2s");
    map.put("evenkeel.volume.eject.max", "2s");
    return map;
  }

  private Result half(String label, Map<String, String> settings)
      throws IOException, InterruptedException {
    progress.update("a slow disk (" + label + "): starting HDFS");
    Map<String, String> base = DemoSettings.hdfs(plan, dir, SlowDiskHalf.BLOCK_BYTES);
    base.put("dfs.replication", "1");
    base.put("dfs.datanode.fileio.profiling.sampling.percentage", "100");
    List<String> storages = Collections.nCopies(SlowDiskHalf.VOLUMES, "DISK");
    EmbeddedHdfs hdfs = new EmbeddedHdfs(dir.resolve(label), plan, storages, base, settings);
    progress.update("a slow disk (" + label + "): writing");
    Result result = new SlowDiskHalf(hdfs).run();
    progress.done(
        String.format(
            Locale.ROOT,
            "a slow disk (%s): %.1f MB/s with it, %.1f MB/s before",
            label,
            result.bytesPerSecond()[1] / (1 << 20),
            result.bytesPerSecond()[0] / (1 << 20)));
    // The daemons idle until the process ends: stopping them takes longer than it saves.
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      fs.delete(new org.apache.hadoop.fs.Path("/blocks"), true);
    }
    return result;
  }

  private static String finding(Result stock, Result evenkeel) {
    double mebi = 1 << 20;
    return String.format(
        Locale.ROOT,
        "With one of %d disks %.0f times slower, the DataNode wrote %.1f MB/s with stock and %.1f"
            + " MB/s with Evenkeel; stock sent %d blocks to the slow disk, Evenkeel %d.",
        SlowDiskHalf.VOLUMES,
        SlowDiskHalf.TIMES_SLOWER,
        stock.bytesPerSecond()[1] / mebi,
        evenkeel.bytesPerSecond()[1] / mebi,
        stock.toSlowDisk(SlowDiskHalf.MARKS[0], SlowDiskHalf.MARKS[1]),
        evenkeel.toSlowDisk(SlowDiskHalf.MARKS[0], SlowDiskHalf.MARKS[1]));
  }

  private static double kept(Result result) {
    return result.bytesPerSecond()[1] / result.bytesPerSecond()[0];
  }

  private static List<Map<String, Object>> rows(Result stock, Result evenkeel) {
    double slow = SlowDiskHalf.MARKS[0];
    double healed = SlowDiskHalf.MARKS[1];
    double end = SlowDiskHalf.MARKS[2];
    SectionRows<Result> rows = new SectionRows<>(stock, evenkeel);
    rows.add("Written per second with a slow disk", "bytes", "more", r -> r.bytesPerSecond()[1]);
    rows.add("The same, all disks healthy", "bytes", "neither", r -> r.bytesPerSecond()[0]);
    rows.add("Speed kept with a slow disk", "fraction", "more", SlowDiskSection::kept);
    rows.add("Time to write a block then, p99", "s", "less", r -> r.p99(slow, healed));
    rows.add("Blocks begun then, all disks", "", "more", r -> r.begun(slow, healed));
    rows.add("Blocks sent to the slow disk", "", "less", r -> r.toSlowDisk(slow, healed));
    rows.add("Share of the slow disk", "fraction", "less", r -> r.share(slow, healed));
    rows.add("Its share when healthy again", "fraction", "neither", r -> r.share(end - 2, end));
    rows.add("Writes that failed", "", "less", r -> r.failures().size());
    return rows.list();
  }

  private static Map<String, Object> plot(Result stock, Result evenkeel) {
    List<Double> seconds = new ArrayList<>();
    List<Double> stockShare = new ArrayList<>();
    List<Double> ourShare = new ArrayList<>();
    for (double from = 0; from + 1 <= SlowDiskHalf.MARKS[2]; from += 0.5) {
      seconds.add(from + 0.5);
      stockShare.add(SectionRows.orNull(stock.share(from, from + 1)));
      ourShare.add(SectionRows.orNull(evenkeel.share(from, from + 1)));
    }
    Map<String, List<Double>> series = new LinkedHashMap<>();
    series.put("stock", stockShare);
    series.put("evenkeel", ourShare);
    Map<String, Object> plot = new LinkedHashMap<>();
    plot.put("title", "Share of new blocks that go to the disk that turns slow, over time.");
    plot.put(
        "explain",
        String.format(
            Locale.ROOT,
            "The disk is slow from second %.0f to second %.0f; an equal share is 1 of %d. A gap: in"
                + " that second nobody could begin a block, because all writers were waiting.",
            SlowDiskHalf.MARKS[0],
            SlowDiskHalf.MARKS[1],
            SlowDiskHalf.VOLUMES));
    plot.put("unit", "fraction");
    plot.put(
        "spans",
        List.of(
            Map.of(
                "from", SlowDiskHalf.MARKS[0],
                "to", SlowDiskHalf.MARKS[1],
                "label", "the disk is slow")));
    plot.put("seconds", seconds);
    plot.put("series", series);
    return plot;
  }
}
