package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.datanodes.core.FindingNotes;
import io.evenkeel.cli.datanodes.core.FindingNotes.Kind;
import io.evenkeel.common.cli.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code evenkeel locks} says of a round: findings, the documented JSON, and text with who
 * holds a lock, then times, per DataNode. Pure, and so apart from the command, which asks and
 * prints. Stateless.
 */
public final class LocksReport {
  /** Changes when a member is removed or changes its meaning. */
  private static final String SCHEMA = "evenkeel.locks/3";

  private static final List<String> HOLDER_TEXTS =
      Collections.unmodifiableList(
          Arrays.asList("operation", "blockPool", "volume", "mode", "thread"));
  private static final List<String> HOLDER_NUMBERS =
      Collections.unmodifiableList(Arrays.asList("blockId", "heldMillis", "waiting"));
  private static final List<String> TIMES =
      Collections.unmodifiableList(
          Arrays.asList("count", "totalMicros", "p50Micros", "p99Micros", "maxMicros"));
  private static final int MOST_HOLDERS = 10;
  private static final String KEY =
      "dfs.datanode.fsdataset.factory=io.evenkeel.locking.FineGrainedDatasetFactory";

  private LocksReport() {}

  /**
   * What an operator should look at, worst first; empty when all is well.
   *
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public static List<Finding> findings(List<DataNodeLocks> dataNodes, List<String> missing) {
    FindingNotes found = new FindingNotes();
    found.noteIncomplete(dataNodes, missing);
    boolean any = dataNodes.stream().anyMatch(DataNodeLocks::hasBean);
    for (DataNodeLocks dataNode : dataNodes) {
      if (dataNode.hasBean()) {
        addFindings(found, dataNode);
      } else if ("fallback".equals(dataNode.state())) {
        found.note(Kind.FALLBACK, dataNode.address() + ": " + dataNode.reason());
      } else if (any && dataNode.hasAnswered()) {
        found.note(Kind.PARTIAL, dataNode.address() + " has the stock dataset");
      }
    }
    return found.list(kind -> "", "; ");
  }

  private static void addFindings(FindingNotes found, DataNodeLocks dataNode) {
    if (dataNode.bean().positive("BrokenRules") != null) {
      String last = dataNode.bean().text("LastBrokenRule");
      found.note(Kind.BROKEN_RULE, dataNode.address() + (last.isEmpty() ? "" : ": " + last));
    }
    for (BeanRow holder : dataNode.holders()) {
      if (dataNode.isSlow(holder)) {
        found.note(Kind.SLOW_HOLDER, slow(holder) + " on " + dataNode.address());
      }
    }
  }

  private static String slow(BeanRow holder) {
    String volume = holder.text("volume");
    return holder.text("operation")
        + " of block "
        + holder.text("blockId")
        + " for "
        + Figures.time(holder.number("heldMillis"))
        + (volume.isEmpty() ? "" : ", " + volume);
  }

  /** Maps, lists and plain values in the documented order; null is what is not known. */
  public static Map<String, Object> json(DataNodesReport<DataNodeLocks> report) {
    return report.json(SCHEMA, LocksReport::members);
  }

  private static Map<String, Object> members(DataNodeLocks dataNode) {
    BeanRow bean = dataNode.bean();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("state", dataNode.hasAnswered() ? dataNode.state() : null);
    json.put("reason", dataNode.reason());
    json.put("liveLocks", bean.number("LiveLocks"));
    json.put("threadsWaiting", bean.number("ThreadsWaiting"));
    json.put("closedPools", bean.lines("ClosedPools"));
    json.put("held", times(bean.row("Held")));
    json.put("waited", times(bean.row("Waited")));
    json.put("slowHoldMillis", bean.number("SlowHoldMillis"));
    json.put("slowHolds", bean.number("SlowHolds"));
    json.put("brokenRules", bean.number("BrokenRules"));
    json.put("lastBrokenRule", bean.text("LastBrokenRule"));
    List<Object> holders = new ArrayList<>();
    dataNode.holders().forEach(row -> holders.add(holder(row)));
    json.put("holders", holders);
    return json;
  }

  private static Map<String, Object> holder(BeanRow row) {
    Map<String, Object> json = new LinkedHashMap<>();
    HOLDER_TEXTS.forEach(name -> json.put(name, row.text(name)));
    HOLDER_NUMBERS.forEach(name -> json.put(name, row.number(name)));
    json.put("stack", row.lines("stack"));
    return json;
  }

  private static Map<String, Object> times(BeanRow row) {
    Map<String, Object> json = new LinkedHashMap<>();
    TIMES.forEach(name -> json.put(name, row.number(name)));
    return json;
  }

  /**
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   */
  public static String text(DataNodesReport<DataNodeLocks> report, boolean withTime) {
    return report.text(
        withTime, LocksReport::without, LocksReport::append, "No DataNode locks by block.");
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
      text.append("No thread holds a lock.\n");
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
          Figures.time(holder.number("heldMillis")),
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
    TextTable table = new TextTable("SINCE START", "COUNT", "P50", "P99", "MAX");
    for (int column = 1; column <= 4; column++) {
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
        micros(times, "maxMicros"));
  }

  /** A hyphen where nothing was counted. */
  private static String micros(BeanRow times, String attribute) {
    Number micros = times.positive("count") == null ? null : times.known(attribute);
    return Figures.time(micros == null ? null : micros.doubleValue() / 1000);
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
