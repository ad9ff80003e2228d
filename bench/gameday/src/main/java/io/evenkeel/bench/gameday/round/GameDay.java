package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.ClusterDescription;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.gameday.schedule.Schedules;
import io.evenkeel.bench.gameday.schedule.Shape;
import io.evenkeel.bench.gameday.schedule.Shrinking;
import io.evenkeel.bench.gameday.schedule.Step;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rounds one after the other, a file for each. A round that has its file is not run again, so a
 * game day that was interrupted goes on where it was. Confined to one thread.
 *
 * <p>Apart from the main class, which has the process and its streams.
 */
public final class GameDay {
  private static final Layout LAYOUT = new Layout(4, 2, 2);
  private static final List<String> VOLUMES = List.of("SSD", "DISK", "DISK", "ARCHIVE", "RAM_DISK");
  private static final int ACKNOWLEDGEMENTS = 6000;
  private static final int STEPS = 8;
  private static final int SHRINKING_RUNS = 60;
  private static final Round.Limits LIMITS =
      new Round.Limits(Duration.ofMinutes(15), Duration.ofMinutes(4));

  /** Stock at its best keeps replicas on different hosts as well. */
  static final Map<String, String> STOCK =
      Map.of(
          "dfs.use.dfs.network.topology",
          "false",
          "net.topology.impl",
          "org.apache.hadoop.net.NetworkTopologyWithNodeGroup",
          "dfs.block.replicator.classname",
          "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup");

  private final GameDayOptions options;
  private final PrintStream terminal;
  private final Path rounds;
  private final Path cluster;
  private final Round round;
  private final long begin = System.nanoTime();

  /**
   * Prepares.
   *
   * @param cluster directory of the clusters
   * @param terminal gets progress
   */
  public GameDay(GameDayOptions options, Path cluster, PrintStream terminal) throws IOException {
    this.options = options;
    this.terminal = terminal;
    this.rounds = Files.createDirectories(options.out().resolve("rounds"));
    this.cluster = cluster;
    Map<String, String> conf = new TreeMap<>();
    // This scanner holds a reference of each volume that it scans.
    conf.put("dfs.block.scanner.volume.bytes.per.second", "0");
    // This one finds what a kill leaves half deleted or half finalized.
    conf.put("dfs.datanode.directoryscan.interval", "30s");
    if (!options.plugins()) {
      conf.putAll(STOCK);
    }
    ClusterDescription description =
        new ClusterDescription(
            LAYOUT,
            options.nameNodes(),
            options.hadoop(),
            VOLUMES,
            options.plugins(),
            options.jars(),
            false,
            conf);
    this.round = new Round(cluster, description, LIMITS, this::progress, List.of());
  }

  private void progress(String text) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    terminal.println(String.format(Locale.ROOT, "%7.1f s  %s", seconds, text));
  }

  /** Runs a schedule once, or draws schedules until the time is over. */
  public ExitCode run(Optional<Schedule> replay) throws IOException, InterruptedException {
    if (replay.isPresent()) {
      require(replay.get(), options.nameNodes());
      String name = String.valueOf(options.replay().getFileName()).replaceFirst("\\.json$", "");
      name = name.matches("-?\\d+") ? "replay-" + name : name; // no drawn round
      progress(name + ": " + replay.get().about());
      return once(replay.get(), name) ? ExitCode.FINDING : ExitCode.OK;
    }
    boolean found = false;
    long seed = options.seed();
    do {
      boolean playedNow = !Files.exists(file(Long.toString(seed)));
      if (drawn(seed)) {
        found = true;
        if (options.shrink() && !Files.exists(smallest(seed))) {
          shrink(seed, playedNow);
        }
      }
      seed++;
    } while (System.nanoTime() - begin < Duration.ofMinutes(options.minutes()).toNanos());
    return found ? ExitCode.FINDING : ExitCode.OK;
  }

  /** Whether a drawn round found something, now or when its file was written. */
  private boolean drawn(long seed) throws IOException, InterruptedException {
    String name = Long.toString(seed);
    if (!Files.exists(file(name))) {
      Schedule schedule = Schedules.draw(seed, shape(options.nameNodes()));
      progress("round " + seed + ": " + schedule.steps().size() + " faults");
      return once(schedule, name);
    }
    Map<?, ?> result = (Map<?, ?>) Json.parse(Files.readString(file(name)));
    int findings = ((List<?>) result.get("findings")).size();
    progress(
        "round "
            + seed
            + ": has its file already, with "
            + (findings == 0 ? "no finding" : "findings: " + findings));
    return findings > 0;
  }

  private Path smallest(long seed) {
    return options.out().resolve("findings").resolve(seed + options.suffix() + ".json");
  }

  /** Refuses what would be a round without its faults. */
  static void require(Schedule schedule, int nameNodes) {
    for (Step step : schedule.steps()) {
      Fault fault = step.fault();
      try {
        shape(nameNodes).host(fault);
      } catch (IllegalArgumentException e) {
        throw refused(e.getMessage());
      }
      String type = fault.volume().replaceFirst("\\d+$", "").toUpperCase(Locale.ROOT);
      if (fault.kind().ofVolume() && !VOLUMES.contains(type)) {
        throw refused(fault + ": the volumes are " + VOLUMES);
      }
      if (fault.kind() == Fault.Kind.FAILOVER && nameNodes == 1) {
        throw refused(fault + " needs --namenodes 2");
      }
      if (step.file().isEmpty() && step.begin() > schedule.acknowledgements()) {
        throw refused(fault + " begins after the " + schedule.acknowledgements() + " of the load");
      }
    }
  }

  private static CommandException refused(String why) {
    return new CommandException(ExitCode.USAGE, "--replay: " + why);
  }

  static Shape shape(int nameNodes) {
    Map<String, List<String>> hosts = new TreeMap<>();
    hosts.putAll(
        LAYOUT.vms().stream()
            .collect(
                Collectors.groupingBy(
                    Layout.Vm::host, Collectors.mapping(Layout.Vm::name, Collectors.toList()))));
    Set<Fault.Kind> kinds =
        EnumSet.complementOf(EnumSet.of(Fault.Kind.ROLLING_UPGRADE, Fault.Kind.HANG_CREATIONS));
    if (nameNodes == 1) {
      kinds.remove(Fault.Kind.FAILOVER);
    }
    List<String> volumes = VOLUMES.stream().distinct().toList();
    return new Shape(hosts, volumes, ACKNOWLEDGEMENTS, STEPS, kinds);
  }

  private Path file(String name) {
    return rounds.resolve(name + options.suffix() + ".json");
  }

  /** Whether there was a finding. */
  private boolean once(Schedule schedule, String name) throws IOException, InterruptedException {
    RoundResult result = round.run(schedule);
    Path partial = rounds.resolve(name + ".partial");
    Files.writeString(partial, result.toJson());
    Files.move(partial, file(name), StandardCopyOption.REPLACE_EXISTING);
    progress(summary(name, result));
    writeReport();
    result.findings().stream().limit(20).forEach(finding -> progress("  " + finding));
    return !result.findings().isEmpty();
  }

  private void writeReport() throws IOException {
    Report report = new Report(rounds);
    Files.writeString(options.out().resolve("report.html"), report.html());
    report.worse().forEach(line -> progress("worse than stock: " + line));
  }

  private static String summary(String name, RoundResult result) {
    Map<Finding.Kind, Long> kinds =
        result.findings().stream()
            .map(Finding::kind)
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return String.format(
        Locale.ROOT,
        "round %s: %s, known of stock %s; %d files, %d replicas read; replicated after %.0f s; longest pause %.1f s;"
            + " %d refusals, %d in calm",
        name,
        kinds.isEmpty() ? "no finding" : kinds,
        result.stockDefects().stream()
            .flatMap(finding -> StockDefects.of(finding).stream())
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())),
        result.read().files(),
        result.read().replicas(),
        result.calm().toMillis() / 1000.0,
        result.longestPause().toMillis() / 1000.0,
        result.refusals().all(),
        result.refusals().calm());
  }

  private void shrink(long seed, boolean playedNow) throws IOException, InterruptedException {
    Schedule schedule = Schedules.draw(seed, shape(options.nameNodes()));
    Path directory = options.out().resolve("findings").resolve(seed + options.suffix());
    Files.createDirectories(directory);
    if (playedNow) {
      Files.move(cluster, directory.resolve("cluster")); // it may tell why, and others follow
    }
    Set<Finding.Kind> found = ShrinkingRuns.kinds(Files.readString(file(Long.toString(seed))));
    ShrinkingRuns runs = new ShrinkingRuns(directory, schedule, found, round::run, this::progress);
    Shrinking.Result result = new Shrinking(runs, SHRINKING_RUNS).shrink(schedule);
    Files.writeString(smallest(seed), result.smallest().toJson());
    progress(
        result.smallest().steps().size()
            + " faults are enough"
            + (result.complete() ? "" : ", perhaps fewer")
            + ", found in "
            + result.runs()
            + " runs: "
            + smallest(seed));
  }
}
