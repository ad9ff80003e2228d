package io.evenkeel.common.plugin;

/**
 * What a daemon reports about one Evenkeel plugin. Attribute names are API. An interface of its own
 * because a standard MXBean needs a public one.
 */
public interface PluginMXBean {
  /** Short name of the module, for example {@code volume-policy}. */
  String getModule();

  /** Fully qualified class the operator named. */
  String getPluginClass();

  /** Version of the jar. */
  String getVersion();

  /** {@code active}, {@code observe} or {@code fallback}. */
  String getState();

  /** Why it is in that state, empty when active as configured. */
  String getReason();

  /** Version of the Hadoop it runs in. */
  String getHadoopVersion();

  /** Settings in force, each as {@code key=value}, in the order of the documentation. */
  String[] getSettings();

  /** Those of them that differ from their defaults. */
  String[] getChangedSettings();

  /** What an operator should look at, one sentence each; empty when there is nothing. */
  String[] getFindings();
}
