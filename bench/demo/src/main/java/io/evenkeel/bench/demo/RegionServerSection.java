package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerFiles.Renames;
import io.evenkeel.bench.demo.RegionServerFiles.Step;
import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.mover.FileMover;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The section "mover": the files of an HBase region server that change their storage policy by a
 * rename, with stock and with our mover. Confined to one thread.
 */
final class RegionServerSection extends DemoSection<RegionServerSection.Result> {
  /** Storage types of each DataNode. */
  static final List<String> STORAGES = List.of("DISK", "SSD", "ARCHIVE");

  static final int BLOCK_BYTES = 1 << 20;

  private static final int FLUSHES = 2;
  private static final int STORE_FILE_BYTES = 5 << 20;

  /** How long is waited after a rename for replicas that do not move. */
  private static final double PATIENCE_SECONDS = 5;

  private static final double SATISFIER_SECONDS = 30;
  private static final long LOOK_MILLIS = 10;
  private static final Path ROOT = new Path("/hbase");

  private final java.nio.file.Path dir;
  private final HostPlan plan = HostPlan.of(new Layout(1, 3, 1));

  RegionServerSection(java.nio.file.Path dir, Progress progress) {
    super("mover", "HBase: a region server's life", 45, progress);
    this.dir = dir;
  }

  /** Files of a step, and since when they are to be where their policy wants them. */
  private record Expected(Step step, List<Path> files, long since) {}

  /**
   * What was measured; not a number for what did not happen in time.
   *
   * @param log share of the log's replicas on SSD when it was closed
   * @param seconds rename to moved, of each step that renames
   * @param right share of the replicas of the last two steps where they should be when nothing more
   *     was waited for
   * @param asked seconds from an explicit request for these to moved
   */
  record Result(double log, Map<Step, Double> seconds, double right, double asked) {
    /** Longest rename to moved. */
    private double longest() {
      return seconds.values().stream().reduce(0.0, Math::max);
    }

    private double of(Step step) {
      return seconds.get(step);
    }
  }

  @Override
  Result measure(Arm arm) throws IOException, InterruptedException {
    update(arm, "starting HDFS");
    Map<String, String> keys = DemoSettings.hdfs(BLOCK_BYTES);
    keys.put("dfs.storage.policy.satisfier.mode", "external");
    // The daemons idle until the process ends: stopping them takes longer than it saves.
    EmbeddedHdfs hdfs = new EmbeddedHdfs(dir.resolve(arm.label()), plan, STORAGES, keys);
    update(arm, "writing and renaming");
    Result result;
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      result = arm == Arm.STOCK ? stock(hdfs, fs) : evenkeel(hdfs, fs);
    }
    String moved = String.format(Locale.ROOT, "%.0f %% moved after a rename", result.right * 100);
    String last = String.format(Locale.ROOT, ", the last after %.2f s", result.longest());
    done(arm, moved + (Double.isNaN(result.longest()) ? "" : last));
    return result;
  }

  private Result stock(EmbeddedHdfs hdfs, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    if (!StockSatisfier.exists()) {
      return rename(fs, RegionServerFiles.plain(fs), false);
    }
    try (StockSatisfier unused = StockSatisfier.start(hdfs.clientConf(), 1)) {
      return rename(fs, RegionServerFiles.plain(fs), true);
    }
  }

  private Result evenkeel(EmbeddedHdfs hdfs, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    try (FileMover mover = FileMover.open(hdfs.clientConf())) {
      return rename(fs, RegionServerFiles.by(mover), false);
    }
  }

  /** Writes, flushes, compacts and archives once; then asks the satisfier where it is there. */
  private Result rename(DistributedFileSystem fs, Renames renames, boolean satisfier)
      throws IOException, InterruptedException {
    RegionServerFiles files = new RegionServerFiles(fs, ROOT, STORE_FILE_BYTES);
    Map<Step, Double> outcomes = new EnumMap<>(Step.class); // the log's is a share
    Map<Step, Expected> steps = new EnumMap<>(Step.class);
    files.prepare();
    files.live(
        FLUSHES,
        renames,
        (step, paths, since) -> {
          Expected expected = new Expected(step, paths, since);
          steps.put(step, expected);
          outcomes.put(
              step,
              step == Step.LOGGED
                  ? files.right(paths, step.directory)
                  : await(files, expected, PATIENCE_SECONDS));
        });
    double log = outcomes.remove(Step.LOGGED);
    List<Expected> renamed = List.of(steps.get(Step.COMPACTED), steps.get(Step.ARCHIVED));
    // Equal numbers of bytes in both, so the mean is that of all replicas.
    double right = 0;
    for (Expected expected : renamed) {
      right += files.right(expected.files, expected.step.directory) / renamed.size();
    }
    double asked = satisfier ? ask(fs, files, renamed) : Double.NaN;
    return new Result(log, outcomes, right, asked);
  }

  /** Asks the satisfier for what was renamed and returns the seconds until all was moved. */
  private double ask(DistributedFileSystem fs, RegionServerFiles files, List<Expected> renamed)
      throws IOException, InterruptedException {
    update(Arm.STOCK, "asking the satisfier");
    long now = System.nanoTime();
    for (Expected expected : renamed) {
      for (Path file : expected.files) {
        fs.satisfyStoragePolicy(file);
      }
    }
    double last = 0;
    for (Expected expected : renamed) {
      Expected asked = new Expected(expected.step, expected.files, now);
      last = Math.max(last, await(files, asked, SATISFIER_SECONDS));
    }
    return last;
  }

  /** Seconds from the beginning until all is right; not a number when it is not within patience. */
  private static double await(RegionServerFiles files, Expected expected, double patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + (long) (patience * 1e9);
    while (System.nanoTime() < deadline) {
      if (files.right(expected.files, expected.step.directory) == 1) {
        return (System.nanoTime() - expected.since) / 1e9;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return Double.NaN;
  }

  @Override
  String summary() {
    return String.format(
        Locale.ROOT,
        "Three DataNodes, each with DISK, SSD and ARCHIVE. /hbase/WALs and the store are ALL_SSD,"
            + " /hbase/.tmp is HOT, /hbase/archive is COLD. A log is written, %d store files of"
            + " %d MB are flushed into .tmp and renamed into the store, compacted into one, and"
            + " renamed into the archive. Stock renames and waits %.0f s each time with the"
            + " satisfier running, and then asks it for every file; Evenkeel renames by"
            + " FileMover.rename. A time ends when the NameNode says that every replica is where"
            + " the policy of the new directory wants it.",
        FLUSHES,
        STORE_FILE_BYTES >> 20,
        PATIENCE_SECONDS);
  }

  @Override
  String finding(Result stock, Result evenkeel) {
    String after =
        String.format(Locale.ROOT, ", at most %.2f s after a rename", evenkeel.longest());
    String asked =
        String.format(
            Locale.ROOT, "; the satisfier, asked for each file, took %.1f s", stock.asked);
    return String.format(
        Locale.ROOT,
        "Of the replicas that a rename put under another storage policy, stock moved %.0f %% by"
            + " itself within %.0f s and Evenkeel %.0f %%%s%s.",
        stock.right * 100,
        PATIENCE_SECONDS,
        evenkeel.right * 100,
        Double.isNaN(evenkeel.longest()) ? "" : after,
        Double.isNaN(stock.asked) ? "" : asked);
  }

  @Override
  List<Measure<Result>> measures() {
    return List.of(
        new Measure<>("Replicas moved after a rename", "fraction", "more", Result::right),
        new Measure<>("Rename to moved, flushed files", "s", "less", r -> r.of(Step.FLUSHED)),
        new Measure<>("Rename to moved, compacted file", "s", "less", r -> r.of(Step.COMPACTED)),
        new Measure<>("Rename to moved, archived files", "s", "less", r -> r.of(Step.ARCHIVED)),
        new Measure<>("Satisfier asked, to moved", "s", "neither", Result::asked),
        new Measure<>("Log on SSD when it is closed", "fraction", "neither", Result::log));
  }
}
