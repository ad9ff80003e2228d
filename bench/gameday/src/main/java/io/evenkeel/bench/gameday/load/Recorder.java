package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.Close;
import io.evenkeel.bench.gameday.history.Operation.Concat;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.Delete;
import io.evenkeel.bench.gameday.history.Operation.DeleteSnapshot;
import io.evenkeel.bench.gameday.history.Operation.Rename;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import io.evenkeel.bench.gameday.history.Operation.SetStoragePolicy;
import io.evenkeel.bench.gameday.history.Operation.Snapshot;
import io.evenkeel.bench.gameday.history.Operation.Sync;
import io.evenkeel.bench.gameday.history.Operation.Truncate;
import io.evenkeel.bench.gameday.history.Operation.Write;
import io.evenkeel.bench.gameday.history.Reading;
import io.evenkeel.bench.gameday.history.Timeline;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Does the operations of one writer and has them in the history. After an error it keeps the paths
 * as unsettled; they are to be left alone until {@link #settle} has seen what is so. Confined to
 * one thread.
 */
final class Recorder {
  /** In every path of a file in a snapshot. */
  static final String SNAPSHOTS = "/.snapshot/";

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int TRUNCATE_CHECKS = 300;
  private static final long TRUNCATE_CHECK_MILLIS = 100;

  private final DistributedFileSystem fs;
  private final History history;
  private final Timeline timeline;
  private final String writer;
  private final Set<String> unsettled = new LinkedHashSet<>();
  private final byte[] buffer = new byte[CHUNK_BYTES];

  /** What is asked of HDFS. */
  interface Call<T> {
    T run() throws IOException;
  }

  Recorder(DistributedFileSystem fs, History history, Timeline timeline, String writer) {
    this.fs = fs;
    this.history = history;
    this.timeline = timeline;
    this.writer = writer;
  }

  /** Name of the writer. */
  String writer() {
    return writer;
  }

  private <T> T perform(Operation operation, Call<T> call) throws IOException {
    History.Pending pending = history.begin(writer, operation);
    try {
      T result = call.run();
      pending.acknowledged();
      return result;
    } catch (IOException | RuntimeException e) {
      pending.inDoubt();
      unsettled.addAll(pending.paths());
      refused(timeline, writer, operation.getClass().getSimpleName(), e);
      throw e instanceof IOException io ? io : new IOException(e);
    }
  }

  /** Counts an exception, under the class that the server threw when it came from there. */
  static void refused(Timeline timeline, String thread, String operation, Exception e) {
    String type =
        e instanceof RemoteException remote ? remote.getClassName() : e.getClass().getName();
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    timeline.refused(thread, operation, type.substring(type.lastIndexOf('.') + 1), message);
  }

  FSDataOutputStream create(Create create) throws IOException {
    return perform(
        create,
        () ->
            fs.create(
                new Path(create.path()),
                false,
                CHUNK_BYTES,
                (short) create.replication(),
                LoadPlan.BLOCK_BYTES));
  }

  FSDataOutputStream append(String path) throws IOException {
    return perform(new Append(path), () -> fs.append(new Path(path)));
  }

  /**
   * Writes bytes of the content, which is the file's own, at the end of the file. After an error
   * the stream is closed.
   */
  void write(String path, FSDataOutputStream out, Content content, long bytes, Sync sync)
      throws IOException {
    Call<Void> call =
        () -> {
          long end = out.getPos() + bytes;
          while (out.getPos() < end) {
            int length = (int) Math.min(CHUNK_BYTES, end - out.getPos());
            content.fill(out.getPos(), buffer, 0, length);
            out.write(buffer, 0, length);
          }
          switch (sync) {
            case HFLUSH -> out.hflush();
            case HSYNC -> out.hsync();
            case BUFFERED -> {}
          }
          return null;
        };
    try {
      perform(new Write(path, bytes, sync), call);
    } catch (IOException e) {
      abandon(out);
      throw e;
    }
  }

  void close(String path, FSDataOutputStream out) throws IOException {
    perform(
        new Close(path),
        () -> {
          out.close();
          return null;
        });
  }

  private static void abandon(FSDataOutputStream out) {
    try {
      out.close();
    } catch (IOException | RuntimeException e) {
      return; // the error before it has been counted
    }
  }

  void truncate(String path, long length) throws IOException {
    perform(
        new Truncate(path, length),
        () -> {
          boolean closed = fs.truncate(new Path(path), length);
          for (int i = 0; i < TRUNCATE_CHECKS && !closed; i++) {
            pause(TRUNCATE_CHECK_MILLIS);
            closed = fs.isFileClosed(new Path(path));
          }
          // A NameNode of stock that is restarted meanwhile recovers the last block uncut.
          return confirmed(closed && fs.getFileStatus(new Path(path)).getLen() == length);
        });
  }

  void rename(String path, String target) throws IOException {
    perform(new Rename(path, target), () -> confirmed(fs.rename(new Path(path), new Path(target))));
  }

  void delete(String path) throws IOException {
    perform(new Delete(path), () -> confirmed(fs.delete(new Path(path), false)));
  }

  void concat(String path, List<String> sources) throws IOException {
    perform(
        new Concat(path, sources),
        () -> {
          fs.concat(new Path(path), sources.stream().map(Path::new).toArray(Path[]::new));
          return null;
        });
  }

  void setReplication(String path, int replication) throws IOException {
    perform(
        new SetReplication(path, replication),
        () -> confirmed(fs.setReplication(new Path(path), (short) replication)));
  }

  void setStoragePolicy(String path, String policy) throws IOException {
    perform(
        new SetStoragePolicy(path, policy),
        () -> {
          fs.setStoragePolicy(new Path(path), policy);
          return null;
        });
  }

  void snapshot(String directory, String name) throws IOException {
    perform(new Snapshot(directory, name), () -> fs.createSnapshot(new Path(directory), name));
  }

  void deleteSnapshot(String directory, String name) throws IOException {
    perform(
        new DeleteSnapshot(directory, name),
        () -> {
          fs.deleteSnapshot(new Path(directory), name);
          return null;
        });
  }

  private static boolean confirmed(boolean done) throws IOException {
    if (!done) {
      throw new IOException("HDFS answered false");
    }
    return true;
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the load was given up");
    }
  }

  /** The paths that are in doubt. */
  Set<String> unsettled() {
    return unsettled;
  }

  /**
   * Looks once at each path that is in doubt.
   *
   * @return those that now certainly have a file that is closed and can be changed
   */
  List<String> settle() {
    List<String> files = new ArrayList<>();
    for (String path : List.copyOf(unsettled)) {
      try {
        if (path.contains(SNAPSHOTS) || fs.recoverLease(new Path(path))) {
          read(fs, path, history.settling(path), buffer);
          unsettled.remove(path);
          files.add(path);
        }
      } catch (FileNotFoundException e) {
        history.settling(path).absent();
        unsettled.remove(path);
      } catch (IOException e) {
        continue; // no refusal of the load: it is tried until it succeeds
      }
    }
    files.removeIf(path -> path.contains(SNAPSHOTS));
    files.removeAll(history.doubtful()); // what is in doubt still is a finding
    return files;
  }

  /**
   * Stock's client throws an IllegalStateException where a block has become shorter, as by a
   * recovery, while it looks for another replica.
   */
  static <T> T answered(Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
  }

  /** Reads a file from its beginning to its end and has it judged. */
  static void read(DistributedFileSystem fs, String path, Reading reading, byte[] buffer)
      throws IOException {
    long position = 0;
    try (FSDataInputStream in = fs.open(new Path(path))) {
      Call<Integer> call = () -> in.read(buffer);
      for (int n = answered(call); n >= 0; n = answered(call)) {
        reading.bytes(position, buffer, 0, n);
        position += n;
      }
    }
    reading.whole(position);
  }
}
