package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.blocks.Estimate;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a cluster will copy when it switches to the uniform policy. Not thread-safe. */
public final class MigrationReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.migrate/1";

  private final String source;
  private final Migration migration;
  private final MigrationForecast forecast;
  private final boolean whole;
  private long paths;
  private long seed;

  /**
   * Creates it.
   *
   * @param source where the listing came from, in words
   * @param forecast of that migration
   * @param whole whether the listing ended as it should, or is a sample that need not
   */
  public MigrationReport(
      String source, Migration migration, MigrationForecast forecast, boolean whole) {
    this.source = source;
    this.migration = migration;
    this.forecast = forecast;
    this.whole = whole;
  }

  /** Says that paths were drawn: how many were read, and by which seed. */
  public MigrationReport drawn(long newPaths, long newSeed) {
    paths = newPaths;
    seed = newSeed;
    return this;
  }

  /** What the command ends with. */
  public ExitCode exitCode() {
    if (!whole || !migration.unknown().isEmpty()) {
      return ExitCode.FINDING;
    }
    return migration.blocks() == 0 ? ExitCode.NOTHING_TO_DO : ExitCode.OK;
  }

  /** Lines, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder();
    unknown(text);
    text.append("Listing: ").append(source).append(", ");
    text.append(Figures.count(migration.blocks(), "block", "blocks"));
    if (forecast.population() > forecast.sample()) {
      text.append(" of ").append(Figures.count(forecast.population()));
    }
    text.append(", ")
        .append(Figures.bytes(migration.bytes()))
        .append(" without replicas, ")
        .append(atLeast());
    text.append(Figures.count(migration.hosts(), "host", "hosts")).append(" in ");
    text.append(Figures.count(migration.racks(), "rack", "racks")).append('\n');
    drawn(text);
    line(text, "Replicated blocks on too few hosts or racks", forecast.replicatedBlocks());
    line(text, "Striped groups on too few hosts or racks", forecast.stripedGroups());
    line(text, "Copies the NameNode will make", forecast.copies());
    text.append("Bytes it will copy: ")
        .append(atLeast())
        .append(Figures.bytes(forecast.bytes().value()));
    if (!forecast.bytes().isExact()) {
      text.append(" (").append(Figures.bytes(forecast.bytes().low())).append(" to ");
      text.append(Figures.bytes(forecast.bytes().high())).append(", 95 % confidence, ");
      text.append("standard error ").append(Figures.bytes(forecast.bytes().standardError()));
      text.append(')');
    }
    text.append('\n');
    if (forecast.shortOfReplicas() > 0) {
      text.append(Figures.count(forecast.shortOfReplicas(), "block lacks", "blocks lack"));
      text.append(
          " replicas or internal blocks; those are copied under any policy and not counted"
              + " above\n");
    }
    if (!whole) {
      text.append("The listing ends without the summary of fsck: blocks may be missing in it.\n");
    }
    return text.toString();
  }

  private void drawn(StringBuilder text) {
    if (forecast.draws() > 0) {
      text.append("Sample: ").append(Figures.count(forecast.draws(), "draw", "draws"));
      text.append(" by number of files, seed ").append(seed).append(", ");
      text.append(Figures.count(paths, "path", "paths"));
      text.append(" read; the errors are by what draws differ\n");
    }
  }

  /** First of all: what follows is worth little when most blocks could not be judged. */
  private void unknown(StringBuilder text) {
    if (migration.unknown().isEmpty()) {
      return;
    }
    if (migration.unjudged() > 0) {
      text.append(Figures.count(migration.unjudged(), "block", "blocks"));
      text.append(" could not be judged: nobody knows the host of ");
    } else {
      text.append("Nobody knows the host of ");
    }
    text.append(Figures.count(migration.unknown().size(), "location", "locations"));
    text.append(", such as ").append(migration.unknown().iterator().next());
    text.append("; give --topology FILE or fsck -racks\n");
  }

  private String atLeast() {
    return migration.unjudged() > 0 ? "at least " : "";
  }

  private void line(StringBuilder text, String what, Estimate estimate) {
    text.append(what).append(": ").append(atLeast()).append(Figures.count(estimate.value()));
    if (!estimate.isExact()) {
      text.append(" (").append(Figures.count(Math.floor(estimate.low()))).append(" to ");
      text.append(Figures.count(Math.ceil(estimate.high()))).append(", 95 % confidence, ");
      text.append("standard error ").append(Figures.count(estimate.standardError())).append(')');
    }
    text.append('\n');
  }

  /** Maps, lists and plain values in the documented order. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode());
    json.put("source", source);
    json.put("complete", whole);
    json.put("hosts", migration.hosts());
    json.put("racks", migration.racks());
    json.put("listedBlocks", forecast.sample());
    json.put("totalBlocks", forecast.population());
    json.put("sample", sample());
    json.put("unjudgedBlocks", migration.unjudged());
    json.put("replicatedBlocks", json(forecast.replicatedBlocks()));
    json.put("stripedGroups", json(forecast.stripedGroups()));
    json.put("copies", json(forecast.copies()));
    json.put("bytes", json(forecast.bytes()));
    json.put("shortOfReplicas", forecast.shortOfReplicas());
    json.put("unknownLocations", new ArrayList<>(migration.unknown()));
    return json;
  }

  /** The number and its range. */
  private static Map<String, Object> json(Estimate estimate) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("value", Math.round(estimate.value()));
    json.put("low", Math.round(Math.floor(estimate.low())));
    json.put("high", Math.round(Math.ceil(estimate.high())));
    json.put("standardError", Figures.json(estimate.standardError()));
    return json;
  }

  private Map<String, Object> sample() {
    if (forecast.draws() == 0) {
      return null;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("draws", forecast.draws());
    json.put("paths", paths);
    json.put("seed", seed);
    return json;
  }
}
