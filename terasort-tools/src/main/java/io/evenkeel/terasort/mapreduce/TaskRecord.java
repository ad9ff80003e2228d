package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.json.Json;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * What one map task did: its host, its times, and how many of its bytes had a replica on that host.
 * Written as a line of JSON. Confined to one thread.
 *
 * <p>Bytes without a replica here are counted by the hosts that have one; how far those are is the
 * client's to say, which knows the topology.
 */
final class TaskRecord {
  private static final String NODE_MANAGER = "NM_HOST";

  private final TaskAttemptID attempt;
  private final Set<String> names;
  private final long started;
  private final Map<List<String>, Long> elsewhere = new LinkedHashMap<>();
  private long local;
  private long records;

  TaskRecord(TaskAttemptID attempt, long started) {
    this.attempt = attempt;
    this.names = ownNames();
    this.started = started;
  }

  /** How this host is called: by YARN first, since that is what it compares locations with. */
  private static Set<String> ownNames() {
    Set<String> names = new LinkedHashSet<>();
    String nodeManager = System.getenv(NODE_MANAGER);
    if (nodeManager != null) {
      names.add(nodeManager);
    }
    try {
      InetAddress own = InetAddress.getLocalHost();
      names.add(own.getHostName());
      names.add(own.getCanonicalHostName());
      names.add(own.getHostAddress());
    } catch (UnknownHostException e) {
      names.add("localhost");
    }
    return names;
  }

  void read(List<String> hosts, long bytes, long whole) {
    records += whole;
    if (hosts.stream().anyMatch(names::contains)) {
      local += bytes;
    } else {
      elsewhere.merge(hosts, bytes, Long::sum);
    }
  }

  long localBytes() {
    return local;
  }

  long remoteBytes() {
    return elsewhere.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The line.
   *
   * @param ended milliseconds since 1970
   * @param cpuNanos CPU time of the thread that read and checked, or -1
   */
  String json(long ended, long cpuNanos) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("attempt", attempt.toString());
    line.put("host", names.iterator().next());
    line.put("started", started);
    line.put("ended", ended);
    line.put("cpuNanos", cpuNanos);
    line.put("records", records);
    line.put("bytesHere", local);
    List<Object> rest = new ArrayList<>();
    for (Map.Entry<List<String>, Long> entry : elsewhere.entrySet()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("bytes", entry.getValue());
      item.put("hosts", entry.getKey());
      rest.add(item);
    }
    line.put("bytesElsewhere", rest);
    return Json.compact(line);
  }
}
