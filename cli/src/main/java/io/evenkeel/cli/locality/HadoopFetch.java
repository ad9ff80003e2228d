package io.evenkeel.cli.locality;

import io.evenkeel.cli.tools.ChildProcess;
import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.cli.tools.PluginJar;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.BooleanSupplier;

/**
 * Copies a job's history from the cluster: in this JVM when Hadoop is on its class path, else by
 * the {@code hadoop} command of an installation. Immutable.
 */
public final class HadoopFetch {
  /** Names of the copies. */
  static final String HISTORY = "job.jhist";

  static final String CONF = "job_conf.xml";

  private static final String TOOL = "io.evenkeel.terasort.locality.FetchHistory";

  private final InstalledHadoop hadoop;
  private final BooleanSupplier hadoopHere;

  /** Creates it. */
  public HadoopFetch(InstalledHadoop hadoop) {
    this(hadoop, () -> hadoop.isOnClassPath(PluginJar.TERASORT_TOOLS));
  }

  /** For tests: {@code hadoopHere} says whether Hadoop is on the class path. */
  HadoopFetch(InstalledHadoop hadoop, BooleanSupplier hadoopHere) {
    this.hadoop = hadoop;
    this.hadoopHere = hadoopHere;
  }

  /**
   * Copies into a directory.
   *
   * @param cleanUp run when this JVM is told to end meanwhile
   * @throws CommandException when it cannot be had; a failure of Hadoop's was told already, on
   *     standard error
   */
  void fetch(String what, File directory, Runnable cleanUp) throws InterruptedException {
    int code =
        hadoopHere.getAsBoolean()
            ? inThisJvm(what, directory, cleanUp)
            : installed(what, directory, cleanUp);
    if (code != ExitCode.OK.code()) {
      throw new CommandException(exitCode(code), what + " was not fetched");
    }
  }

  private static ExitCode exitCode(int code) {
    for (ExitCode known : ExitCode.values()) {
      if (known.code() == code) {
        return known;
      }
    }
    return ExitCode.COULD_NOT_RUN;
  }

  private static int inThisJvm(String what, File directory, Runnable cleanUp) {
    Thread hook = new Thread(cleanUp, "delete-copy");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return (int)
          Class.forName(TOOL)
              .getMethod("fetch", String.class, String.class, PrintStream.class)
              .invoke(null, what, directory.getAbsolutePath(), System.err);
    } catch (ReflectiveOperationException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, what + " cannot be fetched: " + e + "; is the jar complete?", e);
    } finally {
      ChildProcess.withdraw(hook);
    }
  }

  private int installed(String what, File directory, Runnable cleanUp) throws InterruptedException {
    File script = hadoop.script().orElse(null);
    File jar = hadoop.find(PluginJar.TERASORT_TOOLS).orElse(null);
    if (script == null || jar == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          what
              + " is in the file system of a cluster, and there is no Hadoop here to read it with:"
              + " run 'mapred evenkeel locality', or set HADOOP_HOME, or copy the history file (in"
              + " the directory of mapreduce.jobhistory.done-dir, under year, month and day) and"
              + " give its path");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            script.getPath(), "jar", jar.getPath(), TOOL, what, directory.getAbsolutePath());
    // standard output is the report's
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.redirectOutput(new File(directory, "hadoop.out"));
    try {
      return ChildProcess.run(builder, cleanUp);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, script + " cannot be run: " + e.getMessage(), e);
    }
  }
}
