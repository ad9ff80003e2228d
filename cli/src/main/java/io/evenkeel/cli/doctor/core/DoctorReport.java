package io.evenkeel.cli.doctor.core;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was found, for people and for programs. Immutable. */
public final class DoctorReport {
  private final String source;
  private final ClusterHistory cluster;
  private final List<Diagnosis> findings;
  private final List<String> unseen;

  /**
   * Creates it.
   *
   * @param source which cluster was asked
   * @param unseen what could not be looked at and why, a line each
   */
  public DoctorReport(
      String source, ClusterHistory cluster, List<Diagnosis> findings, List<String> unseen) {
    this.source = source;
    this.cluster = cluster;
    this.findings = Collections.unmodifiableList(new ArrayList<>(findings));
    this.unseen = Collections.unmodifiableList(new ArrayList<>(unseen));
  }

  /** 2 with any finding. */
  public ExitCode exitCode() {
    return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDING;
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder(source).append('\n');
    for (Diagnosis each : findings) {
      text.append(each.json()).append('\n');
    }
    unseen.forEach(line -> text.append("Not seen: ").append(line).append('\n'));
    return text.toString();
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of("evenkeel.doctor/1", exitCode());
    json.put("source", source);
    json.put("hadoop", cluster.last().version());
    json.put("dataNodes", cluster.dataNodes().size());
    json.put("findings", findings.stream().map(Diagnosis::json).collect(Collectors.toList()));
    json.put("notSeen", unseen);
    return json;
  }
}
