package io.evenkeel.bench.embedded;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Hadoop keys of MapReduce jobs on {@link EmbeddedYarn}, in one place as those of the daemons
 * are in {@link EmbeddedSettings}. Stateless.
 */
public final class EmbeddedJobs {
  // Starting a container costs more than its work: as few tasks as still give several writers.
  private static final int MAPS = 3;
  private static final int REDUCES = 3;
  private static final long MEBI = 1L << 20;

  /** What each JVM of a job is given beside its heap and what it needs to run at all. */
  private static final String JVM_ARGS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto";

  private EmbeddedJobs() {}

  /** Block size that gives each TeraSort directory about 128 blocks, in whole MiB. */
  public static long blockSize(long sizeBytes) {
    return Math.max(1, sizeBytes / 128 / MEBI) * MEBI;
  }

  /**
   * Keys of the jobs of {@code sizeBytes}, on top of their HDFS's client configuration.
   *
   * @param dir receives a jar that names the class path
   * @param hostsFile from {@link HostPlan#writeHostsFile}, for the JVMs of the tasks
   */
  public static Map<String, String> of(HostPlan plan, long sizeBytes, Path dir, Path hostsFile)
      throws IOException {
    String jvmArgs =
        Stream.concat(inheritedJvmArgs(), Stream.of(JVM_ARGS, "-Djdk.net.hosts.file=" + hostsFile))
            .collect(Collectors.joining(" "));
    String classPath = pathingJar(dir).toString();
    Map<String, String> map = tuning(sizeBytes);
    map.put("mapreduce.framework.name", "yarn");
    map.put("yarn.app.mapreduce.am.staging-dir", "/staging");
    map.put("mapreduce.application.classpath", classPath);
    map.put("yarn.application.classpath", classPath);
    map.putAll(jvms(jvmArgs));
    if (plan.ownAddresses()) {
      // A task connects from its VM's address, and shares no connection with another VM's tasks.
      map.putAll(EmbeddedSettings.boundTo("${env.EVENKEEL_ADDRESS:-127.0.0.1}"));
      map.put("dfs.client.context", "${env.EVENKEEL_ADDRESS:-client}");
    }
    return map;
  }

  private static Map<String, String> jvms(String jvmArgs) {
    return Map.of(
        "mapreduce.map.java.opts", "-Xmx256m " + jvmArgs,
        "mapreduce.reduce.java.opts", "-Xmx256m " + jvmArgs,
        "yarn.app.mapreduce.am.command-opts", "-Xmx384m " + jvmArgs);
  }

  /** What this JVM was given for Hadoop's sake, heap and system properties aside. */
  private static Stream<String> inheritedJvmArgs() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            arg ->
                arg.startsWith("--add-opens=")
                    || arg.startsWith("-Djava.net.")
                    || arg.equals("-XX:-UsePerfData"));
  }

  /** One jar whose manifest names the whole class path: container scripts stay short. */
  private static Path pathingJar(Path dir) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    String entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" "));
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, entries);
    Path jar = dir.resolve("mapreduce-classpath.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  /** Those of them that could change what a comparison shows. */
  public static Map<String, String> tuning(long sizeBytes) {
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
    map.putAll(jvms(JVM_ARGS));
    return map;
  }

  /** What a job that only warms up is given on top: one task of each kind. */
  public static Map<String, String> warmUp() {
    return Map.of("mapreduce.job.maps", "1", "mapreduce.job.reduces", "1");
  }
}
