package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.common.version.SupportedVersions.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;

/**
 * What every policy of this module does when the DataNode configures it: read and check the keys,
 * decide whether the release is known, and say so once. Immutable.
 */
final class PolicyStart {
  private final Class<?> policy;
  private final String hadoopVersion;
  private final Logger log;
  private final Settings settings;
  private final long keptFree;
  private final boolean untested;

  private PolicyStart(
      Class<?> policy, String hadoopVersion, Logger log, Settings settings, long keptFree) {
    this.policy = policy;
    this.hadoopVersion = hadoopVersion;
    this.log = log;
    this.settings = settings;
    this.keptFree = keptFree;
    this.untested = VolumeKeys.SUPPORTED.check(hadoopVersion) != Verdict.TESTED;
  }

  /**
   * Reads and checks the configuration.
   *
   * @throws ConfigException naming key, value and range; logged as well, because the DataNode
   *     reports it as an "unexpected exception"
   */
  static PolicyStart read(Class<?> policy, Logger log, String hadoopVersion, Configuration conf) {
    try {
      Settings settings = VolumeKeys.TABLE.read(conf, conf::get, log::warn);
      return new PolicyStart(policy, hadoopVersion, log, settings, KeptFree.read(conf));
    } catch (ConfigException e) {
      throw refused(log, e);
    }
  }

  /** Says why the DataNode cannot start; returns the exception to throw. */
  static ConfigException refused(Logger log, ConfigException e) {
    log.error("This DataNode cannot start: {}", e.getMessage());
    return e;
  }

  Settings settings() {
    return settings;
  }

  /** Bytes to keep free beyond the block. */
  long keptFree() {
    return keptFree;
  }

  /** Whether the stock policy must decide, because the release was not tested. */
  boolean stock() {
    return untested && !settings.get(VolumeKeys.ALLOW_UNTESTED);
  }

  /** Publishes and logs what this instance does. */
  State announce(boolean observes) {
    Map<String, String> inForce = new LinkedHashMap<>(settings.inForce());
    inForce.put(KeptFree.KEY, String.valueOf(keptFree));
    String reason = untested ? VolumeKeys.SUPPORTED.explain(hadoopVersion) : "";
    State state = observes ? State.OBSERVE : State.ACTIVE;
    if (stock()) {
      reason += "; the stock round robin decides unless " + VolumeKeys.ALLOW_UNTESTED + "=true";
      state = State.FALLBACK;
    } else if (observes) {
      reason += (reason.isEmpty() ? "" : "; ") + "the stock round robin decides";
    }
    PluginStatus status =
        PluginStatus.publish("volume", policy, Report.of(state, reason, hadoopVersion, inForce));
    if (stock()) {
      log.warn(status.startLine());
    } else {
      log.info(status.startLine());
    }
    return state;
  }
}
