package io.evenkeel.common.plugin;

import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One start of a plugin: the settings it read, whether its jar fits the Hadoop that runs, and its
 * start line. Made by {@link PluginModule#startOrFail}. Immutable.
 */
public final class PluginStart {
  private final PluginModule module;
  private final Fit hadoop;
  private final Settings settings;

  PluginStart(PluginModule module, Fit hadoop, Settings settings) {
    this.module = module;
    this.hadoop = hadoop;
    this.settings = settings;
  }

  public Settings settings() {
    return settings;
  }

  /** Whether the jar does not fit this Hadoop and the operator does not allow that. */
  public boolean isReleaseRefused() {
    return !hadoop.problems().isEmpty() && !settings.get(module.allowUntested);
  }

  /**
   * A reason for the start line: what of Hadoop does not fit, if anything, then the others.
   *
   * @param others left out where empty
   */
  public String reason(String... others) {
    StringBuilder reason = new StringBuilder();
    reason.append(hadoop.explain());
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
    return reason(instead) + hadoop.advice() + "; the last resort is " + lastResort();
  }

  /** Why a plugin that does nothing instead refuses the release, and the key that allows it. */
  public String releaseRefusal() {
    return hadoop.explain() + hadoop.advice() + "; the last resort is to set " + lastResort();
  }

  private String lastResort() {
    return module.allowUntested + "=true";
  }

  /** The end of the start line: what was looked at, when that fits and it is active. */
  public String proved(State state) {
    boolean fits = hadoop.problems().isEmpty() && !hadoop.lookedAt().isEmpty();
    return fits && state != State.FALLBACK ? "; proved by " + hadoop.lookedAt() : "";
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
    Report report = Report.of(state, reason, hadoop.hadoopVersion(), inForce, settings.defaults());
    PluginStatus status = PluginStatus.publish(module.name, plugin, report);
    log.accept(status.startLine() + proved(state));
    return status;
  }
}
