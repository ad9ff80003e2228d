package io.evenkeel.cli.volumes;

import io.evenkeel.cli.volumes.core.DataNodeVolumes;
import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Asks one DataNode. Immutable. */
final class VolumesProbe {
  private static final String VOLUMES = "io.evenkeel:type=Volumes,module=volume";
  private static final String PLUGIN = "io.evenkeel:type=Plugin,module=volume,";
  private static final String DATANODE = "Hadoop:service=DataNode,name=DataNodeInfo";

  private final URI uri;
  private final JmxClient jmx;

  VolumesProbe(URI uri, int timeoutMillis) {
    this.uri = uri;
    this.jmx = new JmxClient(uri, timeoutMillis);
  }

  /** One per DataNode behind that address: several only in the one JVM of a mini cluster. */
  List<DataNodeVolumes> ask() {
    try {
      List<Map<String, Object>> beans = jmx.query("io.evenkeel:*");
      String policy = "";
      String reason = "";
      for (Map<String, Object> bean : beans) {
        if (text(bean, "name").startsWith(PLUGIN)) {
          String plugin = text(bean, "PluginClass");
          policy = plugin.substring(plugin.lastIndexOf('.') + 1);
          reason = DataNodeVolumes.POLICY.equals(policy) ? text(bean, "Reason") : reason;
        }
      }
      List<DataNodeVolumes> found = new ArrayList<>();
      for (Map<String, Object> bean : beans) {
        if (text(bean, "name").startsWith(VOLUMES) && !"gone".equals(bean.get("State"))) {
          found.add(DataNodeVolumes.of(uri, reason, bean));
        }
      }
      return found.isEmpty() ? Collections.singletonList(without(policy)) : found;
    } catch (IOException e) {
      return Collections.singletonList(DataNodeVolumes.silent(uri, reason(e)));
    }
  }

  private DataNodeVolumes without(String policy) throws IOException {
    return jmx.bean(DATANODE).isEmpty()
        ? DataNodeVolumes.silent(uri, "it answers, but is no DataNode")
        : DataNodeVolumes.without(uri, policy);
  }

  /** One line without the address, which the report names. */
  private String reason(IOException e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.replace(uri.toString(), "").replaceAll("\\s+", " ").trim();
  }

  private static String text(Map<String, Object> bean, String attribute) {
    Object value = bean.get(attribute);
    return value == null ? "" : String.valueOf(value);
  }
}
