package io.evenkeel.terasort.config;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.version.SupportedVersions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a tool checks before it does anything: its keys, and the Hadoop it runs on. Stateless. */
public final class TerasortStart {
  private static final Logger LOG = LoggerFactory.getLogger(TerasortStart.class);

  private TerasortStart() {}

  /**
   * Reads the settings of a tool.
   *
   * @throws ConfigException when a key under {@code evenkeel.terasort.} is unknown or its value bad
   */
  public static Settings strict(Configuration conf) {
    Settings settings = TerasortKeys.TABLE.readOrFail(conf, conf::get, LOG::warn);
    warnIfUntested(settings, VersionInfo.getVersion());
    return settings;
  }

  /** Reads the settings where a job must not fail because of them. */
  public static Settings lenient(Configuration conf) {
    Settings settings = TerasortKeys.TABLE.readOrWarn(conf, conf::get, LOG::warn);
    warnIfUntested(settings, VersionInfo.getVersion());
    return settings;
  }

  /** Warns of a release this jar was not tested on, unless the operator allows it; says whether. */
  static boolean warnIfUntested(Settings settings, String release) {
    boolean tested =
        TerasortKeys.SUPPORTED.check(release) == SupportedVersions.Verdict.TESTED
            || settings.get(TerasortKeys.ALLOW_UNTESTED);
    if (!tested) {
      LOG.warn(
          "{}; {}=true silences this",
          TerasortKeys.SUPPORTED.explain(release),
          TerasortKeys.ALLOW_UNTESTED.name());
    }
    return !tested;
  }
}
