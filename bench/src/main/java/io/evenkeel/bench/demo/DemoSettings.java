package io.evenkeel.bench.demo;

import io.evenkeel.bench.net.LoopbackSocketFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The Hadoop keys of the demo, in one place. Stateless. */
public final class DemoSettings {
  // Starting a container costs more than its work: as few tasks as still give several writers.
  private static final int MAPS = 3;
  private static final int REDUCES = 3;
  private static final long MEBI = 1L << 20;

  private DemoSettings() {}

  /** Block size that gives each TeraSort directory about 128 blocks, in whole MiB. */
  static long blockSize(long sizeBytes) {
    return Math.max(1, sizeBytes / 128 / MEBI) * MEBI;
  }

  /** What both HDFS and YARN share: names, topology, directories. */
  static Map<String, String> common(HostPlan plan, Path work) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("hadoop.tmp.dir", work.resolve("tmp").toString());
    map.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.StaticMapping");
    map.put("hadoop.configured.node.mapping", plan.nodeMapping());
    map.put("hadoop.http.filter.initializers", "");
    map.put("ipc.client.connect.max.retries", "3");
    return map;
  }

  /** Keys of both HDFS clusters. */
  public static Map<String, String> hdfs(HostPlan plan, Path work, long sizeBytes) {
    Map<String, String> map = common(plan, work);
    map.put("dfs.replication", "3");
    map.put("dfs.blocksize", String.valueOf(blockSize(sizeBytes)));
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
  static Map<String, String> yarn(HostPlan plan, Path work) {
    Map<String, String> map = common(plan, work);
    map.put("fs.defaultFS", "file:///");
    map.put("yarn.is.minicluster", "true");
    for (String address :
        new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."}) {
      map.put("yarn.resourcemanager." + address + "address", "localhost:0");
    }
    map.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
    map.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    map.put("yarn.scheduler.capacity.root.queues", "default");
    map.put("yarn.scheduler.capacity.root.default.capacity", "100");
    // For both halves: a task waits one round of heartbeats for a host that has its data. Stock's
    // delay is that of the request's few containers, so that small jobs run anywhere.
    String round = String.valueOf(plan.vms().size());
    map.put("yarn.scheduler.capacity.node-locality-delay", round);
    map.put("yarn.scheduler.capacity.rack-locality-additional-delay", round);
    map.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    map.put("yarn.scheduler.minimum-allocation-mb", "128");
    map.put("yarn.nodemanager.resource.memory-mb", "1024");
    map.put("yarn.nodemanager.resource.cpu-vcores", "4");
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

  /** Keys of the jobs, on top of their HDFS's client configuration. */
  static Map<String, String> jobs(HostPlan plan, long sizeBytes, String jvmArgs, String classPath) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("mapreduce.framework.name", "yarn");
    map.put("yarn.app.mapreduce.am.staging-dir", "/staging");
    map.put("mapreduce.application.classpath", classPath);
    map.put("yarn.application.classpath", classPath);
    map.put("mapreduce.job.maps", String.valueOf(MAPS));
    map.put("mapreduce.job.reduces", String.valueOf(REDUCES));
    map.put("mapreduce.job.running.map.limit", "2");
    map.put("mapreduce.job.running.reduce.limit", "2");
    map.put("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
    map.put("mapreduce.map.speculative", "false");
    map.put("mapreduce.reduce.speculative", "false");
    map.put("mapreduce.input.fileinputformat.split.minsize", String.valueOf(sizeBytes / MAPS));
    map.put("mapreduce.terasort.output.replication", "3");
    map.put("mapreduce.task.io.sort.mb", "64");
    map.put("mapreduce.map.memory.mb", "384");
    map.put("mapreduce.reduce.memory.mb", "384");
    map.put("yarn.app.mapreduce.am.resource.mb", "512");
    map.put("mapreduce.map.java.opts", "-Xmx256m " + jvmArgs);
    map.put("mapreduce.reduce.java.opts", "-Xmx256m " + jvmArgs);
    map.put("yarn.app.mapreduce.am.command-opts", "-Xmx384m " + jvmArgs);
    map.put("mapreduce.client.progressmonitor.pollinterval", "200");
    map.put("mapreduce.client.completion.pollinterval", "200");
    map.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
    map.put("mapreduce.client.submit.file.replication", "3");
    if (plan.ownAddresses()) {
      // A task connects from its VM's address, and shares no connection with another VM's tasks.
      map.putAll(boundTo("${env.EVENKEEL_ADDRESS:-127.0.0.1}"));
      map.put("dfs.client.context", "${env.EVENKEEL_ADDRESS:-client}");
    }
    return map;
  }

  /** What a job that only warms up is given on top: one task of each kind. */
  static Map<String, String> warmUp() {
    return Map.of("mapreduce.job.maps", "1", "mapreduce.job.reduces", "1");
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
