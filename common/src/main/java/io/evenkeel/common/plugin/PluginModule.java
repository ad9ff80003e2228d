package io.evenkeel.common.plugin;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.version.SupportedVersions;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What all plugins of one module start with: its keys and the releases it was tested on. Immutable.
 */
public final class PluginModule {
  final String name;
  final SupportedVersions supported;
  final Key<Boolean> allowUntested;
  private final KeyTable keys;

  /**
   * Declares a module.
   *
   * @param name as {@link PluginMXBean#getModule} shows it
   * @param allowUntested the key of {@code keys} with which an operator allows other releases
   */
  public PluginModule(
      String name, KeyTable keys, SupportedVersions supported, Key<Boolean> allowUntested) {
    this.name = name;
    this.keys = keys;
    this.supported = supported;
    this.allowUntested = allowUntested;
  }

  /**
   * Reads the configuration of a daemon.
   *
   * @param entries all entries, as {@link KeyTable#readOrFail} has it
   * @param get looks a name up
   * @param warn told about unknown keys when those only warn
   * @throws ConfigException naming each bad key, its value and range
   */
  public PluginStart startOrFail(
      String hadoopVersion,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoopVersion, keys.readOrFail(entries, get, warn));
  }

  /** The same where nothing may fail because of a bad key: it warns, and its default is used. */
  public PluginStart startOrWarn(
      String hadoopVersion,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoopVersion, keys.readOrWarn(entries, get, warn));
  }
}
