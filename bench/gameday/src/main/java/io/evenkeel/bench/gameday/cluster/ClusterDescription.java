package io.evenkeel.bench.gameday.cluster;

import io.evenkeel.bench.runtime.Layout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster for a game day looks like. Immutable.
 *
 * @param layout racks, hosts and DataNodes on each
 * @param nameNodes one, or two of which one is active
 * @param hadoop the release, such as 3.4.3
 * @param volumes storage types of each DataNode's volumes, in this order; a type may be repeated
 * @param plugins whether our plugin jars and keys are given to the daemons
 * @param jars directory of the plugin jars; null for those of this installation
 * @param yarn whether YARN runs on its hosts as well
 * @param conf more keys for every process and client; they win over what a game day sets
 */
public record ClusterDescription(
    Layout layout,
    int nameNodes,
    String hadoop,
    List<String> volumes,
    boolean plugins,
    Path jars,
    boolean yarn,
    Map<String, String> conf) {

  /** Copies the collections. */
  public ClusterDescription {
    volumes = List.copyOf(volumes);
    conf = Map.copyOf(conf);
  }

  /** The same for one round. */
  public ClusterDescription with(boolean withYarn, Map<String, String> moreKeys) {
    Map<String, String> all = new TreeMap<>(conf);
    all.putAll(moreKeys);
    return new ClusterDescription(layout, nameNodes, hadoop, volumes, plugins, jars, withYarn, all);
  }
}
