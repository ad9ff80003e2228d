package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.skew.SampleChoice;
import io.evenkeel.terasort.core.suite.JobFacts;
import io.evenkeel.terasort.core.suite.Measured;
import io.evenkeel.terasort.core.suite.Phase;
import io.evenkeel.terasort.core.suite.RowCount;
import io.evenkeel.terasort.core.suite.SuiteReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.VersionInfo;

/**
 * Generates, sorts and validates, as often as asked. The jobs of a phase carry a tag of their own,
 * by which they are found afterwards. The command line and what is printed are those of {@code
 * TeraSortSuite}. Confined to one thread but {@link #kill}.
 */
public final class SuiteRunner {
  private static final String OUTPUT_REPLICATION = "mapreduce.terasort.output.replication";

  /** From here on TeraGen's counter may have lost its high bits. */
  private static final long COUNTER_ROWS = 1L << 32;

  private final Configuration conf;
  private final SuiteOptions options;
  private final Validator validator;
  private final PrintStream progress;
  private final ExamplesJar examples;
  private final JobLookup jobs;
  private final String tagPrefix; // no other suite on the cluster has it
  private final WorkDirectory dirs;
  private final SampleChoice samples;
  private final SuiteReport report;
  private volatile String running; // the tag of the phase that runs
  private boolean invalid;

  /** What a phase does; 0 is success. */
  private interface Call {
    int run(Configuration conf) throws Exception;
  }

  /**
   * Prepares a suite; nothing is written yet.
   *
   * @param progress where what goes on is told
   * @throws CommandException when the examples are missing or the settings do not fit
   */
  public SuiteRunner(
      Configuration conf, SuiteOptions options, Validator validator, PrintStream progress)
      throws IOException {
    this.conf = new Configuration(conf);
    this.options = options;
    this.validator = validator;
    this.progress = progress;
    this.examples = ExamplesJar.find(options.examples, System::getenv);
    this.conf.setClassLoader(examples.loader());
    setIfGiven(MRJobConfig.NUM_MAPS, options.maps);
    setIfGiven(MRJobConfig.NUM_REDUCES, options.reducers);
    setIfGiven("dfs.replication", options.replication);
    setIfGiven(OUTPUT_REPLICATION, options.replication);
    this.dirs = new WorkDirectory(this.conf, options.dir);
    this.samples = Forecasts.choice(this.conf, options, dirs.blockBytes());
    this.conf.setLong(Forecasts.SAMPLE_KEY, samples.ask());
    String prefix = "evenkeel-suite-" + Long.toString(System.currentTimeMillis(), 36);
    this.tagPrefix = prefix + "-" + Integer.toHexString(System.identityHashCode(this));
    this.jobs = new JobLookup(this.conf);
    this.report = new SuiteReport(setting());
  }

  private void setIfGiven(String key, Integer value) {
    if (value != null) {
      conf.setInt(key, value);
    }
  }

  private Map<String, Object> setting() {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("rows", options.rows());
    setting.put("runs", options.repeat);
    setting.put("hadoop", VersionInfo.getVersion());
    setting.put("examples", examples.description());
    setting.put("directory", dirs.generated().getParent().toString());
    setting.put("maps", conf.getInt(MRJobConfig.NUM_MAPS, 1));
    setting.put("reducers", conf.getInt(MRJobConfig.NUM_REDUCES, 1));
    setting.put("replication", conf.getInt("dfs.replication", 3));
    setting.put("sortedReplication", conf.getInt(OUTPUT_REPLICATION, 1));
    setting.put("sampledKeys", samples.ask());
    setting.put("forecastLargestOverMean", rounded(samples.ratio()));
    return setting;
  }

  private static double rounded(double ratio) {
    return Math.round(ratio * 10_000) / 10_000.0;
  }

  private long bytes() {
    return options.rows() * RowCount.ROW_BYTES;
  }

  /** What was measured so far. */
  public SuiteReport report() {
    return report;
  }

  /** Kills the job that runs, if any. */
  public void kill() {
    String tag = running;
    if (tag != null) {
      jobs.kill(tag);
    }
  }

  /**
   * Runs everything.
   *
   * @return OK when all is valid, FINDING when a validation said no
   * @throws CommandException when a phase fails or something is in the way
   */
  public ExitCode run() throws IOException, InterruptedException {
    if (!samples.enough()) {
      progress.println(
          String.format(
              Locale.ROOT,
              "terasort: %d sampled keys keep largest / mean partition below %.3f only, not %.3f",
              samples.ask(),
              samples.ratio(),
              options.skew));
    }
    dirs.prepare(options.overwrite);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(examples.loader());
    try {
      for (int run = 1; run <= options.repeat && !invalid; run++) {
        if (run > 1) {
          dirs.removePhases();
        }
        once(run);
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    // What is invalid is kept, too: somebody wants to look at it.
    if (!options.keep && !invalid) {
      dirs.remove();
    }
    return invalid ? ExitCode.FINDING : ExitCode.OK;
  }

  private void once(int run) throws IOException, InterruptedException {
    String rows = String.valueOf(options.rows());
    JobFacts generated =
        phase(run, Phase.GENERATE, conf -> tool(conf, "TeraGen", rows, dirs.generated().toString()))
            .facts();
    phase(
        run,
        Phase.SORT,
        conf -> tool(conf, "TeraSort", dirs.generated().toString(), dirs.sorted().toString()));
    report.skew(run, dirs.skew());
    phase(
        run,
        Phase.VALIDATE,
        conf -> validate(conf, expected(generated, options.rows(), dirs.generated().toString())));
    if (invalid) {
      report.failed("run " + run + " is invalid; see " + dirs.report() + " and " + dirs.sorted());
    }
  }

  private Measured phase(int run, Phase phase, Call call) throws InterruptedException {
    progress.println("terasort: run " + run + " of " + options.repeat + ", " + phase.title());
    Measured measured = measured(run, phase, call);
    report.add(measured);
    progress.println(
        String.format(Locale.ROOT, "terasort: %s took %.1f s", phase.title(), measured.seconds()));
    return measured;
  }

  private Measured measured(int run, Phase phase, Call call) throws InterruptedException {
    String tag = tagPrefix + "-" + run + "-" + phase.name().toLowerCase(Locale.ROOT);
    Configuration tagged = new Configuration(conf);
    String others = conf.get(MRJobConfig.JOB_TAGS, "");
    tagged.set(MRJobConfig.JOB_TAGS, others.isEmpty() ? tag : others + "," + tag);
    long begin = System.nanoTime();
    running = tag;
    int code = code(run, phase, tagged, call);
    double seconds = Math.max(1, System.nanoTime() - begin) / 1e9;
    running = null;
    if (code != 0) {
      throw failure(run, phase, "it ended with " + code + "; its messages are above", null);
    }
    return new Measured(run, phase, seconds, bytes(), jobs.facts(tag));
  }

  /** The exit code; an interrupt kills the job of the phase. */
  private int code(int run, Phase phase, Configuration conf, Call call)
      throws InterruptedException {
    try {
      return call.run(conf);
    } catch (InterruptedException e) {
      kill();
      throw e;
    } catch (InterruptedIOException e) {
      kill();
      InterruptedException interrupted = new InterruptedException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    } catch (CommandException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      throw failure(run, phase, e.toString(), e);
    }
  }

  private static CommandException failure(int run, Phase phase, String why, Throwable cause) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN, phase.title() + " of run " + run + " failed: " + why, cause);
  }

  private int tool(Configuration tagged, String name, String... args) throws Exception {
    Tool tool = examples.tool(name);
    tool.setConf(tagged);
    return tool.run(args);
  }

  private int validate(Configuration tagged, String expected) throws Exception {
    Path report = dirs.report();
    int code =
        validator.validate(
            tagged, "--expect", expected, dirs.sorted().toString(), report.toString());
    invalid = code == ExitCode.FINDING.code();
    return invalid ? 0 : code;
  }

  /**
   * What the validation has to find: TeraGen's own sum and the rows, only the sum's low 64 bits
   * where its counter may have lost the others, or the generated rows where it is not known.
   */
  static String expected(JobFacts generated, long rows, String directory) {
    if (!generated.hasChecksum()) {
      return directory;
    }
    return rows < COUNTER_ROWS
        ? Long.toHexString(generated.checksum()) + ":" + rows
        : "counter:" + generated.checksum();
  }
}
