package io.evenkeel.common.plugin;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Proof;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What all plugins of one module start with: its keys, and whether its jar fits the Hadoop beside
 * it. Thread-safe.
 */
public final class PluginModule {
  final String name;
  final Key<Boolean> allowUntested;
  private final KeyTable keys;
  private final Class<?> anchor;

  /** Looked for once, of no version; guarded by this. */
  private Fit fit;

  /**
   * Declares a module.
   *
   * @param name as {@link PluginMXBean#getModule} shows it
   * @param anchor a class of its jar
   * @param allowUntested the key of {@code keys} with which an operator allows other releases
   */
  public PluginModule(String name, Class<?> anchor, KeyTable keys, Key<Boolean> allowUntested) {
    this.name = name;
    this.anchor = anchor;
    this.keys = keys;
    this.allowUntested = allowUntested;
  }

  /**
   * Whether the module's jar fits the Hadoop on its class path. The first call reads class files,
   * which takes up to a second; it loads none, and leaves no thread.
   *
   * @param hadoopVersion what that Hadoop calls itself
   */
  public synchronized Fit fit(String hadoopVersion) {
    if (fit == null) {
      fit = find();
    }
    return new Fit(hadoopVersion, fit.problems(), fit.lookedAt());
  }

  private Fit find() {
    long begin = System.nanoTime();
    String shortName = allowUntested.name().split("[.]")[1];
    try {
      Path jar = Paths.get(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
      Audit audit = Audit.of(anchor, "/io/evenkeel/" + shortName + "/audited.txt");
      Proof proof = Proof.of(jar, anchor.getClassLoader(), audit);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      return new Fit(null, proof.problems(), proof.lookedAt() + " in " + millis + " ms");
    } catch (IOException | URISyntaxException | RuntimeException | LinkageError e) {
      String problem = OneLine.of("it could not be looked at: " + e);
      return new Fit(null, Collections.singletonList(problem), "");
    }
  }

  /**
   * Reads the configuration of a daemon.
   *
   * @param hadoop as {@link #fit} found it
   * @param entries all entries, as {@link KeyTable#readOrFail} has it
   * @param get looks a name up
   * @param warn told about unknown keys when those only warn
   * @throws ConfigException naming each bad key, its value and range
   */
  public PluginStart startOrFail(
      Fit hadoop,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoop, keys.readOrFail(entries, get, warn));
  }

  /** The same where nothing may fail because of a bad key: it warns, and its default is used. */
  public PluginStart startOrWarn(
      Fit hadoop,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoop, keys.readOrWarn(entries, get, warn));
  }
}
