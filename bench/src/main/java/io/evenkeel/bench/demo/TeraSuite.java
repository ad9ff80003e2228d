package io.evenkeel.bench.demo;

import io.evenkeel.terasort.BlockTeraValidate;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private final SuiteLog log;
  private final Progress progress;
  private final Configuration conf;
  private final CpuClock cpu;

  /** What one phase took. */
  record Phase(
      String name, double seconds, double taskCpu, double daemonCpu, long tasks, String result) {
    boolean ok() {
      return !result.startsWith("failed") && !result.startsWith("cut");
    }
  }

  TeraSuite(Configuration conf, SuiteLog log, Progress progress, CpuClock cpu) {
    this.conf = conf;
    this.log = log;
    this.progress = progress;
    this.cpu = cpu;
  }

  /** Writes {@code rows} rows of 100 bytes. */
  Phase generate(String label, long rows, Path out, long deadline) throws Exception {
    return run(label + ": TeraGen", new TeraGen(), List.of("" + rows, out.toString()), deadline);
  }

  /** Sorts. */
  Phase sort(String label, Path in, Path out, long deadline) throws Exception {
    return run(
        label + ": TeraSort", new TeraSort(), List.of(in.toString(), out.toString()), deadline);
  }

  /** Validates with stock's TeraValidate and reads its report, since its exit code is always 0. */
  Phase validate(String label, Path in, Path report, long deadline) throws Exception {
    Phase phase =
        run(
            label + ": TeraValidate",
            new TeraValidate(),
            List.of(in.toString(), report.toString()),
            deadline);
    return phase.ok() ? withResult(phase, verdict(report)) : phase;
  }

  /** Validates with our tool; its verdict is its own, its exit code tells invalid from failed. */
  Phase validateByBlock(String label, Path in, Path report, long deadline) throws Exception {
    BlockTeraValidate tool = new BlockTeraValidate();
    Phase phase =
        run(
            label + ": TeraValidate",
            tool,
            List.of("--stock-exit-code", in.toString(), report.toString()),
            deadline);
    ValidationResult result = tool.result();
    return phase.ok() && result != null ? withResult(phase, verdict(result)) : phase;
  }

  private static String verdict(ValidationResult result) {
    if (result.valid()) {
      return "valid, checksum " + result.checksum();
    }
    long errors = result.violations().values().stream().mapToLong(n -> (Long) n).sum();
    return "invalid, " + errors + " errors";
  }

  private static Phase withResult(Phase p, String result) {
    return new Phase(p.name, p.seconds, p.taskCpu, p.daemonCpu, p.tasks, result);
  }

  private String verdict(Path report) throws IOException {
    List<String> lines = new ArrayList<>();
    try (FileSystem fs = FileSystem.newInstance(report.toUri(), conf);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(
                    fs.open(new Path(report, "part-r-00000")), StandardCharsets.UTF_8))) {
      in.lines().forEach(lines::add);
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

  private Phase run(String label, Tool tool, List<String> args, long deadline) throws Exception {
    log.nextJob();
    String name = label.substring(label.indexOf(": ") + 2);
    double cpuBefore = cpu.seconds();
    long start = System.nanoTime();
    String result = await(label, () -> tool(tool, args), deadline);
    double seconds = (System.nanoTime() - start) / 1e9;
    double daemons = cpu.seconds() - cpuBefore;
    progress.done(String.format("%s %s in %.1f s", label, result, seconds));
    long millis = log.counter("CPU time spent (ms)");
    long tasks =
        Math.max(0, log.counter("Launched map tasks"))
            + Math.max(0, log.counter("Launched reduce tasks"));
    return new Phase(name, seconds, millis < 0 ? -1 : millis / 1e3, daemons, tasks, result);
  }

  private int tool(Tool tool, List<String> args) throws Exception {
    return ToolRunner.run(new Configuration(conf), tool, args.toArray(new String[0]));
  }

  /** Waits for a phase while showing its progress; kills its job at the deadline. */
  private String await(String label, Callable<Integer> phase, long deadline) throws Exception {
    ExecutorService thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread t = new Thread(task, "suite");
              t.setDaemon(true);
              return t;
            });
    try {
      Future<Integer> future = thread.submit(phase);
      while (true) {
        try {
          int code = future.get(500, TimeUnit.MILLISECONDS);
          return code == 0 ? "ok" : "failed, exit code " + code;
        } catch (TimeoutException e) {
          progress.update(label + " " + log.progress());
          if (System.nanoTime() > deadline) {
            kill();
            return "cut at the time limit";
          }
        }
      }
    } catch (ExecutionException e) {
      return "failed, " + e.getCause();
    } finally {
      thread.shutdownNow();
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
