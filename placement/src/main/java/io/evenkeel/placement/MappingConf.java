package io.evenkeel.placement;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.mapping.EmitLevel;
import io.evenkeel.placement.core.mapping.MappingRules;
import io.evenkeel.placement.core.mapping.UnknownMode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;

/**
 * Reads and checks the configuration of a {@link NodeGroupMapping}: strictly in a daemon, which
 * then does not start; elsewhere with a warning and the default. Confined to one thread. Separate
 * from the mapping, of which a start that fails leaves nothing.
 */
final class MappingConf {
  /** Stock's key that makes the NameNode reject a DataNode without a location. */
  static final String REJECT = "dfs.namenode.reject-unresolved-dn-topology-mapping";

  private final Logger log;
  private final MappingRole role;
  private final Configuration conf;
  private final PluginStart start;
  private final Settings settings;

  /**
   * Reads the keys.
   *
   * @throws ConfigException in a daemon, naming key, value and range
   */
  MappingConf(Logger log, MappingRole role, Configuration conf) {
    this.log = log;
    this.role = role;
    this.conf = conf;
    if (!role.daemon()) {
      Fit any = Fit.notAsked(VersionInfo.getVersion()); // in a tool it matters to nobody
      start = PlacementKeys.MODULE.startOrWarn(any, conf, conf::get, log::warn);
      settings = start.settings();
      return;
    }
    // a ResourceManager needs the mapping alone, and may have no code of a NameNode beside it
    String release = VersionInfo.getVersion();
    Fit hadoop = role.placesDataNodes() ? PlacementKeys.MODULE.fit(release) : Fit.notAsked(release);
    try {
      start = PlacementKeys.MODULE.startOrFail(hadoop, conf, conf::get, log::warn);
      settings = start.settings();
      if (start.isReleaseRefused()) {
        throw new ConfigException(start.releaseRefusal());
      }
      checkReject();
    } catch (ConfigException e) {
      throw refused(e);
    }
  }

  /** Says why the daemon cannot start; returns the exception to throw. */
  ConfigException refused(ConfigException e) {
    log.error("This daemon cannot start: {}", e.getMessage());
    return e;
  }

  private void checkReject() {
    boolean fail = rules().mode() == UnknownMode.FAIL;
    if (fail && role.placesDataNodes() && !conf.getBoolean(REJECT, false)) {
      throw new ConfigException(
          PlacementKeys.MAPPING_UNKNOWN
              + " = 'fail' has no effect without "
              + REJECT
              + " = true: the NameNode would put an unknown DataNode into /default-rack");
    }
  }

  MappingRules rules() {
    return new MappingRules(
        settings.get(PlacementKeys.MAPPING_DEPTH).intValue(),
        UnknownMode.named(settings.get(PlacementKeys.MAPPING_UNKNOWN)),
        EmitLevel.named(settings.get(PlacementKeys.MAPPING_EMIT)));
  }

  long recheckNanos() {
    return settings.get(PlacementKeys.MAPPING_RECHECK).toNanos();
  }

  /**
   * The site's own mapping, configured; null where it cannot be made and that must not matter.
   *
   * @throws ConfigException in a daemon
   */
  DNSToSwitchMapping siteMapping() {
    String name = settings.get(PlacementKeys.MAPPING_WRAPPED);
    try {
      Class<?> type = conf.getClassByName(name);
      if (NodeGroupMapping.class.isAssignableFrom(type)) {
        throw new ClassCastException("it would ask itself");
      }
      return ReflectionUtils.newInstance(type.asSubclass(DNSToSwitchMapping.class), conf);
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      String problem =
          OneLine.of(
              PlacementKeys.MAPPING_WRAPPED
                  + " = '"
                  + name
                  + "' is not allowed; use "
                  + PlacementKeys.MAPPING_WRAPPED.range()
                  + " ("
                  + e
                  + ")");
      if (role.daemon()) {
        throw refused(new ConfigException(problem));
      }
      log.warn("{}; no host has a location", problem);
      return null;
    }
  }

  /**
   * The hosts file, null when there is none to check here.
   *
   * @throws ConfigException when the text is not a path
   */
  Path hostsFile() {
    String text = settings.get(PlacementKeys.MAPPING_HOSTS);
    if (text.isEmpty() || role != MappingRole.NAMENODE) {
      return null;
    }
    try {
      return Paths.get(text);
    } catch (InvalidPathException e) {
      throw refused(
          new ConfigException(
              OneLine.of(
                  PlacementKeys.MAPPING_HOSTS
                      + " = '"
                      + text
                      + "' is not allowed; use "
                      + PlacementKeys.MAPPING_HOSTS.range())));
    }
  }

  /** Publishes and logs that the mapping is in use; outside daemons it says nothing. */
  void announce() {
    if (role.daemon()) {
      start.announce(
          NodeGroupMapping.class, State.ACTIVE, start.reason(), settings.inForce(), log::info);
    }
  }
}
