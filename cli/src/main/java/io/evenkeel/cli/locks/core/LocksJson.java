package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.datanodes.core.DataNodesJson;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine form of a round, documented in {@code docs/commands.md}. Stateless. */
public final class LocksJson {
  /** Changes when a member is removed or changes its meaning. */
  public static final String SCHEMA = "evenkeel.locks/1";

  private static final List<String> HOLDER_TEXTS =
      Collections.unmodifiableList(
          Arrays.asList("operation", "blockPool", "volume", "mode", "thread"));
  private static final List<String> HOLDER_NUMBERS =
      Collections.unmodifiableList(Arrays.asList("blockId", "heldMillis", "waiting"));
  private static final List<String> TIMES =
      Collections.unmodifiableList(
          Arrays.asList(
              "holds",
              "slowHolds",
              "holdTotalMicros",
              "holdP50Micros",
              "holdP99Micros",
              "holdP999Micros",
              "holdMaxMicros",
              "waits",
              "waitTotalMicros",
              "waitP50Micros",
              "waitP99Micros",
              "waitP999Micros",
              "waitMaxMicros"));

  private LocksJson() {}

  /** Maps, lists and plain values in the documented order; null is what is not known. */
  public static Map<String, Object> of(DataNodesReport<DataNodeLocks> report, String toolVersion) {
    return DataNodesJson.of(SCHEMA, report, toolVersion, LocksJson::members);
  }

  private static Map<String, Object> members(DataNodeLocks dataNode) {
    BeanRow bean = dataNode.bean();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("state", dataNode.hasAnswered() ? dataNode.state() : null);
    json.put("reason", dataNode.reason());
    json.put("liveLocks", bean.number("LiveLocks"));
    json.put("threadsWaiting", bean.number("ThreadsWaiting"));
    json.put("waits", bean.number("Waits"));
    json.put("slowHoldMillis", bean.number("SlowHoldMillis"));
    json.put("closedPools", bean.lines("ClosedPools"));
    json.put("orderChecked", "true".equals(bean.text("OrderChecked")));
    json.put("brokenRules", bean.number("BrokenRules"));
    json.put("lastBrokenRule", bean.text("LastBrokenRule"));
    List<Object> holders = new ArrayList<>();
    dataNode.holders().forEach(row -> holders.add(holder(row)));
    json.put("holders", holders);
    List<Object> operations = new ArrayList<>();
    dataNode.operations().forEach(row -> operations.add(operation(row)));
    json.put("operations", operations);
    return json;
  }

  private static Map<String, Object> holder(BeanRow row) {
    Map<String, Object> json = new LinkedHashMap<>();
    HOLDER_TEXTS.forEach(name -> json.put(name, row.text(name)));
    HOLDER_NUMBERS.forEach(name -> json.put(name, row.number(name)));
    json.put("stack", row.lines("stack"));
    return json;
  }

  private static Map<String, Object> operation(BeanRow row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("operation", row.text("operation"));
    json.put("volume", row.text("volume"));
    TIMES.forEach(name -> json.put(name, row.number(name)));
    return json;
  }
}
