package io.evenkeel.bench.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Listens to what Hadoop itself logs: the progress and counters of the running MapReduce job, and
 * the DataNodes' client trace, which has every read with its bytes and addresses. The tools of the
 * TeraSort suite do not hand out their Job, so this is the one place that knows both. Thread-safe.
 */
public final class SuiteLog extends AppenderSkeleton implements AutoCloseable {
  private static final String JOB_LOGGER = "org.apache.hadoop.mapreduce.Job";
  private static final String TRACE_LOGGER =
      "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";
  private static final Pattern PROGRESS = Pattern.compile("map (\\d+)% reduce (\\d+)%");
  private static final Pattern JOB_ID = Pattern.compile("job_\\d+_\\d+");
  private static final Pattern READ =
      Pattern.compile(
          "src: /([0-9.]+):\\d+, dest: /([0-9.]+):\\d+,.* bytes: (\\d+), op: HDFS_READ,"
              + " cliID: (\\S+),.*");

  private final List<ClientRead> reads = new ArrayList<>(); // guarded by this
  private volatile String progress = "";
  private volatile String jobId = "";
  private volatile String counters = "";

  /**
   * One read a DataNode served to a task.
   *
   * @param server address of the DataNode
   * @param client address of the task
   * @param bytes bytes sent, checksums included
   */
  public record ClientRead(String server, String client, long bytes) {}

  /** Begins to listen. */
  public SuiteLog() {
    Logger.getLogger(JOB_LOGGER).setLevel(Level.INFO);
    Logger.getLogger(JOB_LOGGER).addAppender(this);
    Logger.getLogger(TRACE_LOGGER).setLevel(Level.DEBUG); // reads are traced at that level
    Logger.getLogger(TRACE_LOGGER).setAdditivity(false);
    Logger.getLogger(TRACE_LOGGER).addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    String text = event.getRenderedMessage();
    if (event.getLoggerName().equals(TRACE_LOGGER)) {
      Matcher m = READ.matcher(text);
      if (m.matches() && m.group(4).startsWith("DFSClient_attempt_")) {
        ClientRead read = new ClientRead(m.group(1), m.group(2), Long.parseLong(m.group(3)));
        synchronized (this) {
          reads.add(read);
        }
      }
      return;
    }
    Matcher id = JOB_ID.matcher(text);
    if (id.find()) {
      jobId = id.group();
    }
    Matcher m = PROGRESS.matcher(text);
    if (m.find()) {
      progress = "map " + m.group(1) + " %, reduce " + m.group(2) + " %";
    } else if (text.startsWith("Counters:")) {
      counters = text;
    }
  }

  /** Forgets the last job, before the next starts. */
  public void nextJob() {
    progress = "";
    jobId = "";
    counters = "";
    synchronized (this) {
      reads.clear();
    }
  }

  /** Progress of the running job in words, empty before its first report. */
  public String progress() {
    return progress;
  }

  /** Identifier of the running job, empty until it is submitted. */
  public String jobId() {
    return jobId;
  }

  /** A counter of the finished job by the name MapReduce prints, or -1 when it was not printed. */
  public long counter(String printedName) {
    Matcher m = Pattern.compile(Pattern.quote(printedName) + "=(\\d+)").matcher(counters);
    return m.find() ? Long.parseLong(m.group(1)) : -1;
  }

  /** Reads by tasks since {@link #nextJob}. */
  public synchronized List<ClientRead> reads() {
    return List.copyOf(reads);
  }

  @Override
  public void close() {
    Logger.getLogger(JOB_LOGGER).removeAppender(this);
    Logger.getLogger(TRACE_LOGGER).removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
