package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedSettings;
import io.evenkeel.bench.embedded.HostPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Hadoop keys of the demo's files and jobs, in one place. Stateless. */
final class DemoSettings {
  // Starting a container costs more than its work: as few tasks as still give several writers.
  private static final int MAPS = 3;
  private static final int REDUCES = 3;
  private static final long MEBI = 1L << 20;

  /** Volumes of every DataNode of the large clusters, in order. */
  static final List<String> STORAGES = List.of("DISK", "DISK", "SSD");

  private DemoSettings() {}

  /** Block size that gives each TeraSort directory about 128 blocks, in whole MiB. */
  static long blockSize(long sizeBytes) {
    return Math.max(1, sizeBytes / 128 / MEBI) * MEBI;
  }

  /** Keys of an HDFS of the demo. */
  static Map<String, String> hdfs(long sizeBytes) {
    Map<String, String> map = EmbeddedSettings.tuning();
    map.put("dfs.blocksize", String.valueOf(blockSize(sizeBytes)));
    return map;
  }

  /** Keys of the jobs, on top of their HDFS's client configuration. */
  static Map<String, String> jobs(HostPlan plan, long sizeBytes, String jvmArgs, String classPath) {
    Map<String, String> map = jobs(sizeBytes);
    map.put("mapreduce.framework.name", "yarn");
    map.put("yarn.app.mapreduce.am.staging-dir", "/staging");
    map.put("mapreduce.application.classpath", classPath);
    map.put("yarn.application.classpath", classPath);
    map.put("mapreduce.map.java.opts", "-Xmx256m " + jvmArgs);
    map.put("mapreduce.reduce.java.opts", "-Xmx256m " + jvmArgs);
    map.put("yarn.app.mapreduce.am.command-opts", "-Xmx384m " + jvmArgs);
    if (plan.ownAddresses()) {
      // A task connects from its VM's address, and shares no connection with another VM's tasks.
      map.putAll(EmbeddedSettings.boundTo("${env.EVENKEEL_ADDRESS:-127.0.0.1}"));
      map.put("dfs.client.context", "${env.EVENKEEL_ADDRESS:-client}");
    }
    return map;
  }

  /** Those of them that could change what a comparison shows. */
  static Map<String, String> jobs(long sizeBytes) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("mapreduce.job.maps", String.valueOf(MAPS));
    map.put("mapreduce.job.reduces", String.valueOf(REDUCES));
    map.put("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
    map.put("mapreduce.map.speculative", "false");
    map.put("mapreduce.reduce.speculative", "false");
    map.put("mapreduce.input.fileinputformat.split.minsize", String.valueOf(sizeBytes / MAPS));
    map.put("mapreduce.terasort.output.replication", "3");
    map.put("mapreduce.task.io.sort.mb", "64");
    map.put("mapreduce.map.memory.mb", "384");
    map.put("mapreduce.reduce.memory.mb", "384");
    map.put("yarn.app.mapreduce.am.resource.mb", "512");
    map.put("mapreduce.client.progressmonitor.pollinterval", "200");
    map.put("mapreduce.client.completion.pollinterval", "200");
    map.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
    map.put("mapreduce.client.submit.file.replication", "3");
    return map;
  }

  /** What a job that only warms up is given on top: one task of each kind. */
  static Map<String, String> warmUp() {
    return Map.of("mapreduce.job.maps", "1", "mapreduce.job.reduces", "1");
  }
}
