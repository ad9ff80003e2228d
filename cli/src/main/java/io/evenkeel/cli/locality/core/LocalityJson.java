package io.evenkeel.cli.locality.core;

import io.evenkeel.cli.core.history.Attempt;
import io.evenkeel.cli.core.history.JobHistory;
import io.evenkeel.cli.core.history.LocalityFinding;
import io.evenkeel.cli.core.history.LocalityReport;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same as a document. Stateless. */
public final class LocalityJson {
  static final List<String> OWN_COUNTERS =
      Collections.unmodifiableList(
          Arrays.asList("DATA_LOCAL_MAPS", "RACK_LOCAL_MAPS", "OTHER_LOCAL_MAPS"));

  private LocalityJson() {}

  /**
   * The document.
   *
   * @param topology where the places of hosts came from, in words
   * @param version of this program
   * @param exitCode what the command ends with
   */
  public static Map<String, Object> of(
      LocalityReport report, String topology, String version, int exitCode) {
    JobHistory job = report.history();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "evenkeel.locality/1");
    json.put("evenkeel", version);
    json.put("exitCode", exitCode);
    json.put("job", job(job));
    json.put("topology", topology);
    json.put("mapTasks", report.tasks());
    json.put("mapTasksWithoutEnd", report.withoutEnd());
    json.put("toldByMaster", report.toldByMaster());
    Map<String, Object> places = new LinkedHashMap<>();
    for (Locality locality : Locality.values()) {
      places.put(locality.label(), row(report.row(locality)));
    }
    json.put("places", places);
    Map<String, Object> counters = new LinkedHashMap<>();
    OWN_COUNTERS.forEach(name -> counters.put(name, job.counters().get(name)));
    json.put("counters", counters);
    List<Object> findings = new ArrayList<>();
    for (LocalityFinding finding : report.findings()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("kind", finding.kind());
      one.put("message", finding.message());
      findings.add(one);
    }
    json.put("findings", findings);
    return json;
  }

  private static Map<String, Object> job(JobHistory job) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", job.jobId());
    json.put("name", job.name());
    json.put("user", job.user());
    json.put("state", job.state().isEmpty() ? null : job.state());
    json.put("submitted", known(job.submitted()));
    json.put("finished", known(job.finished()));
    return json;
  }

  private static Long known(long number) {
    return number == Attempt.NOT_KNOWN ? null : Long.valueOf(number);
  }

  private static Map<String, Object> row(LocalityReport.Row row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("tasks", row.tasks());
    json.put("hdfsBytesRead", row.bytes());
    json.put("tasksWithoutCounters", row.withoutCounters());
    json.put("taskMillis", row.millis());
    return json;
  }
}
