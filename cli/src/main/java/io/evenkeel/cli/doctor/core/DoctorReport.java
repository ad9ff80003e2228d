package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What was found, for people and for programs. Immutable. */
public final class DoctorReport {
  private static final int WIDTH = 96;

  /** A blank at which no line ends. */
  private static final char GLUE = '\u00a0';

  private final String when;
  private final String source;
  private final ClusterHistory cluster;
  private final List<Diagnosis> findings;
  private final List<String> unseen;

  /**
   * Creates it.
   *
   * @param when the watch ended, in words
   * @param source which NameNode was asked
   * @param unseen what could not be looked at and why, a line each
   */
  public DoctorReport(
      String when,
      String source,
      ClusterHistory cluster,
      List<Diagnosis> findings,
      List<String> unseen) {
    this.when = when;
    this.source = source;
    this.cluster = cluster;
    this.findings = Collections.unmodifiableList(new ArrayList<>(findings));
    this.unseen = Collections.unmodifiableList(new ArrayList<>(unseen));
  }

  /** 2 with anything that is wrong now, but hints: healthy clusters have those and risks, too. */
  public ExitCode exitCode() {
    boolean more =
        findings.stream()
            .anyMatch(each -> !each.isRisk() && each.certainty() != Certainty.POSSIBLE);
    return more ? ExitCode.FINDING : ExitCode.OK;
  }

  /** What was found. */
  List<Diagnosis> findings() {
    return findings;
  }

  /** What could not be looked at. */
  List<String> unseen() {
    return unseen;
  }

  /** All that was asked. */
  ClusterHistory cluster() {
    return cluster;
  }

  /** Which cluster, how large, and how long it was watched. */
  String heading() {
    Set<String> hosts = new HashSet<>();
    cluster.dataNodes().forEach(dataNode -> hosts.add(dataNode.host()));
    String version = cluster.last().version();
    long dead = Membership.dead(cluster).size();
    return when
        + ", "
        + source
        + (version.isEmpty() ? "" : ", Hadoop " + version)
        + ", "
        + Figures.count(cluster.dataNodes().size(), "live DataNode", "live DataNodes")
        + (dead == 0 ? "" : " and " + Figures.count(dead) + " dead")
        + " on "
        + Figures.count(hosts.size(), "host", "hosts")
        + (cluster.yarn() == null
            ? ""
            : ", "
                + Figures.count(
                    cluster.yarn().nodeManagers().size(), "NodeManager", "NodeManagers"))
        + ", watched for "
        + Figures.time(1000 * (cluster.last().seconds() - cluster.first().seconds()));
  }

  /** How it is, in a line. */
  String verdict() {
    long risks = findings.stream().filter(Diagnosis::isRisk).count();
    long now = findings.size() - risks;
    String wrong =
        now == 0
            ? "Nothing is found to be wrong at the moment."
            : Figures.count(now, "thing is", "things are") + " wrong, or may be.";
    return wrong
        + (risks == 0
            ? ""
            : " "
                + Figures.count(risks, "standing risk", "standing risks")
                + " of configuration and release.");
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder(heading()).append('\n');
    text.append(verdict()).append('\n');
    if (!findings.isEmpty()) {
      text.append('\n');
      TextTable table = new TextTable("", "FINDING", "CERTAINTY", "WHAT").alignRight(0);
      for (int i = 0; i < findings.size(); i++) {
        Diagnosis each = findings.get(i);
        table.add(
            String.valueOf(i + 1),
            Diagnosis.word(each.kind()),
            Diagnosis.word(each.certainty()),
            each.subject());
      }
      table.appendTo(text);
      text.append("certain: counted or far beyond chance; likely: beyond it; possible: a hint\n");
    }
    for (int i = 0; i < findings.size(); i++) {
      Diagnosis each = findings.get(i);
      text.append('\n').append(i + 1).append(". ").append(Diagnosis.word(each.kind())).append(": ");
      text.append(each.subject()).append('\n');
      append(text, "seen", each.evidence());
      append(text, "harm", each.harm());
      append(text, "with stock", each.stock());
      append(text, "with Evenkeel", each.evenkeel());
    }
    if (cluster.forecast() != null) {
      text.append(cluster.forecast().text());
    }
    if (!unseen.isEmpty()) {
      text.append("\nNot looked at:\n");
      unseen.forEach(line -> text.append("  ").append(line).append('\n'));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String label, String words) {
    if (words.isEmpty()) {
      return;
    }
    String margin = "                  ";
    StringBuilder line = new StringBuilder("   " + label + ":");
    line.append(margin, 0, Math.max(1, margin.length() - line.length()));
    for (String word : words.replace(" %", GLUE + "%").split(" ")) {
      if (line.length() + word.length() > WIDTH && line.length() > margin.length()) {
        text.append(trimmed(line)).append('\n');
        line = new StringBuilder(margin);
      }
      line.append(word).append(' ');
    }
    text.append(trimmed(line)).append('\n');
  }

  private static String trimmed(StringBuilder line) {
    return line.toString().replace(GLUE, ' ').replaceAll("\\s+$", "");
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of("evenkeel.doctor/1", exitCode());
    json.put("time", when);
    json.put("source", source);
    json.put("hadoop", cluster.last().version());
    json.put("seconds", Figures.json(cluster.last().seconds() - cluster.first().seconds()));
    json.put("dataNodes", cluster.dataNodes().size());
    json.put("nodeManagers", cluster.yarn() == null ? null : cluster.yarn().nodeManagers().size());
    json.put("forecast", cluster.forecast() == null ? null : cluster.forecast().json());
    json.put("findings", findings.stream().map(Diagnosis::json).collect(Collectors.toList()));
    json.put("notLookedAt", unseen);
    return json;
  }
}
