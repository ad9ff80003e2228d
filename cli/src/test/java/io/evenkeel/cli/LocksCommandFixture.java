package io.evenkeel.cli;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs {@code evenkeel locks} against web servers that answer as a DataNode's /jmx does. */
abstract class LocksCommandFixture extends VolumesCommandFixture {
  static final String LOCKS = "io.evenkeel:type=Locks,module=locking";

  FakeDaemon locking(List<Map<String, Object>> holders, List<Map<String, Object>> operations)
      throws IOException {
    return stock().bean(LOCKS, locks(holders, operations));
  }

  static Map<String, Object> locks(
      List<Map<String, Object>> holders, List<Map<String, Object>> operations) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("State", "active");
    bean.put("LiveLocks", holders.size());
    bean.put("ThreadsWaiting", 2);
    bean.put("Waits", 17);
    bean.put("SlowHoldMillis", 1000);
    bean.put("ClosedPools", List.of());
    bean.put("OrderChecked", false);
    bean.put("BrokenRules", 0);
    bean.put("LastBrokenRule", "");
    bean.put("Holders", holders);
    bean.put("Operations", operations);
    return bean;
  }

  /** Pairs of attribute and value replace the usual ones. */
  static Map<String, Object> holder(long block, long heldMillis, Object... different) {
    Map<String, Object> holder = new LinkedHashMap<>();
    holder.put("operation", "createRbw");
    holder.put("blockPool", "BP-1");
    holder.put("volume", "/data/1");
    holder.put("mode", "exclusive");
    holder.put("thread", "DataXceiver for client");
    holder.put("blockId", block);
    holder.put("heldMillis", heldMillis);
    holder.put("waiting", 2);
    holder.put("stack", List.of("java.io.File.exists(File.java:1)", "Dataset.create(D.java:2)"));
    for (int i = 0; i < different.length; i += 2) {
      holder.put((String) different[i], different[i + 1]);
    }
    return holder;
  }

  static Map<String, Object> operation(String name, String volume) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("operation", name);
    row.put("volume", volume);
    row.put("holds", 1000);
    row.put("slowHolds", 3);
    row.put("holdTotalMicros", 5_000_000);
    row.put("holdP50Micros", 120);
    row.put("holdP99Micros", 2500);
    row.put("holdP999Micros", 900_000);
    row.put("holdMaxMicros", 5_200_000);
    row.put("waits", 0);
    row.put("waitTotalMicros", 0);
    row.put("waitP50Micros", 0);
    row.put("waitP99Micros", 0);
    row.put("waitP999Micros", 0);
    row.put("waitMaxMicros", 0);
    return row;
  }

  int locksOf(String... options) {
    return run("locks", new LocksCommand(environment::get, screen, CLOCK), options);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> firstDataNode(String json) {
    Map<String, Object> document = (Map<String, Object>) Json.parse(json);
    return ((List<Map<String, Object>>) document.get("dataNodes")).get(0);
  }
}
