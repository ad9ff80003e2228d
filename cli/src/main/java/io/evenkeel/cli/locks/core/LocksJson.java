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
  public static final String SCHEMA = "evenkeel.locks/2";

  private static final List<String> HOLDER_TEXTS =
      Collections.unmodifiableList(
          Arrays.asList("operation", "blockPool", "volume", "mode", "thread"));
  private static final List<String> HOLDER_NUMBERS =
      Collections.unmodifiableList(Arrays.asList("blockId", "heldMillis", "waiting"));
  private static final List<String> TIMES =
      Collections.unmodifiableList(
          Arrays.asList(
              "count", "totalMicros", "p50Micros", "p99Micros", "p999Micros", "maxMicros"));

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
}
