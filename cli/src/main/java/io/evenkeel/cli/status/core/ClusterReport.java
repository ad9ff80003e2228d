package io.evenkeel.cli.status.core;

import io.evenkeel.common.cli.ExitCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Everything {@code evenkeel status} knows about a cluster. Immutable. */
public final class ClusterReport {
  private final String source;
  private final List<DaemonReport> daemons;
  private final Set<String> dead;
  private final List<Finding> findings;

  /**
   * Creates it and looks for findings.
   *
   * @param source where the addresses came from, in words
   * @param daemons one per daemon asked
   * @param dead DataNodes the NameNode calls dead, by {@code host:port}
   */
  public ClusterReport(String source, List<DaemonReport> daemons, Set<String> dead) {
    this.source = source;
    this.daemons = Collections.unmodifiableList(new ArrayList<>(daemons));
    this.dead = Collections.unmodifiableSet(new TreeSet<>(dead));
    this.findings = Collections.unmodifiableList(Findings.of(daemons, dead));
  }

  /** Where the addresses came from, in words. */
  public String source() {
    return source;
  }

  /** One per daemon asked: NameNodes, others, DataNodes. */
  public List<DaemonReport> daemons() {
    return daemons;
  }

  /** DataNodes the NameNode calls dead, by {@code host:port}. */
  public Set<String> dead() {
    return dead;
  }

  /** What an operator should look at; empty when all is well. */
  public List<Finding> findings() {
    return findings;
  }

  /** Whether every daemon answered and none has a plugin. */
  public boolean isStock() {
    return daemons.stream().allMatch(report -> report.hasAnswered() && report.plugins().isEmpty());
  }

  /** 1 when no daemon answered, 2 with findings, else 0. */
  public ExitCode exitCode() {
    if (daemons.stream().noneMatch(DaemonReport::hasAnswered)) {
      return ExitCode.COULD_NOT_RUN;
    }
    return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDING;
  }
}
