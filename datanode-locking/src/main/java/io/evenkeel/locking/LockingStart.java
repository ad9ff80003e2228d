package io.evenkeel.locking;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.common.version.SupportedVersions.Verdict;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;

/**
 * What the factory does first: read and check the keys, decide whether the release is known, and
 * say so once. Immutable.
 */
final class LockingStart {
  private final Logger log;
  private final String hadoopVersion;
  private final Settings settings;
  private final boolean untested;

  private LockingStart(Logger log, String hadoopVersion, Settings settings) {
    this.log = log;
    this.hadoopVersion = hadoopVersion;
    this.settings = settings;
    this.untested = LockingKeys.SUPPORTED.check(hadoopVersion) != Verdict.TESTED;
  }

  /**
   * Reads and checks the configuration.
   *
   * @throws ConfigException naming key, value and range; logged as well, because the DataNode
   *     reports it as an "unexpected exception"
   */
  static LockingStart read(Logger log, String hadoopVersion, Configuration conf) {
    try {
      Settings settings = LockingKeys.TABLE.read(conf, conf::get, log::warn);
      return new LockingStart(log, hadoopVersion, settings);
    } catch (ConfigException e) {
      log.error("This DataNode cannot start: {}", e.getMessage());
      throw e;
    }
  }

  Settings settings() {
    return settings;
  }

  private boolean switchedOff() {
    return !settings.get(LockingKeys.ENABLED);
  }

  /** Whether the stock dataset must be used. */
  boolean stock() {
    return switchedOff() || (untested && !settings.get(LockingKeys.ALLOW_UNTESTED));
  }

  /**
   * Publishes and logs what was made: a WARN where stock is used against the operator's wish.
   *
   * @param problem what else is the reason, or an empty text
   */
  void announce(State state, String problem) {
    String reason = untested ? LockingKeys.SUPPORTED.explain(hadoopVersion) : "";
    if (switchedOff()) {
      reason = LockingKeys.ENABLED.name() + "=false; the stock dataset is used";
    } else if (!problem.isEmpty()) {
      reason += (reason.isEmpty() ? "" : "; ") + problem + "; the stock dataset is used";
    } else if (state == State.FALLBACK) {
      reason += "; the stock dataset is used unless " + LockingKeys.ALLOW_UNTESTED + "=true";
    }
    PluginStatus status =
        PluginStatus.publish(
            "locking",
            FineGrainedDatasetFactory.class,
            Report.of(state, reason, hadoopVersion, settings.inForce()));
    if (state == State.FALLBACK && !switchedOff()) {
      log.warn(status.startLine());
    } else {
      log.info(status.startLine());
    }
  }
}
