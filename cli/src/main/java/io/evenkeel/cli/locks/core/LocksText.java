package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.TextTable;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.datanodes.core.DataNodesText;
import java.util.List;

/**
 * The human form of a round: per DataNode who holds a lock, then times; findings last. Stateless.
 */
public final class LocksText {
  private static final int MOST_HOLDERS = 10;
  private static final String KEY =
      "dfs.datanode.fsdataset.factory=io.evenkeel.locking.FineGrainedDatasetFactory";

  private LocksText() {}

  /**
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   */
  public static String of(DataNodesReport<DataNodeLocks> report, boolean withTime) {
    return DataNodesText.of(
        report, withTime, LocksText::without, LocksText::append, "No DataNode locks by block.");
  }

  private static void append(StringBuilder text, DataNodeLocks dataNode) {
    appendHolders(text, dataNode);
    appendTimes(text, dataNode.bean());
    appendTotal(text, dataNode.bean());
  }

  private static String without(DataNodeLocks dataNode) {
    return "stock".equals(dataNode.state())
        ? "no locks by block: it has the stock dataset; set " + KEY + " and restart it"
        : "no locks by block: " + dataNode.state() + ": " + dataNode.reason();
  }

  private static void appendHolders(StringBuilder text, DataNodeLocks dataNode) {
    List<BeanRow> holders = dataNode.holders();
    if (holders.isEmpty()) {
      text.append("Nobody holds a lock.\n");
      return;
    }
    TextTable table =
        new TextTable("HOLDER", "BLOCK", "VOLUME", "MODE", "HELD", "WAITING", "THREAD");
    table.alignRight(4).alignRight(5); // HELD and WAITING
    List<BeanRow> shown = holders.subList(0, Math.min(MOST_HOLDERS, holders.size()));
    for (BeanRow holder : shown) {
      table.add(
          holder.text("operation"),
          holder.text("blockPool") + ":" + holder.text("blockId"),
          orHyphen(holder.text("volume")),
          orHyphen(holder.text("mode")),
          Figures.span(holder.number("heldMillis")),
          Figures.count(holder.number("waiting")),
          holder.text("thread"));
    }
    table.appendTo(text);
    if (holders.size() > shown.size()) {
      text.append("and ").append(holders.size() - shown.size()).append(" more\n");
    }
    for (BeanRow holder : shown) {
      if (dataNode.isSlow(holder)) {
        appendStack(text, holder);
      }
    }
  }

  private static void appendStack(StringBuilder text, BeanRow holder) {
    List<String> stack = holder.lines("stack");
    if (stack.isEmpty()) {
      return;
    }
    text.append("\nStack of ").append(holder.text("operation"));
    text.append(" of block ").append(holder.text("blockId")).append(":\n");
    stack.forEach(line -> text.append("    at ").append(line).append('\n'));
  }

  private static void appendTimes(StringBuilder text, BeanRow bean) {
    TextTable table = new TextTable("SINCE START", "COUNT", "P50", "P99", "P99.9", "MAX");
    for (int column = 1; column <= 5; column++) {
      table.alignRight(column);
    }
    addTimes(table, "held", bean.row("Held"));
    addTimes(table, "waited", bean.row("Waited"));
    text.append('\n');
    table.appendTo(text);
  }

  private static void addTimes(TextTable table, String name, BeanRow times) {
    table.add(
        name,
        Figures.count(times.number("count")),
        micros(times, "p50Micros"),
        micros(times, "p99Micros"),
        micros(times, "p999Micros"),
        micros(times, "maxMicros"));
  }

  /** A hyphen where nothing was counted. */
  private static String micros(BeanRow times, String attribute) {
    Number micros = times.positive("count") == null ? null : times.known(attribute);
    return Figures.span(micros == null ? null : micros.doubleValue() / 1000);
  }

  private static void appendTotal(StringBuilder text, BeanRow bean) {
    text.append("Total: ").append(Figures.count(bean.number("LiveLocks"))).append(" locks, ");
    text.append(Figures.count(bean.number("ThreadsWaiting"))).append(" threads waiting, ");
    text.append(Figures.count(bean.number("SlowHolds"))).append(" slow holds since start, ");
    text.append(Figures.count(bean.number("BrokenRules"))).append(" broken rules\n");
    List<String> closed = bean.lines("ClosedPools");
    if (!closed.isEmpty()) {
      text.append("Closed pools: ").append(String.join(", ", closed)).append('\n');
    }
  }

  private static String orHyphen(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
