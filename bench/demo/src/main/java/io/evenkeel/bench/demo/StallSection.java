package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.log4j.Logger;

/**
 * The section "locking": a disk of the slow tier that stalls under an HBase-like load, with stock's
 * dataset, its locks fair and not, and then with ours, and what that did to the writers of the fast
 * tier. Confined to one thread.
 */
final class StallSection extends DemoSection<StallResult> {
  // Seconds; writers warm up before 0. The first arm also loads the classes of HDFS and has its
  // code compiled.
  private static final double FIRST_WARM_UP = 5;
  private static final double WARM_UP = 1.5;
  private static final double STALL = 2;
  private static final double RECOVERY = 12;
  private static final double END = 14.5;

  /** Between two points of a plot. */
  private static final double STEP = 0.25;

  private final Path dir;
  private final HostPlan plan = HostPlan.of(new Layout(1, 2, 1));
  private boolean warm;

  StallSection(Path dir, Progress progress) {
    super("locking", "A disk that stalls", progress);
    this.dir = dir;
  }

  @Override
  List<Arm> arms(boolean every) {
    List<Arm> stock = new ArrayList<>(List.of(Arm.stock("stock", Map.of())));
    if (every) {
      stock.add(Arm.stock("stock, locks not fair", Map.of("dfs.datanode.lock.fair", "false")));
    }
    return joined(stock, ours(Map.of(), every));
  }

  @Override
  Map<String, String> sharedKeys() {
    Map<String, String> keys = DemoSettings.hdfs(StallLoad.BLOCK_BYTES);
    keys.putAll(StallLoad.keys());
    return keys;
  }

  @Override
  Map<String, String> besidesKeys() {
    Map<String, String> policies = new TreeMap<>();
    StallLoad.storagePolicies()
        .forEach((path, policy) -> policies.put("storage policy of " + path, policy));
    return policies;
  }

  @Override
  StallResult measure(Arm arm, Passes passes, int pass) throws IOException, InterruptedException {
    Map<String, String> keys = sharedKeys();
    keys.putAll(arm.keys());
    update(arm, "starting HDFS");
    // Blocks in memory are files like all others here: no right to lock pages is needed.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    Path at = dir.resolve(arm.directory() + pass);
    EmbeddedHdfs hdfs = new EmbeddedHdfs(at, plan, StallLoad.STORAGES, keys);
    try {
      update(arm, "writing");
      StallResult result = write(hdfs, warm ? WARM_UP : FIRST_WARM_UP);
      warm = true;
      result.failures().forEach(Logger.getLogger(StallSection.class)::warn);
      String text = "longest pause of a WAL writer %.0f ms";
      done(arm, String.format(Locale.ROOT, text, pauseMillis(result)));
      return result;
    } finally {
      finished(hdfs, passes);
    }
  }

  /** Writes while a disk answers, does not answer, and answers again. */
  private static StallResult write(EmbeddedHdfs hdfs, double warmUp)
      throws IOException, InterruptedException {
    StalledDisk disk =
        StalledDisk.in(hdfs.dataNodes().values().iterator().next(), StorageType.DISK);
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      StallLoad load = new StallLoad(fs, System.nanoTime() + (long) (warmUp * 1e9));
      load.begin();
      StallResult result;
      try {
        sleepUntil(STALL, load);
        disk.stall();
        sleepUntil(RECOVERY, load);
        disk.recover();
        sleepUntil(END, load);
      } finally {
        disk.recover();
        result = load.end();
      }
      return result;
    }
  }

  private static void sleepUntil(double second, StallLoad load) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep((long) ((second - load.seconds()) * 1e9));
  }

  private static double pauseMillis(StallResult result) {
    return result.longestPause(STALL, END) * 1000;
  }

  private static double kept(StallResult result) {
    return result.perSecond(STALL, RECOVERY) / result.perSecond(0, STALL);
  }

  @Override
  String summary() {
    return String.format(
        Locale.ROOT,
        "Two DataNodes, each with a volume in memory, two SSD and two DISK. %d WAL writers hflush"
            + " records of 2 KB to SSD with two replicas and %d to memory with one, persisted"
            + " lazily; each begins a new log every %.1f s and deletes the old one. %d writers"
            + " flush files of 512 KB to DISK, which are replicated afterwards and deleted later."
            + " For %.0f s no file operation on one DISK volume of one DataNode returns. An"
            + " hflush into an open block needs no lock, so a writer stops when its log is full."
            + " Writers of that DISK volume wait for it in each arm."
            + " dfs.datanode.lock.fair is all that stock can be told about these locks.",
        StallLoad.SSD_WRITERS,
        StallLoad.MEMORY_WRITERS,
        StallLoad.LOG_SECONDS,
        StallLoad.FLUSH_WRITERS,
        RECOVERY - STALL);
  }

  @Override
  String finding(StallResult often, Arm bestArm, StallResult best, StallResult evenkeel) {
    return String.format(
        Locale.ROOT,
        "While one disk of the slow tier stalled for %.0f s, a writer on SSD or memory paused for"
            + " up to %,.0f ms with stock and %,.0f ms with Evenkeel.",
        RECOVERY - STALL,
        pauseMillis(best),
        pauseMillis(evenkeel));
  }

  @Override
  List<Measure<StallResult>> measures() {
    return List.of(
        Measure.<StallResult>of(
                "Longest pause of a WAL writer", "ms", "less", StallSection::pauseMillis)
            .decided(),
        Measure.of(
            "Longest pause before the stall",
            "ms",
            "neither",
            r -> r.longestPause(0, STALL) * 1000),
        Measure.<StallResult>of(
                "Longest time in which no writer got on",
                "ms",
                "less",
                r -> r.silence(STALL, END) * 1000)
            .decided(),
        Measure.of(
            "WAL records per second, stalled", "", "more", r -> r.perSecond(STALL, RECOVERY)),
        Measure.of(
            "WAL records per second, before the stall", "", "neither", r -> r.perSecond(0, STALL)),
        Measure.of("Speed kept while stalled", "fraction", "more", StallSection::kept),
        Measure.of(
            "hflush of a record, stalled, p99",
            "ms",
            "neither",
            r -> r.p99(STALL, RECOVERY) * 1000),
        Measure.of("Files flushed to DISK, stalled", "", "more", r -> r.flushed(STALL, RECOVERY)),
        Measure.<StallResult>of("Writes that failed", "", "less", r -> r.failures().size())
            .decided());
  }

  @Override
  List<String> commands() {
    return List.of("./evenkeel demo --only locking", "./evenkeel bench --only locking.stall");
  }

  @Override
  List<Plot<StallResult>> plots() {
    List<Span> stalled = List.of(new Span(STALL, RECOVERY, "the disk stalls"));
    return List.of(
        new Plot<>(
            "Acknowledged WAL records per second.",
            "The disk that stalls has none of these logs: a line at 0 is a fast tier that stands"
                + " still for a disk of the slow one.",
            "",
            "s",
            stalled,
            times(STEP / 2),
            r -> r.rates(STEP, END)),
        new Plot<>(
            "How long the WAL writer that waits longest has been waiting.",
            "Since its last acknowledged record; a slope is a writer that got none.",
            "s",
            "s",
            stalled,
            times(STEP),
            r -> r.waits(STEP, END)));
  }

  private static double[] times(double first) {
    return IntStream.range(0, (int) (END / STEP)).mapToDouble(i -> first + i * STEP).toArray();
  }
}
