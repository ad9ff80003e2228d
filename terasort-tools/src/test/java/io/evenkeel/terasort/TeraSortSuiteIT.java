package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import io.evenkeel.terasort.suite.Validator;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The suite on a YARN cluster: counters are found, and jobs killed, by the tags of the jobs. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class TeraSortSuiteIT {
  private static MiniDFSCluster hdfs;
  private static MiniMRYarnCluster yarn;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private volatile List<String> validated;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration();
    File base = new File(System.getProperty("test.build.data"), "suite-dfs").getAbsoluteFile();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, base.getPath());
    hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(2).build();
    hdfs.waitActive();
    Configuration yarnConf = new Configuration(hdfs.getFileSystem().getConf());
    yarnConf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    yarnConf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    yarnConf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    yarnConf.setBoolean(
        "yarn.nodemanager.disk-health-checker.enable", false); // a full disk is no matter here
    yarn = new MiniMRYarnCluster("suite", 1);
    yarn.init(yarnConf);
    yarn.start();
  }

  @AfterAll
  static void stop() {
    if (yarn != null) {
      yarn.stop();
    }
    if (hdfs != null) {
      hdfs.shutdown();
    }
  }

  private static Configuration conf() {
    Configuration conf = new Configuration(yarn.getConfig());
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("mapreduce.reduce.memory.mb", 512);
    conf.setInt("mapreduce.task.io.sort.mb", 10);
    conf.setBoolean("mapreduce.job.ubertask.enable", false);
    return conf;
  }

  private int validate(Configuration conf, String... args) throws Exception {
    validated = List.of(args);
    return ToolRunner.run(
        conf, new TeraValidate(), Arrays.copyOfRange(args, args.length - 2, args.length));
  }

  private TeraSortSuite suite(Validator validator) {
    return new TeraSortSuite(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        validator);
  }

  @Test
  void run_onYarn_findsTheCountersOfItsJobs() throws Exception {
    File jar =
        new File(
            URI.create(
                TeraSort.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    int code =
        ToolRunner.run(
            conf(),
            suite(this::validate),
            new String[] {
              "-Dmapreduce.job.tags=mine",
              "--rows",
              "20k",
              "--maps",
              "2",
              "--reducers",
              "2",
              "--replication",
              "2",
              "--dir",
              "/suite",
              "--examples",
              jar.getPath(),
              "--json"
            });
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    Map<?, ?> json = (Map<?, ?>) Json.parse(out.toString(StandardCharsets.UTF_8));
    List<?> phases = (List<?>) json.get("phases");
    for (Object phase : phases) {
      Map<?, ?> values = (Map<?, ?>) phase;
      assertThat((String) values.get("job")).startsWith("job_");
      assertThat((Double) values.get("cpuSecondsPerGigabyte")).isPositive();
    }
    assertThat(((Map<?, ?>) phases.get(1)).get("maps")).isEqualTo(2L);
    // TeraGen's counter is what the validation has to expect, with the number of rows
    assertThat(validated.get(1)).matches("[0-9a-f]{8,}:20000");
    assertThat(hdfs.getFileSystem().exists(new Path("/suite"))).isFalse();
  }

  @Test
  void run_interruptedWhileAJobRuns_killsIt() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              started.countDown();
              try {
                Configuration conf = conf();
                conf.setInt("mapreduce.job.maps", 1);
                // so many rows that only a kill ends it within the test
                String[] args = {"--rows", "1g", "--dir", "/killed"};
                code.complete(ToolRunner.run(conf, suite(this::validate), args));
              } catch (Exception e) {
                code.completeExceptionally(e);
              }
            },
            "suite");
    thread.start();
    assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(yarn.getConfig());
      client.start();
      EnumSet<YarnApplicationState> running = EnumSet.of(YarnApplicationState.RUNNING);
      await("the job runs", () -> client.getApplications(running).size() == 1);
      thread.interrupt();
      assertThat(code.get(5, TimeUnit.MINUTES)).isEqualTo(130);
      await("no job runs", () -> client.getApplications(running).isEmpty());
      assertThat(client.getApplications(EnumSet.of(YarnApplicationState.KILLED))).hasSize(1);
    }
    FileSystem fs = hdfs.getFileSystem();
    assertThat(fs.exists(new Path("/killed/_evenkeel-terasort"))).isTrue();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    Await.until(what, Duration.ofMinutes(5), condition, () -> "nothing more is known");
  }
}
