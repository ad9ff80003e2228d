package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.report.FirstLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one validation from listing to verdict. Used once; the thread that runs it may be
 * interrupted, and {@link #kill} may be called from another.
 */
public final class ValidationJob {
  private static final Logger LOG = LoggerFactory.getLogger(ValidationJob.class);
  private static final int EVENTS_PER_CALL = 500;

  private final Configuration conf;
  private final ValidationRequest request;
  private volatile Job job;
  private volatile boolean unfinished;

  /** Prepares a run; nothing happens before {@link #run}. */
  public ValidationJob(Configuration conf, ValidationRequest request) {
    this.conf = new Configuration(conf);
    this.request = request;
  }

  /**
   * Validates.
   *
   * @throws CommandException when there is no verdict, with the reason
   */
  public ValidationResult run() throws IOException, InterruptedException {
    requireAbsent(request.report(), conf);
    InputLister lister = new InputLister(conf, request.report());
    Listing listing = lister.list(request.inputs(), request.order());
    if (listing.files().isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "nothing to validate: no file in " + String.join(", ", request.inputs()));
    }
    try {
      // Fails when another run took the directory in between.
      BlockInputFormat.setInput(
          conf, request, listing, lister.wholeDirectories(), () -> unfinished = true);
      submit(listing, lister);
      requireUnchanged(listing, lister);
      FileSystem fs = request.report().getFileSystem(conf);
      ValidationResult result = new ValidationResult(request, listing, summary(fs), job);
      unfinished = false;
      return result;
    } finally {
      end();
    }
  }

  /** A directory without a verdict holds nothing but our own files. */
  private void removeUnfinished() throws IOException {
    if (unfinished) {
      unfinished = false;
      request.report().getFileSystem(conf).delete(request.report(), true);
    }
  }

  /**
   * Checks that a report directory is not there yet.
   *
   * @throws CommandException when it is, or cannot be made since a file is in the way
   */
  public static void requireAbsent(Path report, Configuration conf) throws IOException {
    FileSystem fs = report.getFileSystem(conf);
    try {
      if (fs.exists(report)) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, report + " exists; name another report directory");
      }
      Path above = fs.makeQualified(report).getParent();
      while (above != null && !fs.exists(above)) {
        above = above.getParent();
      }
      if (above == null || fs.getFileStatus(above).isDirectory()) {
        return;
      }
    } catch (ParentNotDirectoryException e) {
      // what HDFS says of a path below a file
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN, report + " cannot be made: a file is in the way");
  }

  private void submit(Listing listing, InputLister lister)
      throws IOException, InterruptedException {
    // A replica whose checksum does not match is left for another one, also when read locally.
    conf.setBoolean("dfs.client.read.shortcircuit.skip.checksum", false);
    Job created = Job.getInstance(conf, request.ordered() ? "BlockTeraValidate" : "BlockTeraSum");
    created.setJarByClass(ValidationJob.class);
    created.setInputFormatClass(BlockInputFormat.class);
    created.setMapperClass(ValidateMapper.class);
    created.setReducerClass(ValidateReducer.class);
    created.setNumReduceTasks(1);
    created.setMapOutputKeyClass(ResultKey.class);
    created.setMapOutputValueClass(BytesWritable.class);
    created.setOutputKeyClass(Text.class);
    created.setOutputValueClass(Text.class);
    created.setOutputFormatClass(ReportOutputFormat.class);
    FileOutputFormat.setOutputPath(created, request.report());
    FileOutputFormat.setCompressOutput(created, false);
    // The report has stock's name and form, whatever the command line says of other jobs'.
    created.getConfiguration().set("mapreduce.output.basename", "part");
    created.getConfiguration().set(TextOutputFormat.SEPARATOR, "\t");
    job = created;
    try {
      if (!created.waitForCompletion(true)) {
        requireUnchanged(listing, lister); // says more than a task's exception, where that is why
        throw new CommandException(ExitCode.COULD_NOT_RUN, "no verdict: " + failureReason(created));
      }
    } catch (ClassNotFoundException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, "a class is missing: " + e, e);
    }
  }

  /** The job's own reason and the exception of the last task attempt that failed, on one line. */
  private static String failureReason(Job job) throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder("the job " + job.getJobID() + " failed");
    String info = job.getStatus().getFailureInfo().trim();
    boolean known = !info.isEmpty() && !info.equals("NA"); // a job in this JVM tells nothing
    text.append(known ? ": " + FirstLine.of(info) : "; the logs of its tasks tell why");
    try {
      String task = lastFailure(job);
      if (!task.isEmpty()) {
        text.append("; ").append(task);
      }
    } catch (IOException e) {
      LOG.debug("No diagnostics of {}", job.getJobID(), e); // the job's own reason has to do
    }
    return text.toString();
  }

  private static String lastFailure(Job job) throws IOException, InterruptedException {
    TaskCompletionEvent last = null;
    TaskCompletionEvent[] batch;
    for (int from = 0; ; from += batch.length) {
      batch = job.getTaskCompletionEvents(from, EVENTS_PER_CALL);
      if (batch.length == 0) {
        break;
      }
      for (TaskCompletionEvent event : batch) {
        TaskCompletionEvent.Status status = event.getStatus();
        boolean failed =
            status == TaskCompletionEvent.Status.FAILED
                || status == TaskCompletionEvent.Status.TIPFAILED;
        last = failed ? event : last;
      }
    }
    if (last == null) {
      return "";
    }
    String[] lines = job.getTaskDiagnostics(last.getTaskAttemptId());
    return lines.length == 0 ? "" : last.getTaskAttemptId() + ": " + FirstLine.of(lines[0].trim());
  }

  /** A file that is not what it was has been read in one state and judged in another. */
  private void requireUnchanged(Listing before, InputLister lister) throws IOException {
    List<InputFile> now = lister.list(request.inputs(), request.order()).files();
    List<InputFile> then = before.files();
    for (int i = 0; i < Math.max(now.size(), then.size()); i++) {
      boolean same = i < now.size() && i < then.size() && then.get(i).unchanged(now.get(i));
      if (!same) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN,
            "no verdict: the input changed while it was read, at "
                + (i < then.size() ? then.get(i) : now.get(i)));
      }
    }
  }

  private Map<?, ?> summary(FileSystem fs) throws IOException {
    Path path = new Path(request.report(), ReportFiles.SUMMARY);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fs.open(path), StandardCharsets.UTF_8))) {
      return (Map<?, ?>) Json.parse(in.readLine());
    }
  }

  /** Ends the job if it runs, and leaves nothing behind. For a JVM that is being ended. */
  public void kill() {
    end();
  }

  /** Does nothing after a verdict; else no job goes on, and what stood in its way is not hidden. */
  private void end() {
    if (!unfinished) {
      return;
    }
    Job running = job;
    try {
      if (running != null && !running.isComplete()) {
        running.killJob();
      }
    } catch (IllegalStateException e) {
      LOG.debug(
          "The job was not submitted; if it was nevertheless, it fails because its listing is"
              + " missing",
          e);
    } catch (IOException e) {
      LOG.warn("The job could not be killed", e);
    }
    try {
      removeUnfinished();
    } catch (IOException e) {
      LOG.warn("{} could not be removed", request.report(), e);
    }
  }

  /**
   * Text as stock's, into a report directory that is there already since it holds the listing.
   *
   * <p>Committed by renaming, whatever committer the site names for the report's file system: the
   * staging committers of S3A take no file whose name begins with an underscore along, and the
   * report has four files only.
   */
  public static final class ReportOutputFormat extends TextOutputFormat<Text, Text> {
    private FileOutputCommitter committer;

    @Override
    public synchronized OutputCommitter getOutputCommitter(TaskAttemptContext context)
        throws IOException {
      if (committer == null) {
        committer = new FileOutputCommitter(getOutputPath(context), context);
      }
      return committer;
    }

    @Override
    public void checkOutputSpecs(JobContext job) throws IOException {
      Path directory = getOutputPath(job);
      if (directory == null) {
        throw new InvalidJobConfException("no report directory");
      }
      TokenCache.obtainTokensForNamenodes(
          job.getCredentials(), new Path[] {directory}, job.getConfiguration());
    }
  }
}
