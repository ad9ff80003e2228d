package io.evenkeel.bench.cluster;

import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the NameNode and the ResourceManager say of the cluster, by {@code /jmx}. Thread-safe. */
final class NameNodeView {
  private static final int TIMEOUT_MILLIS = 5000;

  private NameNodeView() {}

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
