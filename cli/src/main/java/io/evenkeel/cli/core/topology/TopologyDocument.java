package io.evenkeel.cli.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads a topology from a parsed JSON document: what {@code evenkeel topology check --json} prints,
 * what a NameNode's {@code /topology} servlet answers, or its {@code LiveNodes}. Stateless.
 */
public final class TopologyDocument {
  private TopologyDocument() {}

  /**
   * The DataNodes of a document.
   *
   * @param document maps, lists, strings and numbers
   * @throws TopologyException when it is of no known form
   */
  public static List<TopologyNode> parse(Object document) {
    if (document instanceof List) {
      return racks((List<?>) document);
    }
    Object nodes = document instanceof Map ? ((Map<?, ?>) document).get("dataNodes") : null;
    if (!(nodes instanceof List)) {
      throw new TopologyException("the JSON has no list dataNodes");
    }
    List<TopologyNode> found = new ArrayList<>();
    for (Object node : (List<?>) nodes) {
      found.add(own(node, "dataNodes[" + found.size() + "]"));
    }
    return found;
  }

  private static TopologyNode own(Object json, String where) {
    if (!(json instanceof Map)) {
      throw new TopologyException(where + " is no object");
    }
    Map<?, ?> node = (Map<?, ?>) json;
    Object weight = node.get("weight");
    boolean usable = weight == null || (weight instanceof Number && number(weight) > 0);
    if (!usable) {
      throw new TopologyException(where + ".weight is not a number above 0");
    }
    TopologyNode.Builder builder =
        new TopologyNode.Builder(text(node, "name", where), path(node, "location", where))
            .inService(!Boolean.FALSE.equals(node.get("inService")))
            .weight(weight == null ? 1 : number(weight));
    if (node.get("address") != null) {
      builder.address(text(node, "address", where));
    }
    if (node.get("types") instanceof List) {
      List<String> types = new ArrayList<>();
      ((List<?>) node.get("types")).forEach(type -> types.add(String.valueOf(type)));
      builder.types(types.toArray(new String[0]));
    }
    return builder.build();
  }

  private static List<TopologyNode> racks(List<?> document) {
    List<TopologyNode> found = new ArrayList<>();
    for (Object rack : document) {
      if (!(rack instanceof Map)) {
        throw new TopologyException("the JSON is no list of racks");
      }
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) rack).entrySet()) {
        Object nodes = entry.getValue();
        if (!(nodes instanceof List)) {
          throw new TopologyException("rack " + entry.getKey() + " is no list of DataNodes");
        }
        for (Object node : (List<?>) nodes) {
          found.add(ofServlet(String.valueOf(entry.getKey()), node));
        }
      }
    }
    return found;
  }

  private static TopologyNode ofServlet(String rack, Object json) {
    if (!(json instanceof Map)) {
      throw new TopologyException("a DataNode of rack " + rack + " is no object");
    }
    Map<?, ?> node = (Map<?, ?>) json;
    String address = text(node, "ip", "a DataNode of rack " + rack);
    Object host = node.get("hostname");
    int colon = address.lastIndexOf(':');
    String port = colon < 0 ? "" : address.substring(colon);
    return new TopologyNode.Builder(host == null ? address : host + port, checked(rack))
        .address(address)
        .build();
  }

  /**
   * The DataNodes a NameNode calls live.
   *
   * @param live attribute {@code LiveNodes}, parsed: attributes by name
   * @param byCapacity whether a DataNode weighs by its capacity; else all weigh the same
   * @throws TopologyException when they have no location, as before Hadoop 3.3
   */
  public static List<TopologyNode> live(Map<?, ?> live, boolean byCapacity) {
    List<TopologyNode> found = new ArrayList<>();
    List<Double> capacities = new ArrayList<>();
    for (Map.Entry<?, ?> entry : live.entrySet()) {
      Map<?, ?> node = (Map<?, ?>) entry.getValue();
      String name = String.valueOf(entry.getKey());
      if (node.get("location") == null) {
        throw new TopologyException("this NameNode does not say where " + name + " is");
      }
      Object state = node.get("adminState");
      Object address = node.get("xferaddr");
      found.add(
          new TopologyNode.Builder(name, path(node, "location", name))
              .address(address == null ? name : address.toString())
              .inService(state == null || "In Service".equals(state))
              .build());
      Object capacity = node.get("capacity");
      capacities.add(capacity instanceof Number ? number(capacity) : 0);
    }
    return byCapacity ? weighed(found, capacities) : found;
  }

  /** Weights with a mean of 1; equal ones when a capacity is not known. */
  private static List<TopologyNode> weighed(List<TopologyNode> nodes, List<Double> capacities) {
    double all = 0;
    for (double capacity : capacities) {
      if (capacity <= 0) {
        return nodes;
      }
      all += capacity;
    }
    List<TopologyNode> weighed = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      weighed.add(nodes.get(i).weighing(capacities.get(i) * nodes.size() / all));
    }
    return weighed;
  }

  private static double number(Object number) {
    return ((Number) number).doubleValue();
  }

  private static String text(Map<?, ?> node, String member, String where) {
    Object value = node.get(member);
    if (!(value instanceof String) || ((String) value).isEmpty()) {
      throw new TopologyException(where + " has no " + member);
    }
    return (String) value;
  }

  private static String path(Map<?, ?> node, String member, String where) {
    return checked(text(node, member, where));
  }

  private static String checked(String path) {
    if (!path.matches("(/[^/]+)+")) {
      throw new TopologyException("'" + path + "' is no network location");
    }
    return path;
  }
}
