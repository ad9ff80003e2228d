package io.evenkeel.bench.demo;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What an HBase region server does with files, as far as storage types go: a log that is born where
 * it stays, and store files that are written in one directory and get their place by a rename. Not
 * thread-safe.
 */
final class RegionServerFiles {
  /** A directory of HBase and the storage policy an operator gives it. */
  enum Directory {
    LOGS("WALs", "ALL_SSD", StorageType.SSD),
    TEMPORARY(".tmp", "HOT", StorageType.DISK),
    STORE("data/t/r/cf", "ALL_SSD", StorageType.SSD),
    ARCHIVE("archive", "COLD", StorageType.ARCHIVE);

    private final String name;

    /** Name of its storage policy. */
    final String policy;

    /** Where that policy wants all replicas. */
    final StorageType type;

    Directory(String name, String policy, StorageType type) {
      this.name = name;
      this.policy = policy;
      this.type = type;
    }

    /** Its path below that of HBase. */
    Path in(Path root) {
      return new Path(root, name);
    }
  }

  /** What a region server does, one after the other, and where the files are then to be. */
  enum Step {
    LOGGED("log written", Directory.LOGS),
    FLUSHED("flushed, renamed into the store", Directory.STORE),
    COMPACTED("compacted, renamed into the store", Directory.STORE),
    ARCHIVED("renamed into the archive", Directory.ARCHIVE);

    final String words;
    final Directory directory;

    Step(String words, Directory directory) {
      this.words = words;
      this.directory = directory;
    }
  }

  /** Sees the files of each step. */
  interface Observer {
    /** Told after a step; {@code since} is the nanoTime at which its first rename began. */
    void after(Step step, List<Path> files, long since) throws IOException, InterruptedException;
  }

  /** How store files get their place. */
  interface Renames {
    void rename(Path source, Path destination) throws IOException;
  }

  private static final int LOG_RECORD_BYTES = 2048;
  private static final int LOG_RECORDS = 100;

  private final DistributedFileSystem fs;
  private final Path root;
  private final int storeFileBytes;
  private int names;

  /**
   * Takes a file system.
   *
   * @param root directory of HBase
   * @param storeFileBytes size of a store file that is flushed
   */
  RegionServerFiles(DistributedFileSystem fs, Path root, int storeFileBytes) {
    this.fs = fs;
    this.root = root;
    this.storeFileBytes = storeFileBytes;
  }

  /** The plain rename of HDFS. */
  static Renames plain(DistributedFileSystem fs) {
    return (source, destination) -> {
      if (!fs.rename(source, destination)) {
        throw new IOException("cannot rename " + source + " to " + destination);
      }
    };
  }

  /** Renames by our mover; returns when the file has its new name or the rename was refused. */
  static Renames by(FileMover mover) {
    return (source, destination) -> {
      CompletableFuture<MoveReport> moved = mover.rename(source, destination);
      if (moved.isCompletedExceptionally()) {
        try {
          moved.join();
        } catch (CompletionException e) {
          throw new IOException("the rename failed: " + e.getCause(), e);
        }
      }
    };
  }

  /** Its path. */
  Path path(Directory directory) {
    return directory.in(root);
  }

  /** Makes the directories and sets their policies: what an operator does once. */
  void prepare() throws IOException {
    for (Directory directory : Directory.values()) {
      fs.mkdirs(path(directory));
      fs.setStoragePolicy(path(directory), directory.policy);
    }
  }

  /** Writes a log, flushes some store files, compacts them into one and archives them. */
  void live(int flushes, Renames renames, Observer observer)
      throws IOException, InterruptedException {
    observer.after(Step.LOGGED, List.of(log()), System.nanoTime());
    List<Path> flushed = new ArrayList<>();
    for (int i = 0; i < flushes; i++) {
      flushed.add(next(Directory.TEMPORARY));
      writeStoreFile(flushed.get(i));
    }
    List<Path> stored = move(Step.FLUSHED, flushed, renames, observer);
    Path compacted = next(Directory.TEMPORARY);
    compact(stored, compacted);
    move(Step.COMPACTED, List.of(compacted), renames, observer);
    move(Step.ARCHIVED, stored, renames, observer);
  }

  private List<Path> move(Step step, List<Path> files, Renames renames, Observer observer)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    List<Path> moved = new ArrayList<>();
    for (Path file : files) {
      Path destination = new Path(path(step.directory), file.getName());
      renames.rename(file, destination);
      moved.add(destination);
    }
    observer.after(step, moved, since);
    return moved;
  }

  /** Writes a log with an hflush after each record, and closes it. */
  private Path log() throws IOException {
    Path log = next(Directory.LOGS);
    byte[] record = new byte[LOG_RECORD_BYTES];
    try (FSDataOutputStream out = fs.create(log)) {
      for (int i = 0; i < LOG_RECORDS; i++) {
        out.write(record);
        out.hflush();
      }
    }
    return log;
  }

  private void writeStoreFile(Path file) throws IOException {
    byte[] content = new byte[storeFileBytes];
    Arrays.fill(content, (byte) names);
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(content);
    }
  }

  /** Writes one store file of several; these stay as they are. */
  private void compact(List<Path> files, Path compacted) throws IOException {
    try (FSDataOutputStream out = fs.create(compacted)) {
      for (Path file : files) {
        try (FSDataInputStream in = fs.open(file)) {
          in.transferTo(out);
        }
      }
    }
  }

  private Path next(Directory directory) {
    return new Path(path(directory), "file-" + ++names);
  }

  /** Share of the replicas of files that are where the policy of a directory wants them. */
  double right(List<Path> files, Directory directory) throws IOException {
    int all = 0;
    int right = 0;
    for (Path file : files) {
      String name = file.toUri().getPath();
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        for (StorageType type : block.getStorageTypes()) {
          all++;
          right += type == directory.type ? 1 : 0;
        }
      }
    }
    return right / (double) all;
  }
}
