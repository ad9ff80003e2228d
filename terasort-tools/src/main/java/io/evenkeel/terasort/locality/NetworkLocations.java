package io.evenkeel.terasort.locality;

import io.evenkeel.terasort.core.locality.HostMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;

/** Asks the site's mapping where hosts are. Stateless and thread-safe. */
public final class NetworkLocations {
  /** The level {@code NodeGroupMapping} gives; a client may be set to what YARN wants. */
  static final String EMIT_KEY = "evenkeel.placement.mapping.emit";

  private NetworkLocations() {}

  /**
   * The locations of hosts.
   *
   * @throws RuntimeException when the mapping cannot be made or fails
   */
  public static HostMap of(Configuration conf, Collection<String> hosts, HostMap.Layers layers) {
    if (hosts.isEmpty()) {
      return HostMap.empty();
    }
    List<String> names = new ArrayList<>(hosts);
    List<String> paths = mapping(conf).resolve(names);
    Map<String, String> locations = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      // null is Hadoop's "not resolved"; a list of another length would misplace hosts
      boolean told = paths != null && paths.size() == names.size();
      locations.put(names.get(i), told ? paths.get(i) : null);
    }
    return new HostMap(locations, layers);
  }

  private static DNSToSwitchMapping mapping(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.set(EMIT_KEY, "path");
    Class<? extends DNSToSwitchMapping> type =
        own.getClass(
            CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
            ScriptBasedMapping.class,
            DNSToSwitchMapping.class);
    DNSToSwitchMapping raw = ReflectionUtils.newInstance(type, own);
    return raw instanceof CachedDNSToSwitchMapping ? raw : new CachedDNSToSwitchMapping(raw);
  }
}
