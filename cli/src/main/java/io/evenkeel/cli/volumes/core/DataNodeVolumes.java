package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.datanodes.core.DataNodeAnswer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one DataNode answered: the volumes of the latency-aware policy, that it has another policy,
 * or nothing. Immutable.
 */
public final class DataNodeVolumes extends DataNodeAnswer {
  private static final String POLICY = "LatencyAwareVolumeChoosingPolicy";
  private static final String VOLUMES = "io.evenkeel:type=Volumes,module=volume";
  private static final String PLUGIN = "io.evenkeel:type=Plugin,module=volume,";
  private static final Map<String, Object> NONE = Collections.emptyMap();

  private final String policy;
  private final String reason;

  private DataNodeVolumes(URI uri, String error, String policy, String reason, Map<?, ?> bean) {
    super(uri, error, bean);
    this.policy = policy;
    this.reason = reason;
  }

  /** A DataNode that did not answer; the error is one line. */
  public static DataNodeVolumes silent(URI uri, String error) {
    return new DataNodeVolumes(uri, Objects.requireNonNull(error), "", "", NONE);
  }

  /**
   * DataNodes that answered: those with the latency-aware policy, or one that has another.
   *
   * @param beans of all plugins, attributes by name
   */
  public static List<DataNodeVolumes> of(URI uri, List<Map<String, Object>> beans) {
    String other = "";
    String why = "";
    for (Map<String, Object> bean : beans) {
      if (isNamed(bean, PLUGIN)) {
        BeanRow plugin = new BeanRow(bean);
        String pluginClass = plugin.text("PluginClass");
        other = pluginClass.substring(pluginClass.lastIndexOf('.') + 1);
        why = POLICY.equals(other) ? plugin.text("Reason") : why;
      }
    }
    String reason = why;
    List<DataNodeVolumes> found = new ArrayList<>();
    live(beans, VOLUMES)
        .forEach(bean -> found.add(new DataNodeVolumes(uri, null, POLICY, reason, bean)));
    return found.isEmpty()
        ? Collections.singletonList(new DataNodeVolumes(uri, null, other, "", NONE))
        : found;
  }

  /** Simple name of its policy if that is one of Evenkeel's; else empty. */
  public String policy() {
    return policy;
  }

  /** {@code active}, {@code observe}, {@code fallback}; {@code unknown} when it does not say. */
  public String state() {
    String state = bean().text("State");
    return state.isEmpty() ? "unknown" : state;
  }

  /** Why it is in that state; may be empty. */
  public String reason() {
    return reason;
  }

  /** The volumes in the order of the bean. */
  public List<VolumeRow> volumes() {
    List<VolumeRow> rows = new ArrayList<>();
    bean().rows("Volumes").forEach(row -> rows.add(new VolumeRow(row)));
    return rows;
  }
}
