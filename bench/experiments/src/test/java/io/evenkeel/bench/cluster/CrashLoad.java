package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
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
  private boolean appends = true;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
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

  /**
   * An operation that failed.
   *
   * @param operation what was done, without the file's name
   */
  record Failure(Path file, String operation, IOException cause) {}

  /** A writer that does nothing yet. */
  CrashLoad(String name, long seed, Replication replication) {
    this.name = name;
    this.replication = replication;
    this.random = new Random(seed);
  }

  /** Never appends: the NameNode does not allow it for files in memory. */
  CrashLoad withoutAppends() {
    appends = false;
    return this;
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

  /** What failed since this was called last; the writer is stopped. */
  List<Failure> takeFailures() {
    List<Failure> taken = List.copyOf(failures);
    failures.clear();
    return taken;
  }

  /** Has the NameNode delete a replica of some files; the writer is stopped. */
  void lowerReplication(FileSystem fs) throws IOException {
    for (CrashFile file : files) {
      if (replication != Replication.TWO && file.usable() && random.nextInt(3) == 0) {
        file.hasOneReplica();
        fs.setReplication(file.path(), (short) 1);
      }
    }
  }

  private void run(FileSystem fs) {
    while (running) {
      List<CrashFile> usable = files.stream().filter(CrashFile::usable).toList();
      int dice = random.nextInt(10);
      if (usable.isEmpty() || (usable.size() < FILES && dice < 4)) {
        create(fs);
      } else {
        use(fs, usable.get(random.nextInt(usable.size())), dice);
      }
    }
  }

  private interface Act {
    void act() throws IOException;
  }

  private void attempt(String operation, Path file, Act act) {
    try {
      act.act();
      done.incrementAndGet();
    } catch (IOException e) {
      failed.incrementAndGet();
      failures.add(new Failure(file, operation, e));
      System.out.println(operation + " " + file + ": " + e);
      pause();
    }
  }

  private static void pause() {
    try {
      Await.pause(PAUSE_AFTER_FAILURE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void use(FileSystem fs, CrashFile file, int dice) {
    Path path = file.path();
    if (appends && dice < 7 && file.acknowledged() < MOST_BYTES) {
      attempt("append", path, () -> file.write(fs.append(path), chunks()));
    } else if (dice < 8 && (appends || dice > 4)) {
      attempt("delete", path, () -> file.delete(fs));
    } else {
      short lowered = replication == Replication.LOWERED_UNDER_LOAD ? replicas() : 2;
      if (lowered == 1) {
        file.hasOneReplica();
      }
      attempt("setReplication", path, () -> fs.setReplication(path, lowered));
    }
  }

  private void create(FileSystem fs) {
    int number = created++;
    Path path = new Path("/" + name, String.valueOf(number));
    attempt(
        "create",
        path,
        () -> {
          short replicas = replicas();
          FSDataOutputStream out = fs.create(path, false, 4096, replicas, BLOCK);
          CrashFile file = new CrashFile(path, number);
          if (replicas == 1) {
            file.hasOneReplica();
          }
          files.add(file);
          file.write(out, chunks());
        });
  }

  private short replicas() {
    return (short) (replication == Replication.TWO ? 2 : 1 + random.nextInt(2));
  }

  private int[] chunks() {
    return random.ints(1 + random.nextInt(CHUNKS), 1, CHUNK_BYTES).toArray();
  }
}
