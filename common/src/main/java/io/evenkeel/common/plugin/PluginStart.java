package io.evenkeel.common.plugin;

import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.common.version.SupportedVersions.Verdict;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One start of a plugin: the settings it read, whether the release that runs was tested, and its
 * start line. Made by {@link PluginModule#startOrFail}. Immutable.
 */
public final class PluginStart {
  private final PluginModule module;
  private final String hadoopVersion;
  private final Settings settings;
  private final boolean untested;

  PluginStart(PluginModule module, String hadoopVersion, Settings settings) {
    this.module = module;
    this.hadoopVersion = hadoopVersion;
    this.settings = settings;
    this.untested = module.supported.check(hadoopVersion) != Verdict.TESTED;
  }

  public Settings settings() {
    return settings;
  }

  /** Whether the release was not tested and the operator does not allow that. */
  public boolean isReleaseRefused() {
    return untested && !settings.get(module.allowUntested);
  }

  /**
   * A reason for the start line: that the release was not tested, if so, then the others.
   *
   * @param others left out where empty
   */
  public String reason(String... others) {
    StringBuilder reason = new StringBuilder();
    reason.append(untested ? module.supported.explain(hadoopVersion) : "");
    for (String each : others) {
      reason.append(reason.length() == 0 || each.isEmpty() ? "" : "; ").append(each);
    }
    return reason.toString();
  }

  /**
   * The same where {@link #isReleaseRefused}.
   *
   * @param instead what is done instead, for example {@code the stock dataset is used}
   */
  public String refusal(String instead) {
    return reason(instead + " unless " + module.allowUntested + "=true");
  }

  /** Why a plugin that does nothing instead refuses the release, and the key that allows it. */
  public String releaseRefusal() {
    return module.supported.explain(hadoopVersion)
        + "; set "
        + module.allowUntested
        + "=true to use it all the same";
  }

  /**
   * Publishes and logs what this instance does.
   *
   * @param inForce the settings to show
   * @param log the plugin's INFO; its WARN where stock decides against the operator's wish
   */
  public PluginStatus announce(
      Class<?> plugin,
      State state,
      String reason,
      Map<String, String> inForce,
      Consumer<String> log) {
    Report report = Report.of(state, reason, hadoopVersion, inForce, settings.defaults());
    PluginStatus status = PluginStatus.publish(module.name, plugin, report);
    log.accept(status.startLine());
    return status;
  }
}
