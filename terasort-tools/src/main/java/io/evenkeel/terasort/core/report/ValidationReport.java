package io.evenkeel.terasort.core.report;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that is shown of a validation. Immutable. */
public final class ValidationReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  public static final String SCHEMA = "evenkeel.teravalidate/2";

  private final Verdict verdict;
  private final PartitionFigures partitions;
  private final TaskFigures tasks;

  /** Creates the report; {@code hosts} tells where the hosts are. */
  public ValidationReport(
      Verdict verdict, List<PartitionFacts> partitions, List<TaskFacts> tasks, HostMap hosts) {
    this.verdict = verdict;
    this.partitions = new PartitionFigures(partitions);
    this.tasks = new TaskFigures(tasks, hosts);
  }

  Verdict verdict() {
    return verdict;
  }

  PartitionFigures partitions() {
    return partitions;
  }

  TaskFigures tasks() {
    return tasks;
  }

  /** Maps, lists and plain values in the documented order; null is what is not known. */
  public Map<String, Object> json(ExitCode exitCode) {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode);
    json.put("valid", verdict.valid());
    json.put("inputs", verdict.inputs());
    json.put("report", verdict.report());
    json.put("files", verdict.number("files"));
    json.put("bytes", verdict.number("bytes"));
    json.put("records", verdict.number("records"));
    json.put("checksum", verdict.checksum());
    json.put("expected", verdict.expected());
    json.put("violations", verdict.violations());
    json.put("firstErrors", verdict.errors());
    json.put("partitions", partitionsJson());
    json.put("tasks", tasksJson());
    json.put("localityBytes", localityJson());
    return json;
  }

  private Map<String, Object> partitionsJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", partitions.count());
    json.put("empty", partitions.empty());
    json.put("fewestRecords", partitions.fewestRecords());
    json.put("meanRecords", known(partitions.meanRecords()));
    json.put("mostRecords", partitions.mostRecords());
    json.put("skew", known(partitions.skew()));
    return json;
  }

  private Map<String, Object> tasksJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    TaskFacts longest = tasks.longest();
    json.put("count", tasks.count());
    json.put("seconds", tasks.seconds());
    json.put("cpuSeconds", known(tasks.cpuSeconds()));
    json.put("meanSeconds", known(tasks.meanMillis() / 1e3));
    json.put("longestSeconds", longest == null ? null : longest.millis() / 1e3);
    json.put("longestHost", longest == null ? null : longest.host);
    json.put("largestOverMean", known(tasks.largestOverMean()));
    json.put("hostBytesOverMean", known(tasks.hostBytesOverMean()));
    List<Object> hosts = new ArrayList<>();
    tasks
        .hosts()
        .forEach(
            (name, figures) -> {
              Map<String, Object> host = new LinkedHashMap<>();
              host.put("host", name);
              host.put("tasks", figures.tasks());
              host.put("seconds", figures.millis() / 1e3);
              host.put("bytes", figures.bytes());
              hosts.add(host);
            });
    json.put("hosts", hosts);
    return json;
  }

  private Map<String, Object> localityJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    for (Map.Entry<Locality, Long> entry : tasks.locality().entrySet()) {
      json.put(entry.getKey().label(), entry.getValue());
    }
    return json;
  }

  private static Double known(double value) {
    return Double.isNaN(value) || Double.isInfinite(value) ? null : (Double) value;
  }
}
