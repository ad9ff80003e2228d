package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.suite.JobFacts;
import io.evenkeel.terasort.core.suite.Measured;
import io.evenkeel.terasort.core.suite.Phase;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Runs one phase at a time and measures it: its jobs carry a tag of their own, by which they are
 * found afterwards. {@link #kill} may be called by any thread.
 */
final class PhaseRunner {
  private final JobLookup lookup;
  private final String prefix;
  private final LongSupplier nanos;
  private volatile String running;

  /**
   * Creates a runner.
   *
   * @param prefix of the tags; no other suite on the cluster has it
   * @param nanos a clock in nanoseconds
   */
  PhaseRunner(JobLookup lookup, String prefix, LongSupplier nanos) {
    this.lookup = lookup;
    this.prefix = prefix.toLowerCase(Locale.ROOT);
    this.nanos = nanos;
  }

  /** What a phase does; 0 is success. */
  interface Call {
    int run(Configuration conf) throws Exception;
  }

  /**
   * Runs a phase.
   *
   * @param bytes size of the data set
   * @throws CommandException when it fails
   * @throws InterruptedException when interrupted; its job is killed then
   */
  Measured run(int run, Phase phase, long bytes, Configuration conf, Call call)
      throws InterruptedException {
    String tag = prefix + "-" + run + "-" + phase.name().toLowerCase(Locale.ROOT);
    Configuration tagged = new Configuration(conf);
    String others = conf.get(MRJobConfig.JOB_TAGS, "");
    tagged.set(MRJobConfig.JOB_TAGS, others.isEmpty() ? tag : others + "," + tag);
    long begin = nanos.getAsLong();
    running = tag;
    int code = code(run, phase, tagged, call);
    double seconds = Math.max(1, nanos.getAsLong() - begin) / 1e9;
    running = null;
    if (code != 0) {
      throw failure(run, phase, "it ended with " + code + "; its messages are above", null);
    }
    JobFacts facts = lookup.facts(tag);
    return new Measured(run, phase, seconds, bytes, facts);
  }

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

  /** Kills the job of the phase that runs, if any. */
  void kill() {
    String tag = running;
    if (tag != null) {
      lookup.kill(tag);
    }
  }
}
