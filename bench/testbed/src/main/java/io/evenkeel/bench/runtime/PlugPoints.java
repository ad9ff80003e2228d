package io.evenkeel.bench.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

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
              "dfs.block.replicator.classname",
              Map.of(
                  "dfs.block.placement.ec.classname",
                  "io.evenkeel.placement.UniformStripedBlockPlacementPolicy",
                  "dfs.use.dfs.network.topology",
                  "false",
                  "net.topology.impl",
                  "org.apache.hadoop.net.NetworkTopologyWithNodeGroup")),
          new Module(
              "volume",
              "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy",
              "dfs.datanode.fsdataset.volume.choosing.policy"),
          new Module(
              "locking",
              "io.evenkeel.locking.FineGrainedDatasetFactory",
              "dfs.datanode.fsdataset.factory"),
          new Module("mover", "io.evenkeel.mover.FileMover", ""),
          new Module("terasort", "io.evenkeel.terasort.BlockTeraValidate", ""));

  /**
   * One module: its short name, its entry class, the key that names that class, if any, and what
   * else is set with it where locations are {@code /rack/host}.
   */
  private record Module(String name, String entryClass, String key, Map<String, String> with) {
    Module(String name, String entryClass, String key) {
      this(name, entryClass, key, Map.of());
    }

    String resource() {
      return entryClass.replace('.', '/') + ".class";
    }
  }

  private PlugPoints() {}

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

  /**
   * What to set for one module in daemons of this JVM.
   *
   * @throws IllegalStateException when its class is not there
   */
  public static Map<String, String> of(String module) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (Module each : ALL) {
      if (each.name().equals(module)) {
        if (!onOwnClassPath(each.resource())) {
          throw new IllegalStateException(each.entryClass() + " is not on the class path");
        }
        if (!each.key().isEmpty()) {
          keys.put(each.key(), each.entryClass());
          keys.putAll(each.with());
        }
      }
    }
    return keys;
  }

  /**
   * Keys of stock's policy for node groups, with the topology that ours needs as well.
   *
   * @throws IllegalStateException when our class is not there
   */
  public static Map<String, String> withNodeGroup() {
    Map<String, String> keys = of("placement");
    keys.put(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup");
    keys.remove("dfs.block.placement.ec.classname");
    return keys;
  }

  private static boolean onOwnClassPath(String resource) {
    return PlugPoints.class.getClassLoader().getResource(resource) != null;
  }

  private static Map<String, String> settings(Predicate<String> present) {
    Map<String, String> map = new LinkedHashMap<>();
    for (Module module : ALL) {
      if (!module.key().isEmpty() && present.test(module.resource())) {
        map.put(module.key(), module.entryClass());
        map.putAll(module.with());
      }
    }
    return map;
  }

  /**
   * Each module with its state in this JVM, in the schema of the demo's report: what the module
   * itself says in JMX, since a class that is there need not be active. A command says nothing in
   * JMX: it is active when it was used.
   *
   * @param used short names of the modules whose commands were used
   */
  public static List<Map<String, Object>> states(Set<String> used) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Module module : ALL) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("module", module.name());
      if (onOwnClassPath(module.resource())) {
        row.put("plugin", module.entryClass());
        row.putAll(
            module.key().isEmpty()
                ? command(used.contains(module.name()))
                : published(module.entryClass()));
      } else {
        row.put("state", "not built");
      }
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> command(boolean used) {
    return used
        ? Map.of("state", "active", "detail", "a command, used in this run")
        : Map.of("state", "not used", "detail", "a command; nothing loads it");
  }

  private static Map<String, Object> published(String entryClass) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      for (ObjectName bean : server.queryNames(new ObjectName("io.evenkeel:type=Plugin,*"), null)) {
        if (entryClass.equals(server.getAttribute(bean, "PluginClass"))) {
          return Map.of(
              "state", server.getAttribute(bean, "State"),
              "detail", server.getAttribute(bean, "Reason"));
        }
      }
    } catch (JMException e) {
      return Map.of("state", "not loaded", "detail", e.toString());
    }
    return Map.of("state", "not loaded");
  }
}
