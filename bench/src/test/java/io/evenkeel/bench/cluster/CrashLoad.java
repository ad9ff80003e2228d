package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * One writer that creates, appends, flushes, deletes and changes the replication of files of its
 * own, whatever happens to DataNodes. Its files are read by another thread only while it is
 * stopped.
 */
final class CrashLoad {
  static final int BLOCK = 64 << 10;

  private static final int FILES = 40;
  private static final int CHUNKS = 6;
  private static final int CHUNK_BYTES = 40_000;
  private static final long MOST_BYTES = 400_000;
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
  private static final long END_LIMIT_MILLIS = 180_000;

  private final String name;
  private final Random random;
  private final Replication replication;
  private final List<CrashFile> files = new ArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private int created;
  private volatile boolean running;
  private volatile Throwable broken; // what ended the writer against its will
  private Thread thread;

  /** How many replicas its files have. */
  enum Replication {
    /**
     * Always two. Of one whose disk stalls while it is written, acknowledged bytes of the last
     * checksum's chunk can be lost with any dataset, as data and checksum are written in turn.
     */
    TWO,
    /** One or two, two when it changes while DataNodes may be down, lowered when all are there. */
    ONE_OR_TWO,
    /** One or two, also lowered while DataNodes may be down. */
    LOWERED_UNDER_LOAD
  }

  /** A writer that does nothing yet. */
  CrashLoad(String name, long seed, Replication replication) {
    this.name = name;
    this.replication = replication;
    this.random = new Random(seed);
  }

  void start(FileSystem fs) {
    running = true;
    thread = new Thread(() -> run(fs), name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> broken = e);
    thread.start();
  }

  /** Returns when the writer has ended what it was at. */
  void stop() throws InterruptedException {
    running = false;
    thread.join(END_LIMIT_MILLIS);
    if (thread.isAlive()) {
      AssertionError stuck = new AssertionError(name + " does not end");
      stuck.setStackTrace(thread.getStackTrace());
      throw stuck;
    }
    if (broken != null) {
      throw new AssertionError(name + " broke", broken);
    }
  }

  List<CrashFile> files() {
    return files;
  }

  int done() {
    return done.get();
  }

  int failed() {
    return failed.get();
  }

  /** Has the NameNode delete a replica of some files; the writer is stopped. */
  void lowerReplication(FileSystem fs) throws IOException {
    for (CrashFile file : files) {
      if (replication != Replication.TWO && file.usable() && random.nextInt(3) == 0) {
        fs.setReplication(file.path(), (short) 1);
      }
    }
  }

  private void run(FileSystem fs) {
    while (running) {
      try {
        step(fs);
        done.incrementAndGet();
      } catch (IOException e) {
        failed.incrementAndGet();
        System.out.println(name + ": " + e);
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Await.pause(PAUSE_AFTER_FAILURE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step(FileSystem fs) throws IOException {
    List<CrashFile> usable = files.stream().filter(CrashFile::usable).toList();
    int dice = random.nextInt(10);
    if (usable.isEmpty() || (usable.size() < FILES && dice < 4)) {
      create(fs);
      return;
    }
    CrashFile file = usable.get(random.nextInt(usable.size()));
    if (dice < 7 && file.acknowledged() < MOST_BYTES) {
      file.write(fs.append(file.path()), chunks());
    } else if (dice < 8) {
      file.delete(fs);
    } else {
      boolean lowers = replication == Replication.LOWERED_UNDER_LOAD;
      fs.setReplication(file.path(), lowers ? replicas() : (short) 2);
    }
  }

  private void create(FileSystem fs) throws IOException {
    int number = created++;
    Path path = new Path("/" + name, String.valueOf(number));
    FSDataOutputStream out = fs.create(path, false, 4096, replicas(), BLOCK);
    CrashFile file = new CrashFile(path, number);
    files.add(file);
    file.write(out, chunks());
  }

  private short replicas() {
    return (short) (replication == Replication.TWO ? 2 : 1 + random.nextInt(2));
  }

  private int[] chunks() {
    return random.ints(1 + random.nextInt(CHUNKS), 1, CHUNK_BYTES).toArray();
  }
}
