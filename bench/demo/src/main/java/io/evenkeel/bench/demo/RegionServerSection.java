package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerFiles.Directory;
import io.evenkeel.bench.demo.RegionServerFiles.Renames;
import io.evenkeel.bench.demo.RegionServerFiles.Step;
import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.mover.FileMover;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.log4j.Logger;

/**
 * The section "mover": the files of an HBase region server that change their storage policy by a
 * rename: with stock, with stock's mover or satisfier set on each file, and with our mover.
 * Confined to one thread.
 */
final class RegionServerSection extends DemoSection<RegionServerSection.Result> {
  /** Storage types of each DataNode. */
  static final List<String> STORAGES = List.of("DISK", "SSD", "ARCHIVE");

  static final int BLOCK_BYTES = 1 << 20;

  private static final int FLUSHES = 2;
  private static final int STORE_FILE_BYTES = 5 << 20;

  /** How long is waited for replicas that nobody moves, and for those that somebody does. */
  private static final double PATIENCE_SECONDS = 5;

  private static final double ASKED_SECONDS = 30;
  private static final long LOOK_MILLIS = 10;
  private static final Path ROOT = new Path("/hbase");
  private static final Path WARM_UP = new Path("/warm-up");

  private static final Arm RENAMED = Arm.stock("renamed only", Map.of());

  // Keys of the tools, not of the NameNode and the DataNodes.
  private static final Arm MOVED =
      Arm.stock("hdfs mover after the renames, tuned", StockMover.TUNED);

  private static final Arm MOVED_BY_DEFAULTS = Arm.stock("hdfs mover after the renames", Map.of());

  private static final Arm ASKED =
      Arm.stock(
          "satisfier asked for each file, tuned",
          Map.of(StockSatisfier.MULTIPLIER, String.valueOf(StockSatisfier.TUNED)));

  private static final Arm ASKED_BY_DEFAULTS =
      Arm.stock("satisfier asked for each file", Map.of(StockSatisfier.MULTIPLIER, "1"));

  /** So often the mover is run again when it says that it could not move all. */
  private static final int MOST_RUNS = 3;

  private static final long MOVER_END_SECONDS = 20;

  private final java.nio.file.Path dir;
  private final Set<Arm> warm = new HashSet<>();
  private final HostPlan plan = HostPlan.of(new Layout(1, 3, 1));

  RegionServerSection(java.nio.file.Path dir, Progress progress) {
    super("mover", "HBase: a region server's life", progress);
    this.dir = dir;
  }

  /** What is done about the files of a step once all are renamed. */
  private interface After {
    void renamed(List<Path> files);
  }

  private static final After NOTHING = files -> {};

  /** Files of a step, and since when they are to be where their policy wants them. */
  private record Expected(Step step, List<Path> files, long since) {}

  /**
   * What was measured; not a number for what did not happen in time.
   *
   * @param log share of the log's replicas on SSD when it was closed
   * @param seconds rename to moved, of each step that renames
   * @param right share of the replicas of the last two steps where they should be when nothing more
   *     was waited for
   */
  record Result(double log, Map<Step, Double> seconds, double right) {
    /** Longest rename to moved. */
    private double longest() {
      return seconds.values().stream().reduce(0.0, Math::max);
    }

    private double of(Step step) {
      return seconds.get(step);
    }
  }

  @Override
  List<Arm> arms(boolean every) {
    List<Arm> stock = new ArrayList<>(List.of(RENAMED, MOVED));
    if (every) {
      stock.add(MOVED_BY_DEFAULTS);
      if (StockSatisfier.exists()) {
        stock.addAll(List.of(ASKED_BY_DEFAULTS, ASKED));
      }
    }
    return joined(stock, ours(Map.of(), every));
  }

  @Override
  Map<String, String> sharedKeys() {
    Map<String, String> keys = DemoSettings.hdfs(BLOCK_BYTES);
    keys.put("dfs.storage.policy.satisfier.mode", "external");
    // Else a DataNode whose load is known before that of others may be too busy for a replica, and
    // the NameNode adds that replica after the rename, where the new policy wants it.
    keys.put("dfs.namenode.redundancy.considerLoad", "false");
    return keys;
  }

  @Override
  Map<String, String> besidesKeys() {
    Map<String, String> policies = new TreeMap<>();
    for (Directory directory : Directory.values()) {
      policies.put("storage policy of " + directory.in(ROOT), directory.policy);
    }
    return policies;
  }

  @Override
  Result measure(Arm arm, Passes passes, int pass) throws IOException, InterruptedException {
    update(arm, "starting HDFS");
    Map<String, String> keys = sharedKeys();
    if (arm.evenkeel()) {
      keys.putAll(arm.keys());
    }
    EmbeddedHdfs hdfs = new EmbeddedHdfs(dir.resolve(arm.directory() + pass), plan, STORAGES, keys);
    Result result;
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      if (warm.add(arm)) {
        update(arm, "warming up");
        live(arm, fs, hdfs.clientConf(), WARM_UP);
      }
      update(arm, "writing and renaming");
      result = live(arm, fs, hdfs.clientConf(), ROOT);
    } finally {
      finished(hdfs, passes);
    }
    String moved = String.format(Locale.ROOT, "%.0f %% moved after a rename", result.right * 100);
    String last = String.format(Locale.ROOT, ", the last after %.2f s", result.longest());
    done(arm, moved + (Double.isNaN(result.longest()) ? "" : last));
    return result;
  }

  /**
   * An arm from the start of its tool to the end; the first time loads and compiles its classes.
   */
  private static Result live(Arm arm, DistributedFileSystem fs, Configuration conf, Path root)
      throws IOException, InterruptedException {
    if (arm.evenkeel()) {
      try (FileMover mover = FileMover.open(conf)) {
        return live(fs, root, RegionServerFiles.by(mover), NOTHING, ASKED_SECONDS);
      }
    }
    if (arm.equals(RENAMED)) {
      return live(fs, root, RegionServerFiles.plain(fs), NOTHING, patience(root));
    }
    String multiplier = arm.keys().get(StockSatisfier.MULTIPLIER);
    if (multiplier != null) {
      try (StockSatisfier unused = StockSatisfier.start(conf, Integer.parseInt(multiplier))) {
        return live(fs, root, asking(fs), NOTHING, ASKED_SECONDS);
      }
    }
    ExecutorService movers = Executors.newSingleThreadExecutor();
    After mover = paths -> movers.execute(() -> move(paths, conf, arm.keys()));
    try {
      return live(fs, root, RegionServerFiles.plain(fs), mover, ASKED_SECONDS);
    } finally {
      movers.shutdownNow();
      movers.awaitTermination(MOVER_END_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Nobody moves anything: the warm-up need not wait for it. */
  private static double patience(Path root) {
    return root.equals(ROOT) ? PATIENCE_SECONDS : 0;
  }

  /** Stock's mover on files that were renamed; as an operator does, again when it left some. */
  private static void move(List<Path> paths, Configuration conf, Map<String, String> keys) {
    Logger log = Logger.getLogger(RegionServerSection.class);
    List<String> names = paths.stream().map(path -> path.toUri().getPath()).toList();
    try {
      int code = -1;
      for (int run = 0; run < MOST_RUNS && code != 0; run++) {
        code = StockMover.run(conf, names, keys);
        log.info("hdfs mover ended with " + code + " on " + names);
      }
    } catch (Exception e) {
      log.warn("hdfs mover failed on " + names, e);
    }
  }

  /** Stock's rename, and at once the request to move that file. */
  private static Renames asking(DistributedFileSystem fs) {
    Renames plain = RegionServerFiles.plain(fs);
    return (source, destination) -> {
      plain.rename(source, destination);
      fs.satisfyStoragePolicy(destination);
    };
  }

  /** Writes, flushes, compacts and archives once. */
  private static Result live(
      DistributedFileSystem fs, Path root, Renames renames, After after, double patience)
      throws IOException, InterruptedException {
    RegionServerFiles files = new RegionServerFiles(fs, root, STORE_FILE_BYTES);
    Map<Step, Double> outcomes = new EnumMap<>(Step.class); // the log's is a share
    Map<Step, Expected> steps = new EnumMap<>(Step.class);
    files.prepare();
    files.live(
        FLUSHES,
        renames,
        (step, paths, since) -> {
          Expected expected = new Expected(step, paths, since);
          steps.put(step, expected);
          if (step != Step.LOGGED) {
            after.renamed(paths);
          }
          outcomes.put(
              step,
              step == Step.LOGGED
                  ? files.right(paths, step.directory)
                  : await(files, expected, patience));
        });
    double log = outcomes.remove(Step.LOGGED);
    List<Expected> renamed = List.of(steps.get(Step.COMPACTED), steps.get(Step.ARCHIVED));
    // Equal numbers of bytes in both, so the mean is that of all replicas.
    double right = 0;
    for (Expected expected : renamed) {
      right += files.right(expected.files, expected.step.directory) / renamed.size();
    }
    return new Result(log, outcomes, right);
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
            + " renamed into the archive, once to warm up and once measured. Stock renames, and in its other arms runs hdfs mover once on"
            + " the files of a step right after their renames, or asks the storage policy satisfier"
            + " for each file, as no client does by itself; the mover runs in this process, without the start of a"
            + " JVM, and the keys of these arms are those of the tool only. Evenkeel renames by"
            + " FileMover.rename. A time ends when the NameNode says that every replica is where"
            + " the policy of the new directory wants it; %.0f s are waited for replicas that"
            + " nobody moves.",
        FLUSHES,
        STORE_FILE_BYTES >> 20,
        PATIENCE_SECONDS);
  }

  @Override
  String finding(Result often, Arm bestArm, Result best, Result evenkeel) {
    return String.format(
        Locale.ROOT,
        "Of the replicas that a rename put under another storage policy, stock moved %.0f %% by"
            + " itself within %.0f s. Stock at its best (%s) %s; Evenkeel %s.",
        often.right * 100,
        PATIENCE_SECONDS,
        bestArm.name(),
        moved(best),
        moved(evenkeel));
  }

  private static String moved(Result result) {
    return Double.isNaN(result.longest())
        ? String.format(
            Locale.ROOT, "moved %.0f %% within %.0f s", result.right * 100, ASKED_SECONDS)
        : String.format(Locale.ROOT, "had moved all %.2f s after a rename", result.longest());
  }

  @Override
  List<Measure<Result>> measures() {
    return List.of(
        seconds("longest", Result::longest).decided(),
        Measure.<Result>of("Replicas moved after a rename", "fraction", "more", Result::right)
            .decided(),
        seconds("flushed files", r -> r.of(Step.FLUSHED)),
        seconds("compacted file", r -> r.of(Step.COMPACTED)),
        seconds("archived files", r -> r.of(Step.ARCHIVED)),
        Measure.of("Log on SSD when it is closed", "fraction", "neither", r -> r.log));
  }

  private static Measure<Result> seconds(String what, ToDoubleFunction<Result> of) {
    return Measure.of("Rename to moved, " + what, "s", "less", of).orElse("not in time");
  }

  @Override
  List<String> bars() {
    return List.of(
        "Rename to moved, flushed files",
        "Rename to moved, compacted file",
        "Rename to moved, archived files");
  }

  @Override
  List<String> commands() {
    return List.of("./evenkeel demo --only mover", "./evenkeel bench --only mover.rename");
  }
}
