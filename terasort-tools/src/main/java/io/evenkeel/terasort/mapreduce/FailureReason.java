package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.report.FirstLine;
import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out why a job failed, in words that name the file it failed on. Stateless. */
final class FailureReason {
  private static final Logger LOG = LoggerFactory.getLogger(FailureReason.class);
  private static final int BATCH = 500;

  private FailureReason() {}

  /** The job's own reason and the exception of the last task attempt that failed, on one line. */
  static String of(Job job) throws IOException, InterruptedException {
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
      LOG.debug("no diagnostics of {}", job.getJobID(), e); // the job's own reason has to do
    }
    return text.toString();
  }

  private static String lastFailure(Job job) throws IOException, InterruptedException {
    TaskCompletionEvent last = null;
    TaskCompletionEvent[] batch;
    for (int from = 0; ; from += batch.length) {
      batch = job.getTaskCompletionEvents(from, BATCH);
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
}
