package io.evenkeel.cli.datanodes.core;

import java.time.temporal.ChronoUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The frame of the human form of all such reports: what is said of each DataNode, findings last.
 * Stateless.
 */
public final class DataNodesText {
  private DataNodesText() {}

  /**
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   * @param without what is said of a DataNode that answers and does not show the bean
   * @param lines adds the lines about a DataNode that shows it
   * @param nobody the sentence for a round in which no DataNode shows it
   */
  public static <D extends DataNodeAnswer> String of(
      DataNodesReport<D> report,
      boolean withTime,
      Function<D, String> without,
      BiConsumer<StringBuilder, D> lines,
      String nobody) {
    StringBuilder text = new StringBuilder();
    if (withTime) {
      text.append(report.time().truncatedTo(ChronoUnit.SECONDS)).append("  ");
    }
    text.append("DataNodes: ").append(report.source()).append('\n');
    for (D dataNode : report.dataNodes()) {
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
    appendVerdict(text, report, nobody);
    return text.toString();
  }

  private static void appendVerdict(StringBuilder text, DataNodesReport<?> report, String nobody) {
    text.append('\n');
    if (report.dataNodes().isEmpty()) {
      text.append("No DataNode to ask.\n");
    } else if (!report.isAnswered()) {
      text.append("No DataNode answered.\n");
    }
    for (DataNodeFinding finding : report.findings()) {
      text.append("Finding (").append(finding.kind().label()).append("): ");
      text.append(finding.message()).append('\n');
    }
    if (report.isAnswered() && report.findings().isEmpty()) {
      text.append(report.isAnyWithBean() ? "No findings." : nobody).append('\n');
    }
  }
}
