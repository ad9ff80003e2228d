package io.evenkeel.cli.datanodes.core;

import io.evenkeel.cli.datanodes.core.DataNodeFinding.Kind;
import io.evenkeel.common.cli.ExitCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Everything a command saw in one round. Immutable.
 *
 * @param <D> what one DataNode answers
 */
public final class DataNodesReport<D extends DataNodeAnswer> {
  private final String source;
  private final Instant time;
  private final List<D> dataNodes;
  private final List<DataNodeFinding> findings;

  /**
   * Creates it.
   *
   * @param source where the addresses came from, in words
   * @param time when the round ended
   * @param dataNodes what each answered
   * @param findings what an operator should look at, worst first
   */
  public DataNodesReport(
      String source, Instant time, List<D> dataNodes, List<DataNodeFinding> findings) {
    this.source = Objects.requireNonNull(source);
    this.time = Objects.requireNonNull(time);
    this.dataNodes = Collections.unmodifiableList(new ArrayList<>(dataNodes));
    this.findings = Collections.unmodifiableList(new ArrayList<>(findings));
  }

  /** Where the addresses came from, in words. */
  public String source() {
    return source;
  }

  /** When the round ended. */
  public Instant time() {
    return time;
  }

  /** What each DataNode answered. */
  public List<D> dataNodes() {
    return dataNodes;
  }

  /** What an operator should look at, worst first; empty when all is well. */
  public List<DataNodeFinding> findings() {
    return findings;
  }

  /** Whether any DataNode answered. */
  public boolean isAnswered() {
    return dataNodes.stream().anyMatch(DataNodeAnswer::hasAnswered);
  }

  /** Whether any DataNode shows the bean it was asked for. */
  public boolean isAnyWithBean() {
    return dataNodes.stream().anyMatch(DataNodeAnswer::hasBean);
  }

  /** 1 when no DataNode answered, 2 with findings, 3 when none shows the bean, else 0. */
  public ExitCode exitCode() {
    boolean incomplete = findings.stream().anyMatch(f -> f.kind() == Kind.INCOMPLETE);
    if (!isAnswered() && incomplete) {
      return ExitCode.COULD_NOT_RUN;
    }
    if (!findings.isEmpty()) {
      return ExitCode.FINDING;
    }
    return isAnyWithBean() ? ExitCode.OK : ExitCode.NOTHING_TO_DO;
  }
}
