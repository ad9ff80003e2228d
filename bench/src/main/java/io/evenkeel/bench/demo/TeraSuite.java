package io.evenkeel.bench.demo;

import io.evenkeel.terasort.BlockTeraValidate;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs TeraGen, TeraSort and TeraValidate of the published examples jar once, or our validator in
 * place of the last, as a user would, and says what each phase took. Confined to one thread; only
 * the phase itself runs in another so that it can be cut.
 */
final class TeraSuite {
  private final Configuration conf;
  private final SuiteLog log;
  private final Progress progress;

  /** What one phase took; CPU time of tasks is negative where it is not known. */
  record Phase(
      String name, double seconds, double taskCpu, double daemonCpu, long tasks, String result) {
    boolean ok() {
      return !result.startsWith("failed") && !result.startsWith("cut");
    }

    private Phase with(String verdict) {
      return new Phase(name, seconds, taskCpu, daemonCpu, tasks, verdict);
    }
  }

  TeraSuite(Configuration conf, SuiteLog log, Progress progress) {
    this.conf = conf;
    this.log = log;
    this.progress = progress;
  }

  /** The same with more settings. */
  TeraSuite with(Map<String, String> settings) {
    Configuration own = new Configuration(conf);
    settings.forEach(own::set);
    return new TeraSuite(own, log, progress);
  }

  /** Writes {@code rows} rows of 100 bytes. */
  Phase generate(String label, long rows, Path out, long deadline) throws Exception {
    return run(label, "TeraGen", deadline, new TeraGen(), rows, out);
  }

  /** Sorts. */
  Phase sort(String label, Path in, Path out, long deadline) throws Exception {
    return run(label, "TeraSort", deadline, new TeraSort(), in, out);
  }

  /** Validates with stock's TeraValidate and reads its report, since its exit code is always 0. */
  Phase validate(String label, Path in, Path report, long deadline) throws Exception {
    Phase phase = run(label, "TeraValidate", deadline, new TeraValidate(), in, report);
    return phase.ok() ? phase.with(verdict(report)) : phase;
  }

  /** Validates with our tool; its verdict is its own, its exit code tells invalid from failed. */
  Phase validateByBlock(String label, Path in, Path report, long deadline) throws Exception {
    BlockTeraValidate tool = new BlockTeraValidate();
    Phase phase = run(label, "TeraValidate", deadline, tool, "--stock-exit-code", in, report);
    ValidationResult result = tool.result();
    return phase.ok() && result != null ? phase.with(verdict(result)) : phase;
  }

  private static String verdict(ValidationResult result) {
    if (result.valid()) {
      return "valid, checksum " + result.checksum();
    }
    long errors = result.violations().values().stream().mapToLong(n -> (Long) n).sum();
    return "invalid, " + errors + " errors";
  }

  private String verdict(Path report) throws IOException {
    List<String> lines;
    try (FileSystem fs = FileSystem.newInstance(report.toUri(), conf);
        InputStream in = fs.open(new Path(report, "part-r-00000"))) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    long errors = lines.stream().filter(line -> line.startsWith("error")).count();
    String checksum =
        lines.stream()
            .filter(line -> line.startsWith("checksum\t"))
            .map(line -> line.substring(9))
            .findFirst()
            .orElse("none");
    return errors == 0 ? "valid, checksum " + checksum : "invalid, " + errors + " errors";
  }

  private Phase run(String label, String name, long deadline, Tool tool, Object... args)
      throws Exception {
    String[] words = Stream.of(args).map(String::valueOf).toArray(String[]::new);
    String shown = label + ": " + name;
    log.nextJob();
    double cpuBefore = cpuSeconds();
    long start = System.nanoTime();
    String result =
        await(shown, () -> ToolRunner.run(new Configuration(conf), tool, words), deadline);
    double seconds = (System.nanoTime() - start) / 1e9;
    double daemons = cpuSeconds() - cpuBefore;
    progress.done(String.format("%s %s in %.1f s", shown, result, seconds));
    long millis = log.counter("CPU time spent (ms)");
    long tasks =
        Math.max(0, log.counter("Launched map tasks"))
            + Math.max(0, log.counter("Launched reduce tasks"));
    return new Phase(name, seconds, millis < 0 ? -1 : millis / 1e3, daemons, tasks, result);
  }

  /** CPU time of this JVM, which runs all daemons; 0 where the JVM cannot tell. */
  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? Math.max(0, os.getProcessCpuTime()) / 1e9
        : 0;
  }

  /** Waits for a phase while showing its progress; kills its job at the deadline. */
  private String await(String label, Callable<Integer> phase, long deadline) throws Exception {
    FutureTask<Integer> task = new FutureTask<>(phase);
    Thread thread = new Thread(task, "suite");
    thread.setDaemon(true);
    thread.start();
    while (true) {
      try {
        int code = task.get(500, TimeUnit.MILLISECONDS);
        return code == 0 ? "ok" : "failed, exit code " + code;
      } catch (ExecutionException e) {
        return "failed, " + e.getCause();
      } catch (TimeoutException e) {
        progress.update(label + " " + log.progress());
        if (System.nanoTime() > deadline) {
          kill();
          task.cancel(true);
          return "cut at the time limit";
        }
      }
    }
  }

  private void kill() throws IOException {
    if (!log.jobId().isEmpty()) {
      try (JobClient client = new JobClient(new JobConf(conf))) {
        RunningJob job = client.getJob(JobID.forName(log.jobId()));
        if (job != null) {
          job.killJob();
        }
      }
    }
  }
}
