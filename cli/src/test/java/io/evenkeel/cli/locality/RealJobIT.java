package io.evenkeel.cli.locality;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.history.HistoryException;
import io.evenkeel.cli.core.history.HistoryReader;
import io.evenkeel.cli.core.history.JobHistory;
import io.evenkeel.cli.core.history.JobSettings;
import io.evenkeel.cli.core.history.LocalityReport;
import io.evenkeel.cli.core.history.MapTask;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.testing.Await;
import io.evenkeel.terasort.NodeGroupInputFormat;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import io.evenkeel.terasort.locality.FetchHistory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.TableMapping;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on the real HDFS and YARN whose history is read. The DataNodes are called vm1 and vm2 and
 * are on one physical host with the only NodeManager; vm3 is elsewhere.
 */
@Tag("slow")
class RealJobIT {
  private static final int BLOCK = 1 << 20;
  private static final int MAPS = 4;

  @TempDir private static Path temporary;
  private static MiniDFSCluster hdfs;
  private static MiniMRYarnCluster yarn;
  private static Configuration conf;
  private static String worker;

  @BeforeAll
  static void start() throws Exception {
    worker = MiniMRYarnCluster.getHostname();
    Path table = temporary.resolve("hosts");
    Files.writeString(
        table,
        "vm1 /r1/n1\nvm2 /r1/n1\nvm3 /r2/n2\n127.0.0.1 /r1/n1\n"
            + worker
            + " /r1/n1\n"
            + InetAddress.getByName(worker).getHostAddress()
            + " /r1/n1\n");
    conf = new YarnConfiguration();
    conf.setInt("dfs.blocksize", BLOCK);
    hdfs =
        new MiniDFSCluster.Builder(conf, temporary.resolve("dfs").toFile())
            .numDataNodes(3)
            .hosts(new String[] {"vm1", "vm2", "vm3"})
            .racks(new String[] {"/r1", "/r1", "/r2"})
            .build();
    hdfs.waitActive();
    Configuration own = new Configuration(conf);
    own.set("fs.defaultFS", hdfs.getFileSystem().getUri().toString());
    own.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    // MiniDFSCluster has put its own mapping there
    own.setClass(
        "net.topology.node.switch.mapping.impl", TableMapping.class, DNSToSwitchMapping.class);
    own.set("net.topology.table.file.name", table.toString());
    own.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    own.setInt("mapreduce.map.memory.mb", 512);
    own.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    String opens = "-Xmx300m --add-opens=java.base/java.lang=ALL-UNNAMED";
    own.set("yarn.app.mapreduce.am.command-opts", opens);
    own.set("mapreduce.map.java.opts", opens);
    own.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    yarn = new MiniMRYarnCluster("locality", 1);
    yarn.init(own);
    yarn.start();
    try (OutputStream out = hdfs.getFileSystem().create(new org.apache.hadoop.fs.Path("/in"))) {
      byte[] line = "0123456789abcdef0123456789abcde\n".getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < MAPS * BLOCK / line.length; i++) {
        out.write(line);
      }
    }
  }

  @AfterAll
  static void stop() {
    if (yarn != null) {
      yarn.stop();
    }
    if (hdfs != null) {
      hdfs.shutdown(true);
    }
  }

  /** Reads its records and writes nothing. */
  public static final class Reading extends Mapper<LongWritable, Text, LongWritable, Text> {
    @Override
    protected void map(LongWritable key, Text value, Context context) {
      // the input is read all the same
    }
  }

  private static Job run(String format, boolean withSiblings) throws Exception {
    Configuration own = new Configuration(yarn.getConfig());
    own.set("mapreduce.jobhistory.jhist.format", format);
    Job job = Job.getInstance(own, "reading");
    job.setJarByClass(Reading.class);
    job.setMapperClass(Reading.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path("/in"));
    if (withSiblings) {
      NodeGroupInputFormat.wrap(job);
    }
    assertThat(job.waitForCompletion(false)).as("job state").isTrue();
    return job;
  }

  /** Fetches as the command does; the history appears a moment after the job's end. */
  private static Path fetched(Job job) throws Exception {
    Path directory = Files.createTempDirectory(temporary, "fetched");
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
    String id = job.getJobID().toString();
    Await.until(
        "history of " + id,
        Duration.ofSeconds(60),
        () ->
            FetchHistory.fetch(yarn.getConfig(), id, directory.toString(), err) == 0
                && read(directory).problem().isEmpty(),
        () -> told.toString(StandardCharsets.UTF_8));
    return directory;
  }

  private static JobHistory read(Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(directory.resolve(FetchHistory.HISTORY))) {
      return HistoryReader.read(in);
    } catch (HistoryException e) {
      throw new AssertionError(e);
    }
  }

  private static LocalityReport report(Path directory, HostMap topology) throws IOException {
    Configuration job = new Configuration(false);
    job.addResource(new org.apache.hadoop.fs.Path(directory.resolve(FetchHistory.CONF).toUri()));
    return new LocalityReport(read(directory), topology, new JobSettings(job::get, null));
  }

  private static long hdfsBytes(Job job) throws IOException {
    return job.getCounters().findCounter("HDFS", FileSystemCounter.BYTES_READ).getValue();
  }

  private static void compareWithHadoopsOwnReader(Path directory) throws IOException {
    JobHistory ours = read(directory);
    JobHistoryParser.JobInfo stock =
        new JobHistoryParser(
                FileSystem.getLocal(new Configuration()),
                directory.resolve(FetchHistory.HISTORY).toString())
            .parse();
    assertThat(ours.jobId()).isEqualTo(stock.getJobId().toString());
    assertThat(ours.state()).isEqualTo(stock.getJobStatus());
    assertThat(ours.submitted()).isEqualTo(stock.getSubmitTime());
    assertThat(ours.finished()).isEqualTo(stock.getFinishTime());
    assertThat(ours.totalMaps()).isEqualTo((int) stock.getTotalMaps()).isEqualTo(MAPS);
    assertThat(ours.maps()).hasSize(MAPS);
    stock
        .getAllTasks()
        .forEach(
            (id, task) -> {
              MapTask own = ours.maps().get(id.getId());
              assertThat(own.id()).isEqualTo(id.toString());
              assertThat(String.join(",", own.locations())).isEqualTo(task.getSplitLocations());
              JobHistoryParser.TaskAttemptInfo attempt =
                  task.getAllTaskAttempts().get(task.getSuccessfulAttemptId());
              assertThat(own.successful().id()).isEqualTo(attempt.getAttemptId().toString());
              assertThat(own.successful().host()).isEqualTo(attempt.getHostname());
              assertThat(own.successful().rack()).isEqualTo(attempt.getRackname());
              assertThat(own.successful().started()).isEqualTo(attempt.getStartTime());
              assertThat(own.successful().finished()).isEqualTo(attempt.getFinishTime());
              assertThat(own.successful().hdfsBytesRead())
                  .isEqualTo(
                      attempt
                          .getCounters()
                          .findCounter("HDFS", FileSystemCounter.BYTES_READ)
                          .getValue());
            });
  }

  private static HostMap topology() {
    Map<String, String> where = new HashMap<>();
    where.put("vm1", "/r1/n1");
    where.put("vm2", "/r1/n1");
    where.put("vm3", "/r2/n2");
    where.put(worker, "/r1/n1");
    return new HostMap(where, HostMap.Layers.NODEGROUP);
  }

  @Test
  void siblings_realJob_areNamedInsteadOfDataNodesAndToldAsSameHost() throws Exception {
    Job job = run("binary", true);
    Path directory = fetched(job);
    compareWithHadoopsOwnReader(directory);
    for (MapTask task : read(directory).maps()) {
      assertThat(task.locations()).containsExactly(worker);
    }
    LocalityReport report = report(directory, topology());
    assertThat(report.row(Locality.SAME_HOST).tasks()).isEqualTo(MAPS);
    assertThat(report.row(Locality.SAME_HOST).bytes())
        .isEqualTo(hdfsBytes(job))
        .isGreaterThanOrEqualTo(MAPS * (long) BLOCK);
    assertThat(report.findings()).isEmpty();
    cutAnywhere(Files.readAllBytes(directory.resolve(FetchHistory.HISTORY)));
  }

  private static void cutAnywhere(byte[] whole) throws IOException {
    for (int length = 0; length < whole.length; length += 997) {
      try {
        JobHistory part =
            HistoryReader.read(new ByteArrayInputStream(Arrays.copyOf(whole, length)));
        assertThat(part.problem()).isNotEmpty();
      } catch (HistoryException e) {
        assertThat(e.getMessage()).startsWith("is ");
      }
    }
  }

  @Test
  void stockSplits_jsonHistory_isReadTheSame() throws Exception {
    Job job = run("json", false);
    Path directory = fetched(job);
    assertThat(Files.readAllLines(directory.resolve(FetchHistory.HISTORY)).get(0))
        .isEqualTo("Avro-Json");
    compareWithHadoopsOwnReader(directory);
    LocalityReport report = report(directory, topology());
    assertThat(List.of(report.row(Locality.SAME_VM).tasks(), report.tasks()))
        .containsExactly(0L, (long) MAPS);
    assertThat(report.row(Locality.SAME_HOST).tasks()).isEqualTo(MAPS);
    assertThat(report.bytes()).isEqualTo(hdfsBytes(job));
  }

  @Test
  void fetch_unknownJobOrPath_isToldWithItsCode() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
    String directory = temporary.toString();
    assertThat(FetchHistory.fetch(yarn.getConfig(), "job_1_0001", directory, err))
        .isEqualTo(ExitCode.NO_SUCH_PATH.code());
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains("no history of job_1_0001")
        .contains("done-dir");
    assertThat(FetchHistory.fetch(yarn.getConfig(), "/no/such.jhist", directory, err))
        .isEqualTo(ExitCode.NO_SUCH_PATH.code());
    assertThat(FetchHistory.fetch(yarn.getConfig(), "nofs://x/y", directory, err))
        .isEqualTo(ExitCode.COULD_NOT_RUN.code());
  }
}
