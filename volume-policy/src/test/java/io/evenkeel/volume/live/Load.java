package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Threads that write files of one block each, one after the other. Thread-safe. */
final class Load {
  private static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(120);

  /** A writer that fails so often has nothing more to tell. */
  private static final int FAILURES_PER_WRITER = 200;

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(50);

  private final DistributedFileSystem fs;
  private final InetSocketAddress[] dataNodes;
  private final String dir;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger allowed;
  private final Duration thinkTime;
  private final Queue<String> written = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** Starts writers of so many files in all, each of which pauses so long after a file. */
  Load(
      DistributedFileSystem fs,
      InetSocketAddress dataNode,
      String dir,
      int writers,
      int files,
      Duration thinkTime) {
    this.dataNodes = new InetSocketAddress[] {dataNode};
    this.fs = fs;
    this.dir = dir;
    this.allowed = new AtomicInteger(files);
    this.thinkTime = thinkTime;
    for (int i = 0; i < writers; i++) {
      Thread thread = new Thread(this::writeFiles, "writer-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void writeFiles() {
    int failed = 0;
    for (int i = begun.getAndIncrement(); i < allowed.get(); i = begun.getAndIncrement()) {
      String name = dir + "/" + i;
      try (FSDataOutputStream out = create(name)) {
        out.write(content(name));
      } catch (IOException | RuntimeException e) {
        failures.add(new IOException(name, e));
        if (++failed == FAILURES_PER_WRITER) {
          return;
        }
        Await.pauseUninterruptibly(AFTER_A_FAILURE);
        continue;
      }
      written.add(name);
      Await.pauseUninterruptibly(thinkTime);
    }
  }

  private FSDataOutputStream create(String name) throws IOException {
    int block = LiveDataNode.BLOCK_BYTES;
    return fs.create(
        new Path(name),
        FsPermission.getFileDefault(),
        true,
        4096,
        (short) 1,
        block,
        null,
        dataNodes);
  }

  private static byte[] content(String name) {
    byte[] bytes = new byte[LiveDataNode.BLOCK_BYTES];
    new SplittableRandom(name.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** Lets every writer finish its file; does not wait. */
  void stop() {
    allowed.set(0);
  }

  /** Waits until every writer has ended. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(LIMIT_MILLIS);
      assertThat(thread.isAlive()).as(thread.getName() + " of " + dir + " still writes").isFalse();
    }
  }

  /** Names of the files that are written and closed; in no order. */
  List<String> written() {
    return new ArrayList<>(written);
  }

  /** One for each file that could not be written, whose name is the message. */
  List<Throwable> failures() {
    return new ArrayList<>(failures);
  }

  /** Reads every written file and compares it with what was written. */
  void verify() throws IOException {
    verify(written());
  }

  /** Reads files and compares each with what was written. */
  void verify(List<String> files) throws IOException {
    for (String name : files) {
      byte[] read = new byte[LiveDataNode.BLOCK_BYTES];
      try (FSDataInputStream in = fs.open(new Path(name))) {
        in.readFully(0, read);
        assertThat(in.read(LiveDataNode.BLOCK_BYTES, new byte[1], 0, 1)).isEqualTo(-1);
      }
      assertThat(Arrays.equals(read, content(name))).as(name).isTrue();
    }
  }
}
