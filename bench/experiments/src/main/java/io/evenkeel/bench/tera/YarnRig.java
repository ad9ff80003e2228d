package io.evenkeel.bench.tera;

import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.terasort.BlockTeraValidate;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * HDFS and YARN of one host with a job history, and a sorted data set. Tasks are JVMs of their own,
 * two at a time. Confined to one thread.
 */
final class YarnRig implements AutoCloseable {
  /** Map tasks of each job, and partitions of the data set. */
  static final int TASKS = 4;

  private static final Path INPUT = new Path("/sorted");
  private static final int RECORD = 100;

  private final java.nio.file.Path dir;
  private final MiniDFSCluster hdfs;
  private final OneHostYarn yarn;
  private int runs;

  /**
   * What one job took.
   *
   * @param launchedSeconds sum over map tasks, from the launch of the container to the end
   * @param mapSeconds the same from when the task's JVM was up
   * @param cpuSeconds processor time of all task processes
   * @param seconds elapsed, from the command's start to its end
   */
  record Run(
      int maps, double launchedSeconds, double mapSeconds, double cpuSeconds, double seconds) {}

  private YarnRig(java.nio.file.Path dir, MiniDFSCluster hdfs, OneHostYarn yarn) {
    this.dir = dir;
    this.hdfs = hdfs;
    this.yarn = yarn;
  }

  static YarnRig start() throws IOException, InterruptedException {
    java.nio.file.Path dir = Files.createTempDirectory("terasort");
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.setLong("dfs.blocksize", 64 << 20);
    conf.setInt("dfs.replication", 1);
    MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    boolean started = false;
    try {
      hdfs.waitActive();
      configure(conf);
      YarnRig rig = new YarnRig(dir, hdfs, new OneHostYarn(dir.resolve("yarn"), conf));
      started = true;
      return rig;
    } finally {
      if (!started) {
        hdfs.shutdown();
      }
    }
  }

  private static void configure(Configuration conf) {
    String opens =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(arg -> arg.startsWith("--add-opens="))
            .collect(Collectors.joining(" "));
    conf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    conf.set("yarn.nodemanager.resource.memory-mb", "4096");
    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
    conf.set("yarn.nodemanager.pmem-check-enabled", "false");
    conf.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    conf.set("mapreduce.job.running.map.limit", "2");
    conf.set("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
    conf.set("mapreduce.map.speculative", "false");
    conf.set("mapreduce.map.memory.mb", "1024");
    conf.set("mapreduce.reduce.memory.mb", "1024");
    conf.set("mapreduce.map.java.opts", "-Xmx512m " + opens);
    conf.set("mapreduce.reduce.java.opts", "-Xmx512m " + opens);
    conf.set("yarn.app.mapreduce.am.resource.mb", "1024");
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx512m " + opens);
    conf.set("mapreduce.client.completion.pollinterval", "200");
    conf.set("mapreduce.client.progressmonitor.pollinterval", "200");
  }

  /** Writes sorted partitions of {@code bytes} in all. */
  void write(long bytes) throws IOException {
    FileSystem fs = hdfs.getFileSystem();
    ByteBuffer record = ByteBuffer.allocate(RECORD);
    new Random(1).nextBytes(record.array());
    for (int i = 0; i < TASKS; i++) {
      Path path = new Path(INPUT, String.format("part-r-%05d", i));
      try (OutputStream out = new BufferedOutputStream(fs.create(path), 1 << 20)) {
        for (long n = 0; n < bytes / TASKS / RECORD; n++) {
          record.putLong(0, ((long) i << 40) + n);
          out.write(record.array());
        }
      }
    }
  }

  /** Runs stock's validator as a user does. */
  Run stock() throws Exception {
    return run(new TeraValidate());
  }

  /** Runs ours as a user does. */
  Run evenkeel() throws Exception {
    return run(new BlockTeraValidate(System.err, System.err));
  }

  private Run run(Tool tool) throws Exception {
    Configuration conf = yarn.conf();
    conf.set("fs.defaultFS", hdfs.getFileSystem().getUri().toString());
    String[] args = {INPUT.toString(), "/report" + runs++};
    long start = System.nanoTime();
    int code = ToolRunner.run(conf, tool, args);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (code != 0) {
      throw new IOException(tool.getClass() + " ended with " + code);
    }
    Cluster cluster = new Cluster(conf);
    try {
      JobStatus last =
          Arrays.stream(cluster.getAllJobStatuses())
              .max(Comparator.comparing(JobStatus::getJobID))
              .orElseThrow(() -> new IOException("no job"));
      return measured(cluster.getJob(last.getJobID()), seconds);
    } finally {
      cluster.close();
    }
  }

  private Run measured(Job job, double seconds) throws IOException, InterruptedException {
    TaskReport[] maps = job.getTaskReports(TaskType.MAP);
    long millis =
        Arrays.stream(maps).mapToLong(map -> map.getFinishTime() - map.getStartTime()).sum();
    long cpu = job.getCounters().findCounter(TaskCounter.CPU_MILLISECONDS).getValue();
    String application = job.getJobID().toString().replaceFirst("^job", "application");
    double running = TaskLogs.mapSeconds(dir.resolve("yarn/log"), application, maps.length);
    return new Run(maps.length, millis / 1e3, running, cpu / 1e3, seconds);
  }

  @Override
  public void close() throws IOException {
    yarn.close();
    hdfs.shutdown();
    Trees.delete(dir);
  }
}
