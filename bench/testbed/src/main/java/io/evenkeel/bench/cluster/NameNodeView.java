package io.evenkeel.bench.cluster;

import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What NameNodes and the ResourceManager say of the cluster, by {@code /jmx}. Thread-safe. */
final class NameNodeView {
  private static final int TIMEOUT_MILLIS = 5000;

  private NameNodeView() {}

  /**
   * The same as the active one of some NameNodes says it, or the first that answers where none is
   * active.
   */
  static Optional<Map<String, Long>> liveDataNodes(List<String> webs) {
    List<String> order = new ArrayList<>(webs);
    if (webs.size() > 1) {
      order.sort(Comparator.comparing(web -> !isActive(web)));
    }
    return order.stream().map(NameNodeView::liveDataNodes).flatMap(Optional::stream).findFirst();
  }

  private static boolean isActive(String http) {
    try {
      JmxClient client = new JmxClient(URI.create("http://" + http), TIMEOUT_MILLIS);
      return "active"
          .equals(client.bean("Hadoop:service=NameNode,name=NameNodeStatus").get("State"));
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /**
   * Seconds since the last heartbeat of each DataNode that the NameNode holds for alive, by data
   * transfer address.
   *
   * @return empty when the NameNode does not answer
   */
  static Optional<Map<String, Long>> liveDataNodes(String http) {
    try {
      JmxClient client = new JmxClient(URI.create("http://" + http), TIMEOUT_MILLIS);
      Object live = client.bean("Hadoop:service=NameNode,name=NameNodeInfo").get("LiveNodes");
      if (live == null) {
        return Optional.empty(); // the web server is up before the namesystem
      }
      Map<String, Long> contact = new HashMap<>();
      for (Object value : ((Map<?, ?>) Json.parse(live.toString())).values()) {
        Map<?, ?> node = (Map<?, ?>) value;
        contact.put(
            Objects.toString(node.get("xferaddr")), ((Number) node.get("lastContact")).longValue());
      }
      return Optional.of(contact);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** How many NodeManagers the ResourceManager counts as active; 0 when it does not answer. */
  static int activeNodeManagers(String http) {
    try {
      JmxClient client = new JmxClient(URI.create("http://" + http), TIMEOUT_MILLIS);
      Object active =
          client
              .bean("Hadoop:service=ResourceManager,name=ClusterMetrics")
              .getOrDefault("NumActiveNMs", 0);
      return ((Number) active).intValue();
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
