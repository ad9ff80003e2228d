package io.evenkeel.terasort.config;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a tool checks before it does anything: its keys, and the Hadoop it runs on. Stateless. */
public final class TerasortStart {
  private static final Logger LOG = LoggerFactory.getLogger(TerasortStart.class);

  private TerasortStart() {}

  /**
   * Reads the settings of a tool, and warns where its jar does not fit this Hadoop, unless the
   * operator allows that.
   *
   * @throws ConfigException when a key under {@code evenkeel.terasort.} is unknown or its value bad
   */
  public static Settings strict(Configuration conf) {
    return strict(conf, TerasortKeys.MODULE.fit(VersionInfo.getVersion()));
  }

  static Settings strict(Configuration conf, Fit hadoop) {
    PluginStart start = TerasortKeys.MODULE.startOrFail(hadoop, conf, conf::get, LOG::warn);
    if (start.isReleaseRefused()) {
      LOG.warn("{}", start.releaseRefusal());
    }
    return start.settings();
  }

  /** Reads the settings where a job must not fail because of them: in its tasks, too. */
  public static Settings lenient(Configuration conf) {
    return TerasortKeys.TABLE.readOrWarn(conf, conf::get, LOG::warn);
  }
}
