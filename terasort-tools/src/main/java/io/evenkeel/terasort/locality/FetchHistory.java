package io.evenkeel.terasort.locality;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.report.FirstLine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Copies the history of a job, and its configuration when that is there, from the cluster's file
 * system into a local directory: {@value #HISTORY} and {@value #CONF}. Not thread-safe.
 */
public final class FetchHistory extends Configured implements Tool {
  /** Name of the copy of the history. */
  public static final String HISTORY = "job.jhist";

  /** Name of the copy of the job's configuration. */
  public static final String CONF = "job_conf.xml";

  private static final Pattern JOB_ID = Pattern.compile("job_\\d+_\\d{1,9}");
  private static final String STAGING_KEY = "yarn.app.mapreduce.am.staging-dir";
  private static final String STAGING = "/tmp/hadoop-yarn/staging";
  private static final String DONE_KEY = "mapreduce.jobhistory.done-dir";
  private static final String INTERMEDIATE_KEY = "mapreduce.jobhistory.intermediate-done-dir";
  private static final int FILES_PER_DIRECTORY = 1000;

  private final PrintStream err;
  private final List<String> denied = new ArrayList<>();

  /** Creates a tool that tells failures on {@code err}. */
  FetchHistory(PrintStream err) {
    this.err = err;
  }

  /** Copies and ends the process; see {@link #fetch}. */
  public static void main(String[] args) {
    System.exit(args.length == 2 ? fetch(args[0], args[1], System.err) : ExitCode.USAGE.code());
  }

  /**
   * Copies with the Hadoop configuration of the class path.
   *
   * @param what a job id, or the path of a history file
   * @param directory a local directory that exists
   * @param err where a failure is told, in one line
   * @return an exit code
   */
  public static int fetch(String what, String directory, PrintStream err) {
    return fetch(new JobConf(), what, directory, err);
  }

  /** The same with a given configuration. */
  public static int fetch(Configuration conf, String what, String directory, PrintStream err) {
    try {
      return ToolRunner.run(conf, new FetchHistory(err), new String[] {what, directory});
    } catch (Exception e) {
      err.println("evenkeel: " + what + " cannot be fetched: " + FirstLine.of(e.toString()));
      return ExitCode.COULD_NOT_RUN.code();
    }
  }

  @Override
  public int run(String[] args) {
    try {
      copy(args[0], args[1]);
      return ExitCode.OK.code();
    } catch (CommandException e) {
      err.println("evenkeel: " + FirstLine.of(e.getMessage()));
      return e.exitCode().code();
    }
  }

  private void copy(String what, String directory) {
    Path history = JOB_ID.matcher(what).matches() ? find(JobID.forName(what)) : new Path(what);
    try {
      FileSystem fs = history.getFileSystem(getConf());
      fs.copyToLocalFile(false, history, new Path("file://" + directory, HISTORY), true);
      Path conf = confOf(history);
      if (fs.exists(conf)) {
        fs.copyToLocalFile(false, conf, new Path("file://" + directory, CONF), true);
      }
    } catch (FileNotFoundException e) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, history + ": no such file", e);
    } catch (AccessControlException e) {
      throw new CommandException(ExitCode.DENIED, history + " may not be read", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, history + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Beside a finished job's history stands {@code JOBID_conf.xml}, before its end job.xml. */
  private static Path confOf(Path history) {
    Matcher id = Pattern.compile("(job_\\d+_\\d+)[-_.].*").matcher(history.getName());
    boolean running = history.getName().matches("job_\\d+_\\d+_\\d+\\.jhist");
    return new Path(
        history.getParent(), id.matches() && !running ? id.group(1) + "_conf.xml" : "job.xml");
  }

  /**
   * Looks where finished jobs are, then where they are before the history server has moved them.
   */
  private Path find(JobID job) {
    String jobId = job.toString(); // with leading zeros, however it was given
    String staging = getConf().get(STAGING_KEY, STAGING);
    String done = getConf().get(DONE_KEY, staging + "/history/done");
    String intermediate = getConf().get(INTERMEDIATE_KEY, staging + "/history/done_intermediate");
    String serial = String.format(Locale.ROOT, "%06d", job.getId() / FILES_PER_DIRECTORY);
    String[] patterns = {
      done + "/*/*/*/" + serial + "/" + jobId + "-*.jhist",
      intermediate + "/*/" + jobId + "-*.jhist",
      staging + "/*/.staging/" + jobId + "/" + jobId + "_*.jhist"
    };
    for (String pattern : patterns) {
      Path found = newest(pattern);
      if (found != null) {
        return found;
      }
    }
    if (!denied.isEmpty()) {
      throw new CommandException(
          ExitCode.DENIED,
          jobId + " was not found, and this may not be read: " + String.join(", ", denied));
    }
    throw new CommandException(
        ExitCode.NO_SUCH_PATH,
        "no history of "
            + jobId
            + " in "
            + done
            + " ("
            + DONE_KEY
            + ") or "
            + intermediate
            + "; was it a MapReduce job of this cluster, and is its history still kept?");
  }

  private Path newest(String pattern) {
    Path newest = null;
    long latest = Long.MIN_VALUE;
    try {
      Path glob = new Path(pattern);
      FileStatus[] found = glob.getFileSystem(getConf()).globStatus(glob);
      for (FileStatus file : found == null ? new FileStatus[0] : found) {
        if (file.getModificationTime() > latest) {
          latest = file.getModificationTime();
          newest = file.getPath();
        }
      }
    } catch (AccessControlException e) {
      denied.add(pattern);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, pattern + " cannot be listed: " + e.getMessage(), e);
    }
    return newest;
  }
}
