package io.evenkeel.bench.embedded;

import io.evenkeel.bench.net.LoopbackSocketFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The Hadoop keys of clusters in this JVM, in one place. Stateless. */
public final class EmbeddedSettings {
  private EmbeddedSettings() {}

  /** What both HDFS and YARN share: names, topology, directories. */
  private static Map<String, String> common(HostPlan plan, Path work) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("hadoop.tmp.dir", work.resolve("tmp").toString());
    map.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.StaticMapping");
    map.put(EmbeddedHdfs.NODE_MAPPING, plan.nodeMapping());
    map.put("hadoop.http.filter.initializers", "");
    map.put("ipc.client.connect.max.retries", "3");
    return map;
  }

  /** Keys of every HDFS, stock's and Evenkeel's. */
  static Map<String, String> hdfs(HostPlan plan, Path work) {
    Map<String, String> map = common(plan, work);
    map.putAll(tuning());
    return map;
  }

  /** Those of them that could change what a comparison shows. */
  public static Map<String, String> tuning() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("dfs.replication", "3");
    map.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    map.put("dfs.heartbeat.interval", "1");
    map.put("dfs.namenode.safemode.extension", "0");
    map.put("dfs.namenode.resource.du.reserved", "0");
    map.put("dfs.namenode.edits.noeditlogchannelflush", "true");
    map.put("dfs.datanode.directoryscan.interval", "-1");
    map.put("dfs.block.scanner.volume.bytes.per.second", "0");
    map.put("dfs.blockreport.intervalMsec", "3600000");
    return map;
  }

  /** Keys of the ResourceManager and the NodeManagers. */
  public static Map<String, String> yarn(HostPlan plan, Path work) {
    Map<String, String> map = common(plan, work);
    map.put("fs.defaultFS", "file:///");
    map.put("yarn.is.minicluster", "true");
    for (String address :
        new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."}) {
      map.put("yarn.resourcemanager." + address + "address", "localhost:0");
    }
    map.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    map.put("yarn.scheduler.capacity.root.queues", "default");
    map.put("yarn.scheduler.capacity.root.default.capacity", "100");
    map.putAll(yarnTuning(plan));
    map.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    map.put("yarn.nodemanager.vmem-check-enabled", "false");
    map.put("yarn.nodemanager.pmem-check-enabled", "false");
    map.put("yarn.nodemanager.container-monitor.enabled", "false");
    map.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    map.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    map.put(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "org.apache.hadoop.mapred.ShuffleHandler");
    map.put("mapreduce.shuffle.port", "0");
    return map;
  }

  /** Those of them that could change what a comparison shows. */
  public static Map<String, String> yarnTuning(HostPlan plan) {
    Map<String, String> map = new LinkedHashMap<>();
    // For both arms: a task waits one round of heartbeats for a host that has its data. Stock's
    // delay is that of the request's few containers, so that small jobs run anywhere.
    String round = String.valueOf(plan.vms().size());
    map.put("yarn.scheduler.capacity.node-locality-delay", round);
    map.put("yarn.scheduler.capacity.rack-locality-additional-delay", round);
    map.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
    map.put("yarn.scheduler.minimum-allocation-mb", "128");
    map.put("yarn.nodemanager.resource.memory-mb", "1024");
    map.put("yarn.nodemanager.resource.cpu-vcores", "4");
    return map;
  }

  /** Keys that make a JVM's Hadoop connections leave from an address. */
  public static Map<String, String> boundTo(String address) {
    return Map.of(
        "hadoop.rpc.socket.factory.class.default",
        LoopbackSocketFactory.class.getName(),
        LoopbackSocketFactory.ADDRESS,
        address);
  }
}
