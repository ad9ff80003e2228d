package io.evenkeel.bench.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * One process of a cluster as planned, and the process id when it was started. Immutable.
 *
 * @param kind what it is
 * @param name unique in the cluster: nn (nn1 and nn2 where there are two), jn1, dn1, rm, nm1
 * @param host physical host, empty for NameNodes, JournalNodes and rm
 * @param rack empty where the host is
 * @param address loopback address it listens on
 * @param port the port by which it is known: RPC of a NameNode or JournalNode, data transfer of a
 *     DataNode
 * @param pid process id, 0 when it never ran
 * @param started start time in milliseconds since 1970 as the system tells it, 0 when unknown
 * @param dataDirs directories with blocks or metadata, relative to the cluster's directory
 */
public record Member(
    Kind kind,
    String name,
    String host,
    String rack,
    String address,
    int port,
    long pid,
    long started,
    List<String> dataDirs) {

  /** What a process does, and its main class. */
  public enum Kind {
    NAMENODE("org.apache.hadoop.hdfs.server.namenode.NameNode"),
    JOURNALNODE("org.apache.hadoop.hdfs.qjournal.server.JournalNode"),
    DATANODE("org.apache.hadoop.hdfs.server.datanode.DataNode"),
    RESOURCEMANAGER("org.apache.hadoop.yarn.server.resourcemanager.ResourceManager"),
    NODEMANAGER("org.apache.hadoop.yarn.server.nodemanager.NodeManager");

    private final String mainClass;

    Kind(String mainClass) {
      this.mainClass = mainClass;
    }

    String mainClass() {
      return mainClass;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether a user means it by this name: its own, or that of its host if it has one. */
  boolean isCalled(String text) {
    return name.equals(text) || !text.isEmpty() && host.equals(text);
  }

  /** Its log file, relative to the cluster's directory. */
  public String log() {
    return "nodes/" + name + "/" + name + ".log";
  }

  Member running(long newPid, long startMillis) {
    return new Member(kind, name, host, rack, address, port, newPid, startMillis, dataDirs);
  }

  Map<String, Object> toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("kind", kind.label());
    map.put("host", host);
    map.put("rack", rack);
    map.put("address", address);
    map.put("port", port);
    map.put("pid", pid);
    map.put("started", started);
    map.put("log", log());
    map.put("data", dataDirs);
    return map;
  }

  static Member fromJson(Map<?, ?> map) {
    return new Member(
        Kind.valueOf(text(map, "kind").toUpperCase(Locale.ROOT)),
        text(map, "name"),
        text(map, "host"),
        text(map, "rack"),
        text(map, "address"),
        (int) number(map, "port"),
        number(map, "pid"),
        number(map, "started"),
        ((List<?>) map.get("data")).stream().map(Objects::toString).toList());
  }

  private static String text(Map<?, ?> map, String key) {
    return Objects.requireNonNull(map.get(key), key).toString();
  }

  private static long number(Map<?, ?> map, String key) {
    return ((Number) Objects.requireNonNull(map.get(key), key)).longValue();
  }
}
