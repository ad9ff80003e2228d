package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.terasort.HdfsFixture.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Validation by real MapReduce, with attempts that fail, die, are killed and are overtaken. */
@Tag("slow")
@Timeout(900)
class MapReduceValidationIT {
  private static final int RECORDS = 3000;

  private static HdfsFixture hdfs;
  private static MiniMRYarnCluster yarn;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    java.nio.file.Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    hdfs = HdfsFixture.start(Files.createTempDirectory(base.toAbsolutePath(), "mapreduce"), 3);
    Configuration own = hdfs.conf();
    own.unset("mapreduce.framework.name");
    own.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    own.set("yarn.nodemanager.resource.memory-mb", "4096");
    own.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    own.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    yarn = new MiniMRYarnCluster("validation", 1);
    yarn.init(own);
    yarn.start();
    conf = new Configuration(yarn.getConfig());
    conf.set("fs.defaultFS", hdfs.fs().getUri().toString());
    conf.set("fs.hdfs.impl", TroubledFileSystem.class.getName());
    conf.set("evenkeel.terasort.split.per-host", "8");
    conf.set("evenkeel.terasort.split.least-bytes", "0"); // many tasks for little data
    for (String task : new String[] {"map", "reduce"}) {
      conf.set("mapreduce." + task + ".memory.mb", "384");
      conf.set(
          "mapreduce." + task + ".java.opts",
          "-Xmx256m -XX:+UseSerialGC " + String.join(" ", opens()));
    }
    conf.set("yarn.app.mapreduce.am.resource.mb", "768");
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx512m " + String.join(" ", opens()));
    conf.setBoolean("mapreduce.reduce.speculative", false);
  }

  private static List<String> opens() {
    return java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(arg -> arg.startsWith("--add-opens="))
        .toList();
  }

  @AfterAll
  static void stop() {
    yarn.stop();
    hdfs.close();
  }

  /** Speculation that does not wait for statistics of long jobs. */
  private static Configuration troubled() {
    Configuration troubled = new Configuration(conf);
    troubled.setBoolean(TroubledFileSystem.TROUBLE, true);
    troubled.setBoolean("mapreduce.map.speculative", true);
    troubled.setLong("mapreduce.job.speculative.retry-after-no-speculate", 500);
    troubled.setLong("mapreduce.job.speculative.retry-after-speculate", 500);
    troubled.setDouble("mapreduce.job.speculative.slowtaskthreshold", 0.1);
    troubled.setInt("mapreduce.job.speculative.minimum-allowed-tasks", 4);
    return troubled;
  }

  /** Kills first attempts of every fourth task while the job runs; returns the job. */
  private static Job killSome(Cluster cluster, Future<Outcome> run) throws Exception {
    Job job = null;
    while (!run.isDone()) {
      for (JobStatus status : cluster.getAllJobStatuses()) {
        if (!status.isJobComplete() && job == null) {
          job = cluster.getJob(status.getJobID());
        }
      }
      if (job != null && !job.isComplete()) {
        for (TaskReport report : job.getTaskReports(TaskType.MAP)) {
          kill(job, report);
        }
      }
      Await.pause(200);
    }
    return job;
  }

  private static void kill(Job job, TaskReport report) throws IOException, InterruptedException {
    if (report.getCurrentStatus() != TIPStatus.RUNNING
        || report.getTaskID().getId() % TroubledFileSystem.KINDS != 3) {
      return;
    }
    for (TaskAttemptID attempt : report.getRunningTaskAttemptIds()) {
      if (attempt.getId() == 0) {
        job.killTask(attempt);
      }
    }
  }

  private static Map<TaskCompletionEvent.Status, Integer> events(Job job) throws Exception {
    Map<TaskCompletionEvent.Status, Integer> counts = new TreeMap<>();
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 1000)) {
      counts.merge(event.getStatus(), 1, Integer::sum);
    }
    return counts;
  }

  private static Outcome runTroubled(Path input) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Cluster cluster = new Cluster(conf);
    try {
      Future<Outcome> run = thread.submit(() -> hdfs.ours(troubled(), input.toString()));
      Job job = killSome(cluster, run);
      Map<TaskCompletionEvent.Status, Integer> events = events(job);
      assertThat(events.getOrDefault(TaskCompletionEvent.Status.FAILED, 0)).isPositive();
      assertThat(events.getOrDefault(TaskCompletionEvent.Status.KILLED, 0)).isPositive();
      System.out.println("attempts of the troubled run: " + events);
      return run.get();
    } finally {
      cluster.close();
      thread.shutdownNow();
    }
  }

  @Test
  void sortedData_failedKilledAndOvertakenAttempts_changeNothing() throws Exception {
    Path input = new Path("/sorted");
    hdfs.write(input, DataSets.sorted(RECORDS, 1), 3);
    Outcome quiet = hdfs.ours(new Configuration(conf), input.toString());
    Outcome troubled = runTroubled(input);
    assertThat(troubled.err()).isEmpty();
    assertThat(troubled.report())
        .isEqualTo(quiet.report())
        .isEqualTo(hdfs.stock(input).report())
        .hasSize(1);
    assertThat(troubled.out().lines().findFirst()).isEqualTo(quiet.out().lines().findFirst());
    assertThat(List.of(quiet.code(), troubled.code())).containsOnly(0);
  }

  @Test
  void damagedData_failedKilledAndOvertakenAttempts_changeNothing() throws Exception {
    Path input = new Path("/damaged");
    List<byte[]> records = DataSets.sorted(RECORDS, 2);
    for (int at : new int[] {5, HdfsFixture.BLOCK / 100, 999, 2500}) {
      Collections.swap(records, at, at + 1);
    }
    hdfs.write(input, records, 3);
    Outcome quiet = hdfs.ours(new Configuration(conf), input.toString());
    Outcome troubled = runTroubled(input);
    assertThat(troubled.report())
        .containsExactlyInAnyOrderElementsOf(quiet.report())
        .containsExactlyInAnyOrderElementsOf(hdfs.stock(input).report());
    assertThat(quiet.report().size()).isGreaterThan(3);
    assertThat(List.of(quiet.code(), troubled.code())).containsOnly(2);
  }

  /** A client does not tell the NameNode that all replicas are bad; the task's exception does. */
  @Test
  void everyReplicaCorrupt_noVerdictAndTheFileIsNamed() throws Exception {
    Path input = new Path("/corrupt");
    hdfs.write(input, DataSets.sorted(RECORDS, 3), 3);
    Path bad = HdfsFixture.part(input, 2);
    LocatedBlock block = hdfs.blocks(bad).get(1);
    for (int i = 0; i < 3; i++) {
      java.nio.file.Path replica = hdfs.cluster().getBlockFile(i, block.getBlock()).toPath();
      byte[] bytes = Files.readAllBytes(replica);
      bytes[150] ^= 1;
      Files.write(replica, bytes);
    }
    Outcome outcome = hdfs.ours(new Configuration(conf), input.toString());
    assertThat(outcome.err()).contains("no verdict", bad.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.report()).isEmpty();
  }
}
