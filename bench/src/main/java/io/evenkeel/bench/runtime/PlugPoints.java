package io.evenkeel.bench.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;

/**
 * The modules of Evenkeel as demo and cluster see them: the class an operator names, and the Hadoop
 * key that names it. A module adds its line here when it lands; a key is only set when its class is
 * really there. Stateless.
 */
public final class PlugPoints {
  private static final List<Module> ALL =
      List.of(
          new Module(
              "placement",
              "io.evenkeel.placement.UniformBlockPlacementPolicy",
              "dfs.block.replicator.classname"),
          new Module(
              "volume",
              "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy",
              "dfs.datanode.fsdataset.volume.choosing.policy"),
          new Module(
              "locking",
              "io.evenkeel.locking.FineGrainedDatasetFactory",
              "dfs.datanode.fsdataset.factory"),
          new Module("mover", "io.evenkeel.mover.FileMover", ""),
          new Module("terasort", "io.evenkeel.terasort.BlockTeraValidate", ""));

  /** One module: its short name, its entry class and the key that names that class, if any. */
  private record Module(String name, String entryClass, String key) {
    String resource() {
      return entryClass.replace('.', '/') + ".class";
    }
  }

  private PlugPoints() {}

  /** The stock keys through which modules plug in. */
  public static List<String> keys() {
    return ALL.stream().map(Module::key).filter(key -> !key.isEmpty()).toList();
  }

  /** What to set when these jars are on a daemon's class path. */
  public static Map<String, String> in(List<Path> jars) {
    Set<String> entries = new HashSet<>();
    for (Path jar : jars) {
      try (JarFile file = new JarFile(jar.toFile())) {
        file.stream().forEach(entry -> entries.add(entry.getName()));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + jar, e);
      }
    }
    return settings(entries::contains);
  }

  /** What to set for daemons in this JVM. */
  public static Map<String, String> onClassPath() {
    return settings(PlugPoints::onOwnClassPath);
  }

  private static boolean onOwnClassPath(String resource) {
    return PlugPoints.class.getClassLoader().getResource(resource) != null;
  }

  private static Map<String, String> settings(Predicate<String> present) {
    Map<String, String> map = new LinkedHashMap<>();
    for (Module module : ALL) {
      if (!module.key().isEmpty() && present.test(module.resource())) {
        map.put(module.key(), module.entryClass());
      }
    }
    return map;
  }

  /** Each module with its state on this JVM's class path, in the schema of the demo's report. */
  public static List<Map<String, Object>> states() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Module module : ALL) {
      Map<String, Object> row = new LinkedHashMap<>();
      boolean built = onOwnClassPath(module.resource());
      row.put("module", module.name());
      row.put("state", built ? "active" : "not built");
      if (built) {
        row.put("plugin", module.entryClass());
      }
      rows.add(row);
    }
    return rows;
  }
}
