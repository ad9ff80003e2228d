package io.evenkeel.cli.core.history;

import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import io.evenkeel.terasort.core.locality.ReplicaCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
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

  private final JobHistory history;
  private final Map<Locality, Row> rows = new EnumMap<>(Locality.class);
  private final List<LocalityFinding> findings;
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
    findings = new FindingsOf(history, hosts, settings, placed).all();
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
  public List<LocalityFinding> findings() {
    return findings;
  }
}
