package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerHalf.Result;
import io.evenkeel.bench.mover.StockSatisfier;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.mover.FileMover;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The section "mover": the files of an HBase region server that change their storage policy by a
 * rename, with stock and with our mover. Confined to one thread.
 */
final class RegionServerSection {
  private static final String SUMMARY =
      String.format(
          Locale.ROOT,
          "Three DataNodes, each with DISK, SSD and ARCHIVE. /hbase/WALs and the store are ALL_SSD,"
              + " /hbase/.tmp is HOT, /hbase/archive is COLD. A log is written, %d store files of"
              + " %d MB are flushed into .tmp and renamed into the store, compacted into one, and"
              + " renamed into the archive. Stock renames and waits %.0f s each time with the"
              + " satisfier running, and then asks it for every file; Evenkeel renames by"
              + " FileMover.rename. A time ends when the NameNode says that every replica is where"
              + " the policy of the new directory wants it.",
          RegionServerHalf.FLUSHES,
          RegionServerHalf.STORE_FILE_BYTES >> 20,
          RegionServerHalf.PATIENCE_SECONDS);

  private final Path dir;
  private final Progress progress;
  private final HostPlan plan = HostPlan.of(new Layout(1, 3, 1));

  RegionServerSection(Path dir, Progress progress) {
    this.dir = dir;
    this.progress = progress;
  }

  /** Runs both halves and returns the section in the schema of the report; never throws. */
  Map<String, Object> run() throws InterruptedException {
    return DemoSection.run(
        "mover", "HBase: a region server's life", "a region server", progress, this::compare);
  }

  private Map<String, Object> compare() throws IOException, InterruptedException {
    Result stock = stock();
    Result evenkeel = evenkeel();
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("summary", SUMMARY);
    found.put("finding", finding(stock, evenkeel));
    found.put("rows", rows(stock, evenkeel));
    return found;
  }

  private EmbeddedHdfs start(String label) throws IOException, InterruptedException {
    progress.update("a region server (" + label + "): starting HDFS");
    Map<String, String> base = DemoSettings.hdfs(plan, dir, RegionServerHalf.BLOCK_BYTES);
    base.put("dfs.storage.policy.satisfier.mode", "external");
    EmbeddedHdfs hdfs =
        new EmbeddedHdfs(dir.resolve(label), plan, RegionServerHalf.STORAGES, base, Map.of());
    progress.update("a region server (" + label + "): writing and renaming");
    return hdfs;
  }

  // The daemons idle until the process ends: stopping them takes longer than it saves.
  private Result stock() throws IOException, InterruptedException {
    EmbeddedHdfs hdfs = start("stock");
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      RegionServerHalf half = new RegionServerHalf(fs);
      if (!StockSatisfier.exists()) {
        return told("stock", half.run(RegionServerHalf.plain(fs)));
      }
      try (StockSatisfier unused = StockSatisfier.start(hdfs.clientConf(), 1)) {
        Result renamed = half.run(RegionServerHalf.plain(fs));
        progress.update("a region server (stock): asking the satisfier");
        return told("stock", renamed.withAsked(half.ask(fs::satisfyStoragePolicy)));
      }
    }
  }

  private Result evenkeel() throws IOException, InterruptedException {
    EmbeddedHdfs hdfs = start("evenkeel");
    try (DistributedFileSystem fs = hdfs.fileSystem();
        FileMover mover = FileMover.open(hdfs.clientConf())) {
      return told("evenkeel", new RegionServerHalf(fs).run(RegionServerLife.by(mover)));
    }
  }

  private Result told(String label, Result result) {
    String rest =
        Double.isNaN(result.longest())
            ? ""
            : String.format(Locale.ROOT, ", the last after %.2f s", result.longest());
    progress.done(
        String.format(
            Locale.ROOT,
            "a region server (%s): %.0f %% moved after a rename%s",
            label,
            result.right() * 100,
            rest));
    return result;
  }

  private static String finding(Result stock, Result evenkeel) {
    String after =
        Double.isNaN(evenkeel.longest())
            ? ""
            : String.format(Locale.ROOT, ", at most %.2f s after a rename", evenkeel.longest());
    String asked =
        Double.isNaN(stock.asked())
            ? ""
            : String.format(
                Locale.ROOT, "; the satisfier, asked for each file, took %.1f s", stock.asked());
    return String.format(
        Locale.ROOT,
        "Of the replicas that a rename put under another storage policy, stock moved %.0f %% by"
            + " itself within %.0f s and Evenkeel %.0f %%%s%s.",
        stock.right() * 100,
        RegionServerHalf.PATIENCE_SECONDS,
        evenkeel.right() * 100,
        after,
        asked);
  }

  private static List<Map<String, Object>> rows(Result stock, Result evenkeel) {
    SectionRows<Result> rows = new SectionRows<>(stock, evenkeel);
    rows.add("Replicas moved after a rename", "fraction", "more", Result::right);
    rows.add("Rename to moved, flushed files", "s", "less", Result::flushed);
    rows.add("Rename to moved, compacted file", "s", "less", Result::compacted);
    rows.add("Rename to moved, archived files", "s", "less", Result::archived);
    rows.add("Satisfier asked, to moved", "s", "neither", Result::asked);
    rows.add("Log on SSD when it is closed", "fraction", "neither", Result::log);
    return rows.list();
  }
}
