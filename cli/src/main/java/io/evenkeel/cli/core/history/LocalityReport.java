package io.evenkeel.cli.core.history;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.Finding;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import io.evenkeel.terasort.core.locality.ReplicaCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where the map tasks of a job ran, seen from the replicas of their data.
 *
 * <p>All bytes a task read from HDFS count where the task ran: what it read beyond its own split,
 * and a read from another replica than the nearest, are not told by the history. Immutable.
 */
public final class LocalityReport {
  /** Set by {@code NodeGroupSplits}; see {@link ReplicaCounts}. */
  static final String REPLICAS_KEY = "evenkeel.terasort.locality.replicas";

  private static final List<String> OWN_COUNTERS =
      Collections.unmodifiableList(
          Arrays.asList("DATA_LOCAL_MAPS", "RACK_LOCAL_MAPS", "OTHER_LOCAL_MAPS"));

  private final JobHistory history;
  private final Map<Locality, Row> rows = new EnumMap<>(Locality.class);
  private final List<Finding> findings;
  private int withoutEnd;
  private int toldByMaster;

  /** Tasks of one kind of place and what they read. */
  public static final class Row {
    private long tasks;
    private long bytes;
    private long withoutCounters;
    private long millis;

    private Row() {}

    /** Number of tasks. */
    public long tasks() {
      return tasks;
    }

    /** Bytes they read from HDFS. */
    public long bytes() {
      return bytes;
    }

    /** Tasks of which the history has no such counter; their bytes are missing. */
    public long withoutCounters() {
      return withoutCounters;
    }

    /** Run time of the successful attempts in milliseconds, summed up. */
    public long millis() {
      return millis;
    }

    private void add(Attempt attempt) {
      tasks++;
      bytes += Math.max(0, attempt.hdfsBytesRead());
      withoutCounters += attempt.hdfsBytesRead() < 0 ? 1 : 0;
      boolean timed = attempt.started() >= 0 && attempt.finished() >= attempt.started();
      millis += timed ? attempt.finished() - attempt.started() : 0;
    }
  }

  /**
   * Judges every map task that succeeded.
   *
   * @param topology where hosts are; null takes the racks of the history
   */
  public LocalityReport(JobHistory history, HostMap topology, JobSettings settings) {
    this.history = history;
    for (Locality locality : Locality.values()) {
      rows.put(locality, new Row());
    }
    HostMap masters = racksOf(history);
    HostMap hosts = topology == null ? masters : topology;
    List<PlacedTask> placed = placed(settings, hosts, masters);
    for (PlacedTask task : placed) {
      rows.get(task.locality()).add(task.attempt());
      toldByMaster += task.toldByMaster() ? 1 : 0;
    }
    findings = new LocalityFindings(history, hosts, settings, placed).all();
  }

  private List<PlacedTask> placed(JobSettings settings, HostMap hosts, HostMap masters) {
    int[] exact = exact(settings);
    List<PlacedTask> placed = new ArrayList<>();
    for (MapTask task : history.maps()) {
      if (task.successful() == null) {
        withoutEnd++;
      } else {
        int count = task.number() < exact.length ? exact[task.number()] : Integer.MAX_VALUE;
        placed.add(PlacedTask.of(task, count, hosts, masters));
      }
    }
    return placed;
  }

  private int[] exact(JobSettings settings) {
    int[] told = ReplicaCounts.parse(settings.job(REPLICAS_KEY), history.totalMaps());
    int[] all = new int[history.totalMaps()];
    Arrays.fill(all, Integer.MAX_VALUE);
    return told == null ? all : told;
  }

  /** What the application masters of the job took its hosts for. */
  static HostMap racksOf(JobHistory history) {
    Map<String, String> racks = new HashMap<>();
    for (Attempt attempt : history.attempts()) {
      if (!attempt.host().isEmpty() && !attempt.rack().isEmpty()) {
        racks.put(attempt.host(), attempt.rack());
      }
    }
    return new HostMap(racks, HostMap.Layers.AUTO);
  }

  /** The history it was made of. */
  public JobHistory history() {
    return history;
  }

  /** Tasks and bytes of one kind of place. */
  public Row row(Locality locality) {
    return rows.get(locality);
  }

  /** Map tasks that succeeded. */
  public long tasks() {
    return rows.values().stream().mapToLong(Row::tasks).sum();
  }

  /** Bytes read by them. */
  public long bytes() {
    return rows.values().stream().mapToLong(Row::bytes).sum();
  }

  /** Map tasks without a successful attempt. */
  public int withoutEnd() {
    return withoutEnd;
  }

  /** Tasks placed by the application master's own word, as its hosts are not in the topology. */
  public int toldByMaster() {
    return toldByMaster;
  }

  /** What cost locality, as far as it can be told. */
  public List<Finding> findings() {
    return findings;
  }

  /**
   * The report as a document, as {@code docs/commands-json.md} has it.
   *
   * @param topology where the places of hosts came from, in words
   * @param exitCode what the command ends with
   */
  public Map<String, Object> json(String topology, ExitCode exitCode) {
    Map<String, Object> json = ReportHead.of("evenkeel.locality/2", exitCode);
    json.put("job", jobJson());
    json.put("topology", topology);
    json.put("mapTasks", tasks());
    json.put("mapTasksWithoutEnd", withoutEnd);
    json.put("toldByMaster", toldByMaster);
    Map<String, Object> places = new LinkedHashMap<>();
    for (Locality locality : Locality.values()) {
      places.put(locality.label(), rowJson(row(locality)));
    }
    json.put("places", places);
    Map<String, Object> counters = new LinkedHashMap<>();
    OWN_COUNTERS.forEach(name -> counters.put(name, history.counters().get(name)));
    json.put("counters", counters);
    json.put("findings", Finding.json(findings));
    return json;
  }

  private Map<String, Object> jobJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", history.jobId());
    json.put("name", history.name());
    json.put("user", history.user());
    json.put("state", history.state().isEmpty() ? null : history.state());
    json.put("submitted", known(history.submitted()));
    json.put("finished", known(history.finished()));
    return json;
  }

  private static String known(long millis) {
    return millis == Attempt.NOT_KNOWN ? null : Instant.ofEpochMilli(millis).toString();
  }

  private static Map<String, Object> rowJson(Row row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("tasks", row.tasks());
    json.put("hdfsBytesRead", row.bytes());
    json.put("tasksWithoutCounters", row.withoutCounters());
    json.put("taskSeconds", row.millis() / 1e3);
    return json;
  }

  /**
   * The report as text.
   *
   * @param topology where the places of hosts came from, in words
   */
  public String text(String topology) {
    StringBuilder text = new StringBuilder();
    heading(text, topology);
    TextTable table = new TextTable("MAP TASKS ON", "TASKS", "", "READ FROM HDFS", "", "TASK TIME");
    for (int column = 1; column <= 5; column++) {
      table.alignRight(column);
    }
    for (Locality locality : Locality.values()) {
      Row row = row(locality);
      table.add(
          locality.words(),
          Figures.count(row.tasks()),
          percent(row.tasks(), tasks()),
          Figures.bytes(row.bytes()) + (row.withoutCounters() > 0 ? " +?" : ""),
          percent(row.bytes(), bytes()),
          Figures.time(row.millis()));
    }
    table.appendTo(text);
    text.append(findings.isEmpty() ? "" : "\n");
    Finding.append(text, findings);
    return text.toString();
  }

  private void heading(StringBuilder text, String topology) {
    text.append(history.jobId().isEmpty() ? "a job without an id" : history.jobId());
    if (!history.name().isEmpty()) {
      text.append(" '").append(history.name()).append('\'');
    }
    if (!history.user().isEmpty()) {
      text.append(" of ").append(history.user());
    }
    text.append(": ").append(history.state().isEmpty() ? "not finished" : history.state());
    text.append(", ").append(tasks()).append(" map tasks succeeded");
    if (withoutEnd > 0) {
      text.append(", ").append(withoutEnd).append(" did not");
    }
    text.append("\nplaces of hosts: ").append(topology);
    if (toldByMaster > 0) {
      text.append("; of ").append(toldByMaster);
      text.append(" tasks what the application master knew");
    }
    String own = ownCount();
    text.append(own.isEmpty() ? "" : "\nMapReduce's own count of launched maps: " + own);
    text.append("\n\n");
  }

  private String ownCount() {
    StringBuilder text = new StringBuilder();
    for (String name : OWN_COUNTERS) {
      Long value = history.counters().get(name);
      if (value != null) {
        text.append(text.length() == 0 ? "" : ", ");
        text.append(name.toLowerCase(Locale.ROOT).replace("_maps", "").replace('_', ' '));
        text.append(' ').append(value);
      }
    }
    return text.toString();
  }

  private static String percent(long part, long whole) {
    return Figures.percent(whole == 0 ? null : (double) part / whole);
  }
}
