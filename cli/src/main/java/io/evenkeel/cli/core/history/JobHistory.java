package io.evenkeel.cli.core.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the history of one job says. Immutable once read. */
public final class JobHistory {
  final Map<String, Long> counters = new LinkedHashMap<>();
  final List<MapTask> maps = new ArrayList<>();
  final List<Attempt> attempts = new ArrayList<>();
  String jobId = "";
  String name = "";
  String user = "";
  String state = "";
  String problem = "";
  int totalMaps;
  boolean uber;
  long submitted = Attempt.NOT_KNOWN;
  long finished = Attempt.NOT_KNOWN;

  JobHistory() {}

  /** Identifier, as {@code job_1700000000000_0001}; empty when it is not told. */
  public String jobId() {
    return jobId;
  }

  /** Name its user gave it. */
  public String name() {
    return name;
  }

  /** Whose it is. */
  public String user() {
    return user;
  }

  /** {@code SUCCEEDED}, {@code FAILED}, {@code KILLED} or another end; empty without an end. */
  public String state() {
    return state;
  }

  /** Why the history is not all of the job's; empty when it is. */
  public String problem() {
    return problem;
  }

  /** Number of splits. */
  public int totalMaps() {
    return totalMaps;
  }

  /** Whether all tasks ran inside the application master. */
  public boolean uber() {
    return uber;
  }

  /** Submission in milliseconds since the epoch, or {@link Attempt#NOT_KNOWN}. */
  public long submitted() {
    return submitted;
  }

  /** End in milliseconds since the epoch, or {@link Attempt#NOT_KNOWN}. */
  public long finished() {
    return finished;
  }

  /** Map tasks in the order of their numbers. */
  public List<MapTask> maps() {
    return Collections.unmodifiableList(maps);
  }

  /** Every attempt at any task, also reduces and those that failed. */
  public List<Attempt> attempts() {
    return Collections.unmodifiableList(attempts);
  }

  /** The job's own counters, such as {@code DATA_LOCAL_MAPS}; empty before its end. */
  public Map<String, Long> counters() {
    return Collections.unmodifiableMap(counters);
  }
}
