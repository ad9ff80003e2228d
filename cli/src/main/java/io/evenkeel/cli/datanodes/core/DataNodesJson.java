package io.evenkeel.cli.datanodes.core;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The frame that the JSON of all such reports has, see {@code docs/commands.md}. Stateless. */
public final class DataNodesJson {
  private DataNodesJson() {}

  /**
   * Maps, lists and plain values in the documented order; null is what is not known.
   *
   * @param members what follows {@code error} of a DataNode
   */
  public static <D extends DataNodeAnswer> Map<String, Object> of(
      String schema,
      DataNodesReport<D> report,
      String toolVersion,
      Function<D, Map<String, Object>> members) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", schema);
    json.put("evenkeel", toolVersion);
    json.put("time", report.time().truncatedTo(ChronoUnit.SECONDS).toString());
    json.put("source", report.source());
    json.put("exitCode", report.exitCode().code());
    List<Object> dataNodes = new ArrayList<>();
    for (D dataNode : report.dataNodes()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("url", dataNode.uri().toString());
      item.put("instance", dataNode.instance());
      item.put("answered", dataNode.hasAnswered());
      item.put("error", dataNode.error());
      item.putAll(members.apply(dataNode));
      dataNodes.add(item);
    }
    json.put("dataNodes", dataNodes);
    List<Object> findings = new ArrayList<>();
    for (DataNodeFinding finding : report.findings()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("kind", finding.kind().label());
      item.put("message", finding.message());
      findings.add(item);
    }
    json.put("findings", findings);
    return json;
  }
}
