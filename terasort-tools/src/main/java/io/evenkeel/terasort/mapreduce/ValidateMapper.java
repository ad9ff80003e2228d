package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.FragmentScanner;
import io.evenkeel.terasort.core.split.Range;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/** Reads each range of its split, and only that, and makes its fragment. */
public final class ValidateMapper
    extends Mapper<NullWritable, BlockSplit.Piece, ResultKey, BytesWritable> {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ResultKey key = new ResultKey();
  private byte[] buffer;
  private boolean ordered;
  private int listable;
  private long unlisted;
  private TaskRecord task;
  private long cpuAtStart;

  @Override
  protected void setup(Context context) {
    buffer = new byte[1 << 20];
    ordered = ReportFiles.ordered(context.getConfiguration());
    listable = Unlisted.perTask(context.getConfiguration());
    task = new TaskRecord(context.getTaskAttemptID(), System.currentTimeMillis());
    cpuAtStart = cpuNanos();
  }

  @Override
  protected void map(NullWritable none, BlockSplit.Piece piece, Context context)
      throws IOException, InterruptedException {
    Range range = piece.range;
    Fragment fragment;
    try {
      fragment = scan(piece, context);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    context.write(
        key.set(ResultKey.FRAGMENT, range.file(), range.start()), FragmentCodec.write(fragment));
    if (unlisted > 0) {
      context.write(
          key.set(ResultKey.UNLISTED, range.file(), range.start()), FragmentCodec.count(unlisted));
      unlisted = 0;
    }
    task.read(range.hosts(), range.length(), fragment.records());
    context.getCounter(ValidationCounter.RECORDS).increment(fragment.records());
    context.getCounter(ValidationCounter.BYTES_READ).increment(range.length());
  }

  private Fragment scan(BlockSplit.Piece piece, Context context) throws IOException {
    Range range = piece.range;
    long end = range.start() + range.length();
    FragmentScanner scanner =
        new FragmentScanner(
            range.start(), end, (at, a, b) -> misorder(context, range.file(), at, a, b));
    Path path = new Path(piece.path);
    FileSystem fs = path.getFileSystem(context.getConfiguration());
    fs.setVerifyChecksum(true);
    try (FSDataInputStream in = fs.open(path, buffer.length)) {
      in.seek(range.start());
      long left = range.length();
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new EOFException(
              path + " ends at " + (end - left) + ", it was longer when it was listed");
        }
        scanner.update(buffer, 0, read);
        left -= read;
        context.progress();
      }
    }
    return scanner.finish();
  }

  private void misorder(Context context, int file, long offset, byte[] previous, byte[] next) {
    if (!ordered) {
      return;
    }
    if (listable == 0) {
      unlisted++;
      return;
    }
    listable--;
    try {
      context.write(
          key.set(ResultKey.MISORDER, file, offset), FragmentCodec.misorder(previous, next));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    context.getCounter(ValidationCounter.BYTES_WITH_REPLICA_HERE).increment(task.localBytes());
    context.getCounter(ValidationCounter.BYTES_FROM_ELSEWHERE).increment(task.remoteBytes());
    long cpu = cpuAtStart < 0 ? -1 : cpuNanos() - cpuAtStart;
    String line = task.json(System.currentTimeMillis(), cpu);
    context.write(
        key.set(ResultKey.TASK, context.getTaskAttemptID().getTaskID().getId(), 0),
        new BytesWritable(line.getBytes(StandardCharsets.UTF_8)));
  }

  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
  }

  /**
   * What one map task did: its host, its times, and how many of its bytes had a replica on that
   * host. Written as a line of JSON.
   *
   * <p>Bytes without a replica here are counted by the hosts that have one; how far those are is
   * the client's to say, which knows the topology.
   */
  private static final class TaskRecord {
    private static final String NODE_MANAGER = "NM_HOST";

    private final TaskAttemptID attempt;
    private final Set<String> names;
    private final long started;
    private final Map<List<String>, Long> elsewhere = new LinkedHashMap<>();
    private long local;
    private long records;

    TaskRecord(TaskAttemptID attempt, long started) {
      this.attempt = attempt;
      this.names = ownNames();
      this.started = started;
    }

    /** How this host is called: by YARN first, since that is what it compares locations with. */
    private static Set<String> ownNames() {
      Set<String> names = new LinkedHashSet<>();
      String nodeManager = System.getenv(NODE_MANAGER);
      if (nodeManager != null) {
        names.add(nodeManager);
      }
      try {
        InetAddress own = InetAddress.getLocalHost();
        names.add(own.getHostName());
        names.add(own.getCanonicalHostName());
        names.add(own.getHostAddress());
      } catch (UnknownHostException e) {
        names.add("localhost");
      }
      return names;
    }

    void read(List<String> hosts, long bytes, long whole) {
      records += whole;
      if (hosts.stream().anyMatch(names::contains)) {
        local += bytes;
      } else {
        elsewhere.merge(hosts, bytes, Long::sum);
      }
    }

    long localBytes() {
      return local;
    }

    long remoteBytes() {
      return elsewhere.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The line.
     *
     * @param ended milliseconds since 1970
     * @param cpuNanos CPU time of the thread that read and checked, or -1
     */
    String json(long ended, long cpuNanos) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("attempt", attempt.toString());
      line.put("host", names.iterator().next());
      line.put("started", started);
      line.put("ended", ended);
      line.put("cpuNanos", cpuNanos);
      line.put("records", records);
      line.put("bytesHere", local);
      List<Object> rest = new ArrayList<>();
      for (Map.Entry<List<String>, Long> entry : elsewhere.entrySet()) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("bytes", entry.getValue());
        item.put("hosts", entry.getKey());
        rest.add(item);
      }
      line.put("bytesElsewhere", rest);
      return Json.compact(line);
    }
  }
}
