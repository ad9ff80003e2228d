package io.evenkeel.cli.locality;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Copies a job's history from the cluster: in this JVM when Hadoop is on its class path, else by
 * the {@code hadoop} command of an installation. Immutable.
 */
public final class HadoopFetch {
  /** Names of the copies. */
  static final String HISTORY = "job.jhist";

  static final String CONF = "job_conf.xml";

  private static final String TOOL = "io.evenkeel.terasort.locality.FetchHistory";

  private final Function<String, String> properties;
  private final Function<String, String> environment;
  private final BooleanSupplier hadoopHere;

  /** Creates it; the arguments give system properties and environment variables. */
  public HadoopFetch(Function<String, String> properties, Function<String, String> environment) {
    this(properties, environment, HadoopFetch::isHadoopHere);
  }

  /** For tests: {@code hadoopHere} says whether Hadoop is on the class path. */
  HadoopFetch(
      Function<String, String> properties,
      Function<String, String> environment,
      BooleanSupplier hadoopHere) {
    this.properties = properties;
    this.environment = environment;
    this.hadoopHere = hadoopHere;
  }

  /**
   * Copies into a directory.
   *
   * @throws CommandException when it cannot be had; a failure of Hadoop's was told already, on
   *     standard error
   */
  void fetch(String what, File directory) throws InterruptedException {
    int code = hadoopHere.getAsBoolean() ? inThisJvm(what, directory) : installed(what, directory);
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

  private static boolean isHadoopHere() {
    try {
      Class.forName("org.apache.hadoop.util.Tool", false, HadoopFetch.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static int inThisJvm(String what, File directory) {
    try {
      return (int)
          Class.forName(TOOL)
              .getMethod("fetch", String.class, String.class, PrintStream.class)
              .invoke(null, what, directory.getAbsolutePath(), System.err);
    } catch (ReflectiveOperationException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, what + " cannot be fetched: " + e + "; is the jar complete?", e);
    }
  }

  private int installed(String what, File directory) throws InterruptedException {
    File hadoop = command();
    File jar = jar();
    if (hadoop == null || jar == null) {
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
            hadoop.getPath(), "jar", jar.getPath(), TOOL, what, directory.getAbsolutePath());
    // standard output is the report's
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.redirectOutput(new File(directory, "hadoop.out"));
    try {
      Process process = builder.start();
      try {
        return process.waitFor();
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, hadoop + " cannot be run: " + e.getMessage(), e);
    }
  }

  private File command() {
    String home = properties.apply("evenkeel.hadoop.home");
    String found = home == null || home.isEmpty() ? environment.apply("HADOOP_HOME") : home;
    File command = found == null || found.isEmpty() ? null : new File(found, "bin/hadoop");
    return command != null && command.canExecute() ? command : null;
  }

  private File jar() {
    String home = properties.apply("evenkeel.home");
    File[] jars =
        home == null
            ? null
            : new File(home, "lib")
                .listFiles((d, name) -> name.matches("evenkeel-terasort-tools-.*\\.jar"));
    return jars == null || jars.length == 0 ? null : jars[0];
  }
}
