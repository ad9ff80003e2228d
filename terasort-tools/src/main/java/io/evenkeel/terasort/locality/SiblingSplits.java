package io.evenkeel.terasort.locality;

import io.evenkeel.common.config.Settings;
import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.config.TerasortStart;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.LocationPicker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the sibling VMs to the hosts of splits, for our own input format and for those of others;
 * what it promises stands at {@code NodeGroupSplits}. Never throws. Immutable.
 */
public final class SiblingSplits {
  private static final Logger LOG = LoggerFactory.getLogger(SiblingSplits.class);

  /** The level {@code NodeGroupMapping} gives; a client may be set to what YARN wants. */
  private static final String EMIT_KEY = "evenkeel.placement.mapping.emit";

  private final NodeManagers nodeManagers;

  /** Finds the NodeManagers that way. */
  public SiblingSplits(NodeManagers nodeManagers) {
    this.nodeManagers = nodeManagers;
  }

  /** Asks the job's YARN where NodeManagers run. */
  public static SiblingSplits onYarn() {
    return new SiblingSplits(new YarnNodeManagers());
  }

  /** The splits with the hosts they should run on; the same list when nothing changes. */
  public List<InputSplit> of(List<InputSplit> splits, Configuration conf) {
    Objects.requireNonNull(splits);
    if (splits.isEmpty()) {
      return splits;
    }
    try {
      Settings settings = TerasortStart.lenient(conf);
      return rewrite(splits, conf, settings);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return splits;
    } catch (Exception | LinkageError e) {
      LOG.warn("Splits keep the hosts they had: {}", e.toString());
      LOG.debug("Why splits keep the hosts they had", e);
      return splits;
    }
  }

  private List<InputSplit> rewrite(List<InputSplit> splits, Configuration conf, Settings settings)
      throws Exception {
    Set<String> running =
        nodeManagers.hosts(conf, settings.get(TerasortKeys.LOCALITY_TIMEOUT).toMillis());
    if (running == null) {
      LOG.info("The job does not run on YARN; splits keep the hosts they had");
      return splits;
    }
    Set<String> hosts = new LinkedHashSet<>(running);
    hosts.addAll(replicas(splits));
    String layers = settings.get(TerasortKeys.LOCALITY_LAYERS).toUpperCase(Locale.ROOT);
    HostMap map = locations(conf, hosts, HostMap.Layers.valueOf(layers));
    if (!map.knowsPhysicalHosts()) {
      LOG.info(
          "Splits keep the hosts they had: the mapping places none of {} hosts in a node group",
          hosts.size());
      return splits;
    }
    int most = mostLocations(conf, settings);
    return new SplitRewriter(conf, new LocationPicker(map, running, most)).rewrite(splits);
  }

  private static Set<String> replicas(List<InputSplit> splits)
      throws IOException, InterruptedException {
    Set<String> hosts = new LinkedHashSet<>();
    for (InputSplit split : splits) {
      hosts.addAll(Arrays.asList(split.getLocations()));
    }
    return hosts;
  }

  /**
   * Asks the mapping of the site where hosts are.
   *
   * @throws RuntimeException when the mapping cannot be made or fails
   */
  static HostMap locations(Configuration conf, Collection<String> hosts, HostMap.Layers layers) {
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

  private static int mostLocations(Configuration conf, Settings settings) {
    int stock = SplitRewriter.stockLimit(conf);
    int own = settings.get(TerasortKeys.LOCALITY_MAX_LOCATIONS).intValue();
    return own == 0 ? stock : Math.min(own, stock);
  }
}
