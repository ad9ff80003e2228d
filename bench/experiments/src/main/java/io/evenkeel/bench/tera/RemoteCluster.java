package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.EmbeddedJobs;
import io.evenkeel.bench.embedded.EmbeddedSettings;
import io.evenkeel.bench.embedded.EmbeddedYarn;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.Locality;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.PlugPoints;
import io.evenkeel.terasort.BlockTeraValidate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.log4j.Logger;

/**
 * A real HDFS and YARN of several hosts, TeraSort's output on it and validations of that. Tasks are
 * JVMs of their own. Apart from {@link RemoteExperiment} as {@link YarnCluster} is from its own:
 * what runs the jobs, not what is compared. It runs until this JVM ends, and the files stay.
 * Confined to one thread.
 */
final class RemoteCluster {
  private static final int ROW = 100;

  private final HostPlan plan;
  private final java.nio.file.Path dir;
  private final java.nio.file.Path hostsFile;
  private final EmbeddedHdfs hdfs;
  private final EmbeddedYarn yarn;
  private final SuiteLog log = new SuiteLog();
  private int reports;

  /**
   * Starts it.
   *
   * @param dir receives all of its files
   * @param hostsFile what this JVM and those of the tasks resolve the hosts' names by
   */
  RemoteCluster(HostPlan plan, java.nio.file.Path dir, java.nio.file.Path hostsFile)
      throws IOException, InterruptedException {
    this.plan = plan;
    this.dir = dir;
    this.hostsFile = hostsFile;
    Logger.getLogger(Job.class).setAdditivity(false); // the counters of every job
    yarn = new EmbeddedYarn(dir.resolve("yarn"), plan, EmbeddedSettings.yarn(plan, dir));
    Map<String, String> keys = EmbeddedSettings.tuning();
    keys.putAll(PlugPoints.withNodeGroup());
    hdfs = new EmbeddedHdfs(dir.resolve("hdfs"), plan, List.of("DISK"), keys);
  }

  private Configuration jobs(long bytes) throws IOException {
    Configuration conf = hdfs.clientConf();
    EmbeddedJobs.of(plan, bytes, dir, hostsFile).forEach(conf::set);
    yarn.addresses().forEach(conf::set);
    conf.set("dfs.blocksize", String.valueOf(EmbeddedJobs.blockSize(bytes)));
    return conf;
  }

  /** Generates and sorts; only the sorted rows are kept. */
  String sorted(long bytes) throws Exception {
    Path input = new Path("/generated");
    Path output = new Path("/sorted");
    try (FileSystem fs = hdfs.fileSystem()) {
      fs.delete(output, true);
      Configuration generating = jobs(bytes);
      generating.set("dfs.replication", "1");
      run(generating, new TeraGen(), bytes / ROW, input);
      run(jobs(bytes), new TeraSort(), input, output);
      fs.delete(input, true);
    }
    return output.toString();
  }

  /** Validates {@code bytes} of sorted rows. */
  RemoteRun validate(RemoteRun.Arm arm, String input, long bytes) throws Exception {
    Configuration conf = jobs(bytes);
    conf.setBoolean("mapreduce.terasort.use.terascheduler", arm == RemoteRun.Arm.TERA_SCHEDULER);
    Tool tool =
        arm == RemoteRun.Arm.EVENKEEL
            ? new BlockTeraValidate(System.err, System.err)
            : new TeraValidate();
    long start = System.nanoTime();
    run(conf, tool, input, "/report" + reports++);
    double seconds = (System.nanoTime() - start) / 1e9;
    long beside = Math.max(0, log.counter("Data-local map tasks")); // not printed where it is 0
    Locality read = new Locality(plan);
    log.reads().forEach(read::add);
    long maps = log.counter("Launched map tasks");
    return new RemoteRun(arm, bytes, read.bytes(), read.remoteBytes(), maps, beside, seconds);
  }

  private void run(Configuration conf, Tool tool, Object... args) throws Exception {
    log.nextJob();
    int code =
        ToolRunner.run(conf, tool, Stream.of(args).map(String::valueOf).toArray(String[]::new));
    if (code != 0) {
      throw new IOException(tool.getClass() + " ended with " + code);
    }
  }
}
