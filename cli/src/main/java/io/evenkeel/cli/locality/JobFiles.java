package io.evenkeel.cli.locality;

import io.evenkeel.cli.core.history.HistoryException;
import io.evenkeel.cli.core.history.HistoryReader;
import io.evenkeel.cli.core.history.JobHistory;
import io.evenkeel.cli.status.HadoopConf;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The history of a job and, when it is there, its configuration: finds and reads the files that the
 * command names. Apart from the command, which goes by what they say. Immutable.
 */
public final class JobFiles {
  private static final Pattern JOB_ID = Pattern.compile("job_\\d+_\\d{1,9}");
  private static final Pattern HISTORY_NAME = Pattern.compile("(job_\\d+_\\d+)[-_.].*");

  private final JobHistory history;
  private final UnaryOperator<String> conf;

  private JobFiles(JobHistory history, UnaryOperator<String> conf) {
    this.history = history;
    this.conf = conf;
  }

  /**
   * Reads a local file, or what Hadoop finds under a job id or a path with a scheme.
   *
   * @throws CommandException when it is not there or no history
   */
  public static JobFiles read(String what, HadoopFetch hadoop) throws InterruptedException {
    File local = new File(what.startsWith("file:/") ? what.replaceFirst("^file:/+", "/") : what);
    if (local.exists()) {
      return local(local);
    }
    if (!JOB_ID.matcher(what).matches() && !what.matches("(?!file:)[a-z][a-z0-9+.-]*:.*")) {
      throw new CommandException(
          ExitCode.NO_SUCH_PATH,
          what
              + ": no such file; give a history file, a job id such as job_1700000000000_0001, or"
              + " an hdfs:// path");
    }
    File directory = temporary();
    try {
      hadoop.fetch(what, directory, () -> delete(directory));
      return read(
          what, new File(directory, HadoopFetch.HISTORY), new File(directory, HadoopFetch.CONF));
    } finally {
      delete(directory);
    }
  }

  private static File temporary() {
    try {
      return Files.createTempDirectory("evenkeel-locality").toFile();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "no temporary directory: " + e.getMessage(), e);
    }
  }

  private static void delete(File directory) {
    File[] files = directory.listFiles();
    boolean gone = true;
    for (File file : files == null ? new File[0] : files) {
      gone &= file.delete();
    }
    if (!gone || !directory.delete()) {
      directory.deleteOnExit();
    }
  }

  private static JobFiles local(File file) {
    if (file.isDirectory()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, file + " is a directory; give a file");
    }
    if (!file.canRead()) {
      throw new CommandException(ExitCode.DENIED, file + " may not be read");
    }
    Matcher name = HISTORY_NAME.matcher(file.getName());
    String conf = name.matches() ? name.group(1) + "_conf.xml" : "job_conf.xml";
    return read(file.getPath(), file, new File(file.getAbsoluteFile().getParentFile(), conf));
  }

  private static JobFiles read(String called, File history, File conf) {
    try (InputStream in = Files.newInputStream(history.toPath())) {
      return new JobFiles(HistoryReader.read(in), settings(conf));
    } catch (HistoryException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, called + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, called + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Settings from configuration files, the later ones over the earlier ones.
   *
   * @return null when none of them can be read
   */
  public static UnaryOperator<String> settings(File... files) {
    File[] readable = Arrays.stream(files).filter(File::canRead).toArray(File[]::new);
    if (readable.length == 0) {
      return null;
    }
    try {
      HadoopConf conf = HadoopConf.read(readable);
      return key -> conf.get(key, null);
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
  }

  /** What the history says. */
  public JobHistory history() {
    return history;
  }

  /** Value by key of the job's configuration; null when that is not there. */
  public UnaryOperator<String> conf() {
    return conf;
  }
}
