package io.evenkeel.cli.datanodes.core;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.core.Silence;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Everything a command saw in one round, and the frame of how it says it. Immutable.
 *
 * @param <D> what one DataNode answers
 */
public final class DataNodesReport<D extends DataNodeAnswer> {
  private final String source;
  private final Instant time;
  private final List<D> dataNodes;
  private final List<Finding> findings;

  /**
   * Creates it.
   *
   * @param source where the addresses came from, in words
   * @param time when the round ended
   * @param dataNodes what each answered
   * @param findings what an operator should look at, worst first
   */
  public DataNodesReport(String source, Instant time, List<D> dataNodes, List<Finding> findings) {
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
  public List<Finding> findings() {
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
    if (!findings.isEmpty()) {
      return isAnswered() ? ExitCode.FINDING : ExitCode.COULD_NOT_RUN;
    }
    return isAnyWithBean() ? ExitCode.OK : ExitCode.NOTHING_TO_DO;
  }

  /** Why there is nothing to report, in one line; null when a DataNode answered. */
  public String failure() {
    if (exitCode() != ExitCode.COULD_NOT_RUN) {
      return null;
    }
    List<String> reasons = new ArrayList<>();
    for (D dataNode : dataNodes) {
      reasons.add(dataNode.address() + ": " + dataNode.error());
    }
    return reasons.isEmpty()
        ? "no DataNode to ask: " + findings.get(0).message()
        : Silence.of("DataNode", reasons);
  }

  /**
   * The frame that the JSON of all commands has, see {@code docs/commands-json.md}: maps, lists and
   * plain values in that order; null is what is not known.
   *
   * @param members what follows {@code error} of a DataNode
   */
  public Map<String, Object> json(String schema, Function<D, Map<String, Object>> members) {
    Map<String, Object> json = ReportHead.of(schema, exitCode());
    json.put("time", time.truncatedTo(ChronoUnit.SECONDS).toString());
    json.put("source", source);
    List<Object> answers = new ArrayList<>();
    for (D dataNode : dataNodes) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("url", dataNode.uri().toString());
      item.put("instance", dataNode.instance());
      item.put("error", dataNode.error());
      item.putAll(members.apply(dataNode));
      answers.add(item);
    }
    json.put("dataNodes", answers);
    json.put("findings", Finding.json(findings));
    return json;
  }

  /**
   * The frame that the text of all commands has: what is said of each DataNode, findings last.
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   * @param without what is said of a DataNode that answers and does not show the bean
   * @param lines adds the lines about a DataNode that shows it
   * @param nobody the sentence for a round in which no DataNode shows it
   */
  public String text(
      boolean withTime,
      Function<D, String> without,
      BiConsumer<StringBuilder, D> lines,
      String nobody) {
    StringBuilder text = new StringBuilder();
    if (withTime) {
      text.append(time.truncatedTo(ChronoUnit.SECONDS)).append("  ");
    }
    text.append("DataNodes: ").append(source).append('\n');
    for (D dataNode : dataNodes) {
      text.append("\nDataNode ").append(dataNode.address());
      if (!dataNode.hasAnswered()) {
        text.append(": no answer: ").append(dataNode.error()).append('\n');
      } else if (!dataNode.hasBean()) {
        text.append(": ").append(without.apply(dataNode)).append('\n');
      } else {
        text.append('\n');
        lines.accept(text, dataNode);
      }
    }
    appendVerdict(text, nobody);
    return text.toString();
  }

  private void appendVerdict(StringBuilder text, String nobody) {
    text.append('\n');
    if (dataNodes.isEmpty()) {
      text.append("No DataNode to ask.\n");
    } else if (!isAnswered()) {
      text.append("No DataNode answered.\n");
    }
    Finding.append(text, findings);
    if (isAnswered() && findings.isEmpty()) {
      text.append(isAnyWithBean() ? "No findings." : nobody).append('\n');
    }
  }
}
