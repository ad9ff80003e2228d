package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.terasort.BlockTeraValidate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.service.ServiceOperations;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * HDFS and YARN of one host with a job history, and a sorted data set. Tasks are JVMs of their own,
 * two at a time. Apart from {@link YarnExperiment} as {@link TeraCluster} is from others: what runs
 * the jobs, not what is compared. Confined to one thread.
 */
final class YarnCluster implements AutoCloseable {
  /** Map tasks of each job, and partitions of the data set. */
  static final int TASKS = 4;

  private static final Path INPUT = new Path("/sorted");
  private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final String HISTORY = "mapreduce.jobhistory.address";

  private final HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
  private final java.nio.file.Path dir;
  private final TeraCluster hdfs;
  private final Configuration conf;
  private final ResourceManager resourceManager = new ResourceManager();
  private final NodeManager nodeManager = new NodeManager();
  private final JobHistoryServer history = new JobHistoryServer();
  private int runs;

  /**
   * What one job took.
   *
   * @param launchedSeconds sum over map tasks, from the launch of the container to the end
   * @param mapSeconds the same from when the task's JVM was up
   * @param cpuSeconds processor time of all task processes
   * @param seconds elapsed, from the command's start to its end
   */
  record Run(double launchedSeconds, double mapSeconds, double cpuSeconds, double seconds) {}

  /** Starts it. */
  YarnCluster() throws IOException, InterruptedException {
    this(Map.of());
  }

  /** Starts it with other settings of YARN. */
  YarnCluster(Map<String, String> other) throws IOException, InterruptedException {
    dir = Files.createTempDirectory("yarn");
    // the DataNode has the NodeManager's name, so that tasks run beside their blocks
    Map<String, String> names = Map.of("dfs.datanode.hostname", "localhost");
    hdfs = Trees.orDelete(dir, () -> new TeraCluster(plan, 64 << 20, 1, names));
    conf = new YarnConfiguration(hdfs.conf());
    boolean started = false;
    try {
      configureDaemons();
      configureJobs();
      other.forEach(conf::set);
      start();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private void start() throws IOException, InterruptedException {
    resourceManager.init(conf);
    resourceManager.start();
    nodeManager.init(conf);
    nodeManager.start();
    history.init(conf);
    history.start();
    conf.set(HISTORY, history.getConfig().get(HISTORY)); // it keeps its port to itself
    long deadline = System.nanoTime() + START_LIMIT_NANOS;
    while (resourceManager.getResourceScheduler().getNumClusterNodes() < 1) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the NodeManager did not register");
      }
      Thread.sleep(100);
    }
  }

  private void configureDaemons() throws IOException {
    conf.setBoolean("yarn.is.minicluster", true); // tasks get the class path of this JVM
    for (String part : new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."}) {
      conf.set("yarn.resourcemanager." + part + "address", "localhost:0");
    }
    for (String part : new String[] {"", "localizer.", "webapp."}) {
      conf.set("yarn.nodemanager." + part + "address", "localhost:0");
    }
    for (String part : new String[] {"", "webapp.", "admin."}) {
      conf.set("mapreduce.jobhistory." + part + "address", "localhost:0");
    }
    conf.set("mapreduce.shuffle.port", "0");
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    conf.set("yarn.scheduler.minimum-allocation-mb", "128");
    conf.set("yarn.nodemanager.resource.memory-mb", "4096");
    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
    conf.set("yarn.nodemanager.pmem-check-enabled", "false");
    conf.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    conf.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    conf.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "org.apache.hadoop.mapred.ShuffleHandler");
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS, Files.createDirectory(dir.resolve("local")).toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, Files.createDirectory(dir.resolve("log")).toString());
  }

  private void configureJobs() {
    String opens =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(arg -> arg.startsWith("--add-opens="))
            .collect(Collectors.joining(" "));
    conf.set("mapreduce.framework.name", "yarn");
    conf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
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
    for (int i = 0; i < TASKS; i++) {
      hdfs.write(INPUT, i, bytes / TASKS, plan.vms().get(0));
    }
  }

  /** Ours. */
  static Tool blockTeraValidate() {
    return new BlockTeraValidate(System.err, System.err);
  }

  /** Runs a validator as a user does. */
  Run run(Tool tool) throws Exception {
    Configuration job = new Configuration(conf);
    String[] args = {INPUT.toString(), "/report" + runs++};
    long start = System.nanoTime();
    int code = ToolRunner.run(job, tool, args);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (code != 0) {
      throw new IOException(tool.getClass() + " ended with " + code);
    }
    Cluster client = new Cluster(job);
    try {
      JobStatus last =
          Arrays.stream(client.getAllJobStatuses())
              .max(Comparator.comparing(JobStatus::getJobID))
              .orElseThrow(() -> new IOException("no job"));
      return measured(client.getJob(last.getJobID()), seconds);
    } finally {
      client.close();
    }
  }

  private Run measured(Job job, double seconds) throws IOException, InterruptedException {
    TaskReport[] maps = job.getTaskReports(TaskType.MAP);
    if (maps.length != TASKS) {
      throw new IOException(maps.length + " map tasks, not " + TASKS);
    }
    long local = job.getCounters().findCounter(JobCounter.DATA_LOCAL_MAPS).getValue();
    if (local != TASKS) {
      throw new IOException(local + " of " + TASKS + " map tasks ran on the DataNode's host");
    }
    long millis =
        Arrays.stream(maps).mapToLong(map -> map.getFinishTime() - map.getStartTime()).sum();
    long cpu = job.getCounters().findCounter(TaskCounter.CPU_MILLISECONDS).getValue();
    String application = job.getJobID().toString().replaceFirst("^job", "application");
    double running = TaskLogs.mapSeconds(dir.resolve("log"), application, maps.length);
    return new Run(millis / 1e3, running, cpu / 1e3, seconds);
  }

  @Override
  public void close() throws IOException {
    // also those that were not started
    ServiceOperations.stopQuietly(history);
    ServiceOperations.stopQuietly(nodeManager);
    ServiceOperations.stopQuietly(resourceManager);
    hdfs.close();
    Trees.delete(dir);
  }
}
