package io.evenkeel.cli.core.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts events together. Not thread-safe; one history each. */
final class HistoryBuilder {
  private static final String FILE_SYSTEM = "org.apache.hadoop.mapreduce.FileSystemCounter";
  private static final String JOB = "org.apache.hadoop.mapreduce.JobCounter";
  private static final String HDFS_READ = "HDFS_BYTES_READ";
  private static final Pattern MAP_ID = Pattern.compile("task_\\d+_\\d+_m_(\\d{1,9})");

  private final JobHistory history = new JobHistory();
  private final Map<String, List<String>> locations = new LinkedHashMap<>();
  private final Map<String, Attempt> attempts = new LinkedHashMap<>();
  private final Map<String, String> successful = new HashMap<>();
  private long events;

  void add(Map<?, ?> event) {
    events++;
    String type = String.valueOf(event.get("type"));
    Fields fields = Fields.of(event.get("event"));
    if (type.startsWith("JOB_")) {
      job(type, fields);
    } else if (type.equals("TASK_STARTED") && fields.text("taskType").equals("MAP")) {
      String names = fields.text("splitLocations");
      locations.put(
          fields.text("taskid"),
          names.isEmpty() ? Collections.emptyList() : Arrays.asList(names.split(",")));
    } else if (type.equals("TASK_FINISHED")) {
      successful.put(fields.text("taskid"), fields.text("successfulAttemptId"));
    } else if (type.endsWith("_ATTEMPT_STARTED")) {
      Attempt attempt = attempt(fields);
      attempt.started = fields.number("startTime");
      attempt.yarnLocality = fields.text("locality");
      attempt.host = fields.text("trackerName");
    } else if (type.contains("_ATTEMPT_")) {
      attemptEnded(type, fields);
    }
  }

  private Attempt attempt(Fields fields) {
    return attempts.computeIfAbsent(fields.text("attemptId"), Attempt::new);
  }

  private void attemptEnded(String type, Fields fields) {
    Attempt attempt = attempt(fields);
    attempt.finished = fields.number("finishTime");
    attempt.rack = fields.text("rackname");
    if (!fields.text("hostname").isEmpty()) {
      attempt.host = fields.text("hostname");
    }
    Map<String, Long> read = new HashMap<>();
    fields.counters("counters", FILE_SYSTEM, read);
    attempt.hdfsBytesRead = read.getOrDefault(HDFS_READ, Attempt.NOT_KNOWN);
    if (type.equals("MAP_ATTEMPT_FINISHED")) {
      // histories of early releases do not name it when the task ends
      successful.putIfAbsent(fields.text("taskid"), attempt.id);
    }
  }

  private void job(String type, Fields fields) {
    history.jobId = history.jobId.isEmpty() ? fields.text("jobid") : history.jobId;
    switch (type) {
      case "JOB_SUBMITTED":
        history.name = fields.text("jobName");
        history.user = fields.text("userName");
        history.submitted = fields.number("submitTime");
        break;
      case "JOB_INITED":
        history.totalMaps = (int) Math.max(0, fields.number("totalMaps"));
        history.uber = fields.isTrue("uberized");
        break;
      case "JOB_FINISHED":
        history.state = "SUCCEEDED";
        history.finished = fields.number("finishTime");
        fields.counters("totalCounters", JOB, history.counters);
        break;
      case "JOB_FAILED":
      case "JOB_KILLED":
      case "JOB_ERROR":
        history.state = fields.text("jobStatus");
        history.finished = fields.number("finishTime");
        break;
      default:
        break;
    }
  }

  long events() {
    return events;
  }

  /**
   * The history.
   *
   * @param broken what kept the rest from being read; empty when there is no rest
   */
  JobHistory build(String broken) {
    locations.forEach(
        (id, names) -> {
          Matcher m = MAP_ID.matcher(id);
          if (m.matches()) {
            Attempt attempt = attempts.get(successful.getOrDefault(id, ""));
            history.maps.add(new MapTask(id, Integer.parseInt(m.group(1)), names, attempt));
          }
        });
    history.maps.sort((one, other) -> Integer.compare(one.number(), other.number()));
    history.attempts.addAll(new ArrayList<>(attempts.values()));
    if (history.state.isEmpty()) {
      history.problem = "it has no end of the job" + broken;
    } else if (!broken.isEmpty()) {
      history.problem = broken.substring(2);
    }
    return history;
  }
}
