package io.evenkeel.placement;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.placement.core.mapping.MappingRules;
import io.evenkeel.placement.core.mapping.NetworkLocation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMappingWithDependency;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks and completes what the site's own mapping says of a host, for {@code
 * net.topology.node.switch.mapping.impl}.
 *
 * <p>The site's script, table or class stays as it is and is named by {@code
 * evenkeel.placement.mapping.wrapped}. A host it does not place at {@code /rack/nodegroup} (or as
 * deep as {@code evenkeel.placement.mapping.depth} says) is treated as {@code
 * evenkeel.placement.mapping.unknown} says, and each daemon is told as much of a location as {@code
 * evenkeel.placement.mapping.emit} says.
 *
 * <p>{@link #resolve} answers with one location per name, none of them null; or with null when no
 * name of the list is known in mode {@code fail}, which every caller in Hadoop takes for "not
 * resolved". In that mode an unknown host among known ones gets {@code /default-rack}, as YARN
 * would give it. It never throws.
 *
 * <p>It is a {@link CachedDNSToSwitchMapping} so that Hadoop asks by address, as for its own two
 * classes, and does not cache once more; the cache is that of the site's mapping. A class without a
 * cache gets one except in the NameNode, as in stock.
 *
 * <p>Thread-safe. It needs hadoop-common only.
 */
public final class NodeGroupMapping extends CachedDNSToSwitchMapping
    implements DNSToSwitchMappingWithDependency {
  static final String BEAN_NAME = "io.evenkeel:type=NodeGroupMapping,module=placement";

  private static final Logger LOG = LoggerFactory.getLogger(NodeGroupMapping.class);
  private static final int MOST_HOSTS_SHOWN = 100;

  private volatile Parts parts = Parts.unconfigured();

  /** Creates a mapping that knows no host until {@link #setConf} is called. */
  public NodeGroupMapping() {
    super(null);
  }

  /**
   * Reads the configuration and, in a NameNode that starts, checks the hosts file. With null the
   * mapping knows no host.
   *
   * @throws ConfigException in a NameNode, a tool that loads its name space, and a ResourceManager:
   *     on a value that is not allowed and on a release that was not tested; not in the last, on
   *     mode {@code fail} without stock's key that rejects DataNodes; only in a NameNode that
   *     starts, in that mode, on hosts of the hosts file without a location. Elsewhere a bad value
   *     warns and its default is used.
   */
  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) {
      parts = Parts.unconfigured();
      return;
    }
    configure(conf, MappingRole.of(Thread.currentThread().getStackTrace()));
  }

  /** {@link #setConf} for a given role. */
  void configure(Configuration conf, MappingRole role) {
    MappingConf mappingConf = new MappingConf(LOG, role, conf);
    Parts made = Parts.of(mappingConf, role);
    try {
      made.check.atStart();
    } catch (ConfigException e) {
      throw mappingConf.refused(e);
    }
    parts = made;
    mappingConf.announce();
    if (role.placesDataNodes() && !made.site.asksByAddress()) {
      LOG.warn(
          "{} has no cache of its own, so without NodeGroupMapping the NameNode would ask it for"
              + " the host names of DataNodes; now it is asked for their addresses. Make sure that"
              + " it knows those.",
          made.site);
    }
    if (role.daemon()) {
      Bean.publish(this);
    }
  }

  @Override
  public List<String> resolve(List<String> names) {
    if (names.isEmpty()) {
      return new ArrayList<>();
    }
    Parts now = parts;
    List<String> hosts = NetUtils.normalizeHostNames(names);
    List<String> again = now.watch.takeToAskAgain();
    if (!again.isEmpty()) {
      now.site.reload(again);
    }
    List<String> said = now.site.locations(now.site.asksByAddress() ? hosts : names);
    List<String> answer = new ArrayList<>(names.size());
    boolean anyResolved = false;
    for (int i = 0; i < hosts.size(); i++) {
      now.watch.answered(now.rules, hosts.get(i), said.get(i));
      Optional<NetworkLocation> location = now.rules.locate(hosts.get(i), said.get(i));
      anyResolved |= location.isPresent();
      answer.add(location.map(now.rules::emit).orElse(NetworkTopology.DEFAULT_RACK));
    }
    now.watch.reportUnknown(now.rules);
    return anyResolved ? answer : null;
  }

  /**
   * Forgets what the site's mapping has cached, reads its table and checks the hosts file again.
   */
  @Override
  public void reloadCachedMappings() {
    Parts now = parts;
    now.site.reload();
    now.check.run();
  }

  @Override
  public void reloadCachedMappings(List<String> names) {
    parts.site.reload(names);
  }

  /** What the site's mapping has cached, by address, as {@link #resolve} would answer it. */
  @Override
  public Map<String, String> getSwitchMap() {
    Parts now = parts;
    Map<String, String> cached = now.site.cached();
    Map<String, String> answers = new HashMap<>();
    if (cached != null) {
      cached.forEach(
          (host, said) ->
              now.rules
                  .locate(host, said)
                  .ifPresent(location -> answers.put(host, now.rules.emit(location))));
    }
    return answers;
  }

  /** The hosts a host depends on, when the site's mapping tells; null when it fails to. */
  @Override
  public List<String> getDependency(String name) {
    return parts.site.dependencies(name);
  }

  @Override
  public boolean isSingleSwitch() {
    return parts.site.isSingleSwitch();
  }

  @Override
  public String toString() {
    return "node groups of " + parts.site;
  }

  MappingWatch watch() {
    return parts.watch;
  }

  HostsCheck check() {
    return parts.check;
  }

  /** What one configuration comes to; replaced as a whole. */
  private static final class Parts {
    private final MappingRules rules;
    private final MappingWatch watch;
    private final SiteMapping site;
    private final HostsCheck check;

    private Parts(MappingRules rules, MappingWatch watch, SiteMapping site, HostsCheck check) {
      this.rules = rules;
      this.watch = watch;
      this.site = site;
      this.check = check;
    }

    static Parts of(MappingConf mappingConf, MappingRole role) {
      MappingRules rules = mappingConf.rules();
      MappingWatch watch =
          new MappingWatch(LOG, role.daemon(), mappingConf.recheckNanos(), System::nanoTime);
      SiteMapping site =
          SiteMapping.of(mappingConf.siteMapping(), !role.placesDataNodes(), watch::failed);
      return new Parts(
          rules, watch, site, new HostsCheck(LOG, mappingConf.hostsFile(), rules, site));
    }

    static Parts unconfigured() {
      Configuration none = new Configuration(false);
      MappingConf mappingConf = new MappingConf(LOG, MappingRole.OTHER, none);
      MappingRules rules = mappingConf.rules();
      MappingWatch watch =
          new MappingWatch(LOG, false, mappingConf.recheckNanos(), System::nanoTime);
      SiteMapping site = SiteMapping.of(null, false, watch::failed);
      return new Parts(rules, watch, site, new HostsCheck(LOG, null, rules, site));
    }
  }

  /** Shows a mapping as {@value #BEAN_NAME}; the last one configured in a JVM. Thread-safe. */
  private static final class Bean implements NodeGroupMappingMXBean {
    private final NodeGroupMapping mapping;

    Bean(NodeGroupMapping mapping) {
      this.mapping = mapping;
    }

    /** Registers a mapping in place of the one before. Never throws: JMX must not stop a daemon. */
    static void publish(NodeGroupMapping mapping) {
      try {
        replace(ManagementFactory.getPlatformMBeanServer(), new Bean(mapping));
      } catch (JMException | RuntimeException | LinkageError e) {
        LOG.warn("The mapping is not visible in JMX: {}", e.toString());
      }
    }

    private static synchronized void replace(MBeanServer server, Bean bean) throws JMException {
      ObjectName name = new ObjectName(BEAN_NAME);
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(bean, name);
    }

    @Override
    public String getWrapped() {
      return mapping.parts.site.toString();
    }

    @Override
    public long getNames() {
      return mapping.parts.watch.names();
    }

    @Override
    public long getUnknown() {
      return mapping.parts.watch.unknown();
    }

    @Override
    public long getFailures() {
      return mapping.parts.watch.failures();
    }

    @Override
    public String[] getUnknownHosts() {
      List<String> hosts = mapping.parts.watch.unknownHosts();
      return hosts.subList(0, Math.min(MOST_HOSTS_SHOWN, hosts.size())).toArray(new String[0]);
    }

    @Override
    public int getRepeatedNodeGroups() {
      return mapping.parts.watch.repeatedGroups();
    }

    @Override
    public String getLastCheck() {
      return mapping.parts.check.outcome();
    }

    @Override
    public void reload() {
      mapping.reloadCachedMappings();
    }
  }
}
