package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A process that asks of a NameNode what a few region servers do, until it is killed: logs of
 * records that are flushed, rolled and archived, store files that are written, renamed and deleted,
 * some appended to and truncated, and snapshots. Ends with an exception when a call fails.
 */
final class RegionLoad {
  private static final Path ROOT = new Path("/hbase");
  private static final int LOG_WRITERS = 4;
  private static final int LOG_RECORDS = 40;
  private static final int RECORD_BYTES = 2 << 10;
  private static final long RECORD_PAUSE_MILLIS = 10;
  private static final int STORE_WRITERS = 2;
  private static final int STORE_BYTES = 2 * MoverTestCluster.BLOCK;
  private static final long STORE_PAUSE_MILLIS = 300;
  private static final long SNAPSHOT_PAUSE_MILLIS = 3_000;
  private static final int KEPT = 10;

  private final DistributedFileSystem fs;

  private RegionLoad(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** Runs with the file system of the configuration on the class path. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    new RegionLoad((DistributedFileSystem) ROOT.getFileSystem(conf)).run();
  }

  private void run() throws Exception {
    fs.mkdirs(ROOT);
    fs.allowSnapshot(ROOT);
    List<Callable<Void>> works = new ArrayList<>();
    for (int i = 0; i < LOG_WRITERS; i++) {
      Path directory = directory("log" + i);
      works.add(() -> writeLogs(directory));
    }
    for (int i = 0; i < STORE_WRITERS; i++) {
      Path directory = directory("store" + i);
      works.add(() -> writeStores(directory));
    }
    works.add(this::makeSnapshots);
    ExecutorService threads = Executors.newFixedThreadPool(works.size());
    try {
      CompletionService<Void> running = new ExecutorCompletionService<>(threads);
      for (Callable<Void> work : works) {
        Future<Void> unused = running.submit(work);
      }
      running.take().get(); // none ends without a failure
    } finally {
      threads.shutdownNow();
    }
  }

  private Path directory(String name) throws IOException {
    Path directory = new Path(ROOT, name);
    fs.mkdirs(directory);
    return directory;
  }

  private Void writeLogs(Path directory) throws IOException, InterruptedException {
    Deque<Path> archived = new ArrayDeque<>();
    for (int number = 0; true; number++) {
      Path log = new Path(directory, "wal-" + number);
      try (FSDataOutputStream out = fs.create(log)) {
        for (int i = 0; i < LOG_RECORDS; i++) {
          record(out);
          Await.pause(RECORD_PAUSE_MILLIS);
        }
      }
      Path old = new Path(directory, "old-" + number);
      rename(log, old);
      keep(archived, old);
    }
  }

  private Void writeStores(Path directory) throws IOException, InterruptedException {
    Deque<Path> kept = new ArrayDeque<>();
    for (int number = 0; true; number++) {
      Path written = new Path(directory, "tmp-" + number);
      try (FSDataOutputStream out = fs.create(written)) {
        out.write(new byte[STORE_BYTES]);
      }
      Path store = new Path(directory, "store-" + number);
      rename(written, store);
      if (number % 5 == 1) {
        try (FSDataOutputStream out = fs.append(store)) {
          record(out);
        }
      } else if (number % 5 == 2) {
        fs.truncate(store, MoverTestCluster.BLOCK);
      }
      keep(kept, store);
      Await.pause(STORE_PAUSE_MILLIS);
    }
  }

  private Void makeSnapshots() throws IOException, InterruptedException {
    String last = null;
    for (int number = 0; true; number++) {
      String name = "s" + number;
      fs.createSnapshot(ROOT, name);
      if (last != null) {
        fs.deleteSnapshot(ROOT, last);
      }
      last = name;
      Await.pause(SNAPSHOT_PAUSE_MILLIS);
    }
  }

  private static void record(FSDataOutputStream out) throws IOException {
    out.write(new byte[RECORD_BYTES]);
    out.hflush();
  }

  private void rename(Path source, Path destination) throws IOException {
    if (!fs.rename(source, destination)) {
      throw new IOException("not renamed: " + source);
    }
  }

  private void keep(Deque<Path> files, Path file) throws IOException {
    files.add(file);
    if (files.size() > KEPT) {
      fs.delete(files.remove(), false);
    }
  }
}
