package io.evenkeel.cli.locks;

import io.evenkeel.cli.locks.core.DataNodeLocks;
import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Asks one DataNode. Immutable. */
final class LocksProbe {
  private static final String LOCKS = "io.evenkeel:type=Locks,module=locking";
  private static final String PLUGIN = "io.evenkeel:type=Plugin,module=locking,";
  private static final String DATANODE = "Hadoop:service=DataNode,name=DataNodeInfo";

  private final URI uri;
  private final JmxClient jmx;

  LocksProbe(URI uri, int timeoutMillis) {
    this.uri = uri;
    this.jmx = new JmxClient(uri, timeoutMillis);
  }

  /** One per DataNode behind that address: several only in the one JVM of a mini cluster. */
  List<DataNodeLocks> ask() {
    try {
      List<DataNodeLocks> found = new ArrayList<>();
      Map<String, Object> plugin = Collections.emptyMap();
      for (Map<String, Object> bean : jmx.query("io.evenkeel:*")) {
        String name = String.valueOf(bean.get("name"));
        if (name.startsWith(PLUGIN)) {
          plugin = bean;
        }
        if (name.startsWith(LOCKS) && !"gone".equals(bean.get("State"))) {
          found.add(DataNodeLocks.of(uri, bean));
        }
      }
      return found.isEmpty() ? Collections.singletonList(without(plugin)) : found;
    } catch (IOException e) {
      return Collections.singletonList(DataNodeLocks.silent(uri, reason(e)));
    }
  }

  private DataNodeLocks without(Map<String, Object> plugin) throws IOException {
    return jmx.bean(DATANODE).isEmpty()
        ? DataNodeLocks.silent(uri, "it answers, but is no DataNode")
        : DataNodeLocks.stock(uri, plugin);
  }

  /** One line without the address, which the report names. */
  private String reason(IOException e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.replace(uri.toString(), "").replaceAll("\\s+", " ").trim();
  }
}
