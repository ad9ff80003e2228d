package io.evenkeel.bench.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The keys of YARN and MapReduce in a cluster of small processes. Apart from {@link Plan}, which is
 * the same without YARN. Pure; thread-safe.
 */
final class YarnKeys {
  static final String RM_ADDRESS = "yarn.resourcemanager.address";

  private YarnKeys() {}

  /** ResourceManager addresses; the function gives host:port for a preferred port. */
  static Map<String, String> resourceManager(IntFunction<String> local) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("yarn.resourcemanager.hostname", "localhost");
    keys.put(RM_ADDRESS, local.apply(8032));
    keys.put("yarn.resourcemanager.scheduler.address", local.apply(8030));
    keys.put("yarn.resourcemanager.resource-tracker.address", local.apply(8031));
    keys.put("yarn.resourcemanager.admin.address", local.apply(8033));
    keys.put("yarn.resourcemanager.webapp.address", local.apply(8088));
    keys.put("yarn.scheduler.minimum-allocation-mb", "256");
    keys.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    return keys;
  }

  /** One NodeManager that goes by the name of the DataNode of its VM. */
  static Map<String, String> nodeManager(String host, int port, IntUnaryOperator ports) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("yarn.nodemanager.hostname", host);
    keys.put("yarn.nodemanager.address", host + ":" + port);
    keys.put("yarn.nodemanager.localizer.address", host + ":" + ports.applyAsInt(8040));
    keys.put("yarn.nodemanager.webapp.address", host + ":" + ports.applyAsInt(8042));
    keys.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    keys.put("yarn.nodemanager.resource.memory-mb", "1536");
    keys.put("yarn.nodemanager.resource.cpu-vcores", "2");
    keys.put("yarn.nodemanager.vmem-check-enabled", "false");
    keys.put("yarn.nodemanager.pmem-check-enabled", "false");
    keys.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    return keys;
  }

  /** What a MapReduce job needs; nothing is installed, so its class path names every jar. */
  static Map<String, String> jobs(Path dir, List<Path> classpath) {
    String marks = " " + String.join(" ", Processes.marks(dir, "task"));
    String path = String.join(",", classpath.stream().map(Path::toString).toList());
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("mapreduce.framework.name", "yarn");
    keys.put("yarn.application.classpath", path);
    keys.put("mapreduce.application.classpath", classpath.get(0).toString());
    keys.put("yarn.app.mapreduce.am.resource.mb", "512");
    keys.put("yarn.app.mapreduce.am.command-opts", "-Xmx256m" + marks);
    keys.put("mapreduce.map.memory.mb", "512");
    keys.put("mapreduce.reduce.memory.mb", "512");
    keys.put("mapreduce.map.java.opts", "-Xmx300m" + marks);
    keys.put("mapreduce.reduce.java.opts", "-Xmx300m" + marks);
    keys.put("mapreduce.task.io.sort.mb", "64");
    return keys;
  }

  /** Environment of every container: JVM options that only its NodeManager knows. */
  static String environment(Path dir, String address) {
    return "JDK_JAVA_OPTIONS=-Devenkeel.bench.address="
        + address
        + " @"
        + dir.resolve("conf/task.args");
  }

  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
