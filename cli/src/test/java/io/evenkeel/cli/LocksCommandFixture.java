package io.evenkeel.cli;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs {@code evenkeel locks} against web servers that answer as a DataNode's /jmx does. */
abstract class LocksCommandFixture extends VolumesCommandFixture {
  static final String LOCKS = "io.evenkeel:type=Locks,module=locking";

  FakeDaemon locking(List<Map<String, Object>> holders) throws IOException {
    return stock().bean(LOCKS, locks(holders));
  }

  static Map<String, Object> locks(List<Map<String, Object>> holders) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("State", "active");
    bean.put("LiveLocks", holders.size());
    bean.put("ThreadsWaiting", 2);
    bean.put("ClosedPools", List.of());
    bean.put("Held", times(1000));
    bean.put("Waited", times(0));
    bean.put("SlowHoldMillis", 1000);
    bean.put("SlowHolds", 3);
    bean.put("BrokenRules", 0);
    bean.put("LastBrokenRule", "");
    bean.put("Holders", holders);
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

  static Map<String, Object> times(long count) {
    Map<String, Object> times = new LinkedHashMap<>();
    times.put("count", count);
    times.put("totalMicros", count * 5000);
    times.put("p50Micros", count == 0 ? 0 : 120);
    times.put("p99Micros", count == 0 ? 0 : 2500);
    times.put("maxMicros", count == 0 ? 0 : 5_200_000);
    return times;
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
