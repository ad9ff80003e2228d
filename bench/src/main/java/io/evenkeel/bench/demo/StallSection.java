package io.evenkeel.bench.demo;

import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.PlugPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The section "locking": a disk of the slow tier that stalls under an HBase-like load, with stock's
 * dataset and then with ours, and what that did to the writers of the fast tier. Confined to one
 * thread.
 */
final class StallSection {
  private static final String FACTORY = "dfs.datanode.fsdataset.factory";
  private static final double STALL = StallHalf.MARKS[0];
  private static final double RECOVERY = StallHalf.MARKS[1];
  private static final double END = StallHalf.MARKS[2];
  private static final double STEP = 0.25;
  private static final String SUMMARY =
      String.format(
          Locale.ROOT,
          "Two DataNodes, each with a volume in memory, two SSD and two DISK. %d WAL writers hflush"
              + " records of 2 KB to SSD with two replicas and %d to memory with one, persisted"
              + " lazily; each begins a new log every %.1f s and deletes the old one. %d writers"
              + " flush files of 512 KB to DISK, which are replicated afterwards and deleted later."
              + " For %.0f s no file operation on one DISK volume of one DataNode returns. An"
              + " hflush into an open block needs no lock, so a writer stops when its log is full."
              + " Writers of that DISK volume wait for it on either side.",
          StallLoad.SSD_WRITERS,
          StallLoad.MEMORY_WRITERS,
          StallLoad.LOG_SECONDS,
          StallLoad.FLUSH_WRITERS,
          RECOVERY - STALL);

  private final Path dir;
  private final Progress progress;
  private final HostPlan plan = HostPlan.of(new Layout(1, 2, 1));

  StallSection(Path dir, Progress progress) {
    this.dir = dir;
    this.progress = progress;
  }

  /** Runs both halves and returns the section in the schema of the report; never throws. */
  Map<String, Object> run() throws InterruptedException {
    return DemoSection.run(
        "locking", "A disk that stalls", "a stalled disk", progress, this::compare);
  }

  private Map<String, Object> compare() throws IOException, InterruptedException {
    StallResult stock = half("stock", Map.of());
    StallResult evenkeel = half("evenkeel", ours());
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("summary", SUMMARY);
    found.put("finding", finding(stock, evenkeel));
    found.put("rows", rows(stock, evenkeel));
    found.put("plots", List.of(rates(stock, evenkeel), waits(stock, evenkeel)));
    return found;
  }

  private static Map<String, String> ours() throws IOException {
    String factory = PlugPoints.onClassPath().get(FACTORY);
    if (factory == null) {
      throw new IOException("the locking module is not on the class path");
    }
    return Map.of(FACTORY, factory);
  }

  private StallResult half(String label, Map<String, String> settings)
      throws IOException, InterruptedException {
    progress.update("a stalled disk (" + label + "): starting HDFS");
    Map<String, String> base = DemoSettings.hdfs(plan, dir, StallHalf.BLOCK_BYTES);
    StallHalf.prepare(base);
    EmbeddedHdfs hdfs =
        new EmbeddedHdfs(dir.resolve(label), plan, StallHalf.STORAGES, base, settings);
    progress.update("a stalled disk (" + label + "): writing");
    StallResult result = new StallHalf(hdfs, settings.isEmpty()).run();
    result.failures().forEach(org.apache.log4j.Logger.getLogger(StallSection.class)::warn);
    progress.done(
        String.format(
            Locale.ROOT,
            "a stalled disk (%s): longest pause of a WAL writer %.0f ms",
            label,
            pauseMillis(result)));
    // The daemons idle until the process ends: stopping them takes longer than it saves.
    return result;
  }

  private static double pauseMillis(StallResult result) {
    return result.longestPause(STALL, END) * 1000;
  }

  private static String finding(StallResult stock, StallResult evenkeel) {
    String kept =
        Double.isFinite(kept(stock)) && Double.isFinite(kept(evenkeel))
            ? String.format(
                Locale.ROOT,
                "; all of them together kept %.0f %% and %.0f %% of their speed",
                kept(stock) * 100,
                kept(evenkeel) * 100)
            : "";
    return String.format(
        Locale.ROOT,
        "While one disk of the slow tier stalled for %.0f s, a writer on SSD or memory paused for"
            + " up to %,.0f ms with stock and %,.0f ms with Evenkeel%s.",
        RECOVERY - STALL,
        pauseMillis(stock),
        pauseMillis(evenkeel),
        kept);
  }

  private static double kept(StallResult result) {
    return result.perSecond(STALL, RECOVERY) / result.perSecond(0, STALL);
  }

  private static List<Map<String, Object>> rows(StallResult stock, StallResult evenkeel) {
    SectionRows<StallResult> rows = new SectionRows<>(stock, evenkeel);
    rows.add("Longest pause of a WAL writer", "ms", "less", StallSection::pauseMillis);
    rows.add("The same before it", "ms", "neither", r -> r.longestPause(0, STALL) * 1000);
    rows.add(
        "Longest time without a record of any", "ms", "less", r -> r.silence(STALL, END) * 1000);
    rows.add("WAL records per second, stalled", "", "more", r -> r.perSecond(STALL, RECOVERY));
    rows.add("The same before it", "", "neither", r -> r.perSecond(0, STALL));
    rows.add("Speed kept while stalled", "fraction", "more", StallSection::kept);
    rows.add(
        "hflush of the records then, p99", "ms", "neither", r -> r.p99(STALL, RECOVERY) * 1000);
    rows.add("Files flushed to DISK, stalled", "", "neither", r -> r.flushed(STALL, RECOVERY));
    rows.add("Writes that failed", "", "less", r -> r.failures().size());
    return rows.list();
  }

  private static Map<String, Object> rates(StallResult stock, StallResult evenkeel) {
    Map<String, Object> plot =
        plot(
            "Acknowledged WAL records per second, over time.",
            "The disk that stalls has none of these logs: a line at 0 is a fast tier that stands"
                + " still for a disk of the slow one.",
            "");
    plot.put("seconds", times(STEP / 2));
    plot.put("series", series(stock.rates(STEP, END), evenkeel.rates(STEP, END)));
    return plot;
  }

  private static Map<String, Object> waits(StallResult stock, StallResult evenkeel) {
    Map<String, Object> plot =
        plot(
            "How long the WAL writer that waits longest has been waiting, over time.",
            "Since its last acknowledged record; a slope is a writer that got none.",
            "s");
    plot.put("seconds", times(STEP));
    plot.put("series", series(stock.waits(STEP, END), evenkeel.waits(STEP, END)));
    return plot;
  }

  private static Map<String, Object> plot(String title, String explain, String unit) {
    Map<String, Object> plot = new LinkedHashMap<>();
    plot.put("title", title);
    plot.put("explain", explain);
    plot.put("unit", unit);
    plot.put("spans", List.of(Map.of("from", STALL, "to", RECOVERY, "label", "the disk stalls")));
    return plot;
  }

  private static List<Double> times(double first) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; (i + 1) * STEP <= END; i++) {
      times.add(first + i * STEP);
    }
    return times;
  }

  private static Map<String, List<Double>> series(double[] stock, double[] evenkeel) {
    Map<String, List<Double>> series = new LinkedHashMap<>();
    series.put("stock", DoubleStream.of(stock).boxed().toList());
    series.put("evenkeel", DoubleStream.of(evenkeel).boxed().toList());
    return series;
  }
}
