package io.evenkeel.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/** The Hadoop keys that turn the plugins on; the one list of them. Thread-safe. */
final class PluginKeys {
  /** Key to the class named in it. A key is set only if a jar holds its class. */
  private static final Map<String, String> CLASSES =
      Map.of(
          "dfs.datanode.fsdataset.volume.choosing.policy",
          "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy");

  private PluginKeys() {}

  /** What to set when these jars are on the class path. */
  static Map<String, String> of(List<Path> jars) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (Path jar : jars) {
      try (JarFile file = new JarFile(jar.toFile())) {
        CLASSES.forEach(
            (key, name) -> {
              if (file.getEntry(name.replace('.', '/') + ".class") != null) {
                keys.put(key, name);
              }
            });
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + jar, e);
      }
    }
    return keys;
  }
}
