package io.evenkeel.bench.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What of a cluster is running, at one moment. Immutable.
 *
 * <p>A plain class, not a record: the launcher is compiled for Java 8 and can name it.
 */
public final class ClusterStatus {
  private final ClusterState state;
  private final List<Row> rows;

  /**
   * One process.
   *
   * @param live what the NameNode says of a DataNode: "live", "dead", or "unknown" when it does not
   *     answer; empty for other processes
   */
  record Row(Member member, boolean alive, String live) {
    boolean healthy() {
      return alive && (live.isEmpty() || live.equals("live"));
    }
  }

  ClusterStatus(ClusterState state, List<Row> rows) {
    this.state = state;
    this.rows = List.copyOf(rows);
  }

  List<Row> rows() {
    return rows;
  }

  /** The NameNode's RPC address, or the nameservice of two, as a file system URI. */
  public String rpc() {
    return "hdfs://" + state.rpc();
  }

  /** The address of the (first) NameNode's web pages and {@code /jmx}. */
  public String http() {
    return "http://" + state.webs().get(0);
  }

  /**
   * True when the start came to its end, every process runs and the NameNode knows every DataNode
   * as live.
   */
  public boolean healthy() {
    return state.started() && rows.stream().allMatch(Row::healthy);
  }

  /** A table for people. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add("Hadoop " + state.hadoop() + "  " + rpc() + "  " + http());
    List<String> plugins = state.plugins();
    lines.add("Plugins: " + (plugins.isEmpty() ? "off" : String.join(", ", plugins)));
    if (!state.started()) {
      lines.add("The start of this cluster did not come to its end; 'cluster stop' cleans up.");
    }
    String form = "%-6s %-16s %-8s %-7s %8s %-6s %s";
    lines.add(String.format(form, "NAME", "KIND", "HOST", "RACK", "PID", "STATE", "NAMENODE SAYS"));
    for (Row row : rows) {
      Member m = row.member();
      lines.add(
          String.format(
              form,
              m.name(),
              m.kind().label(),
              orDash(m.host()),
              orDash(m.rack()),
              row.alive() ? Long.toString(m.pid()) : "-",
              row.alive() ? "alive" : "dead",
              orDash(row.live())));
    }
    return String.join("\n", lines);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  /** The same as maps and lists for {@code --json}. */
  public Map<String, Object> json() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("hadoop", state.hadoop());
    map.put("namenode", Map.of("rpc", rpc(), "http", http()));
    map.put("plugins", state.plugins());
    map.put("started", state.started());
    map.put("healthy", healthy());
    List<Object> list = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> entry = row.member().toJson();
      entry.put("alive", row.alive());
      entry.put("namenodeSays", row.live());
      list.add(entry);
    }
    map.put("processes", list);
    return map;
  }
}
