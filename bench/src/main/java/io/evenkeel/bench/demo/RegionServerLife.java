package io.evenkeel.bench.demo;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
final class RegionServerLife {
  /** A directory of HBase and the storage policy an operator gives it. */
  enum Directory {
    LOGS("WALs", "ALL_SSD", StorageType.SSD),
    TEMPORARY(".tmp", "HOT", StorageType.DISK),
    STORE("data/t/r/cf", "ALL_SSD", StorageType.SSD),
    ARCHIVE("archive", "COLD", StorageType.ARCHIVE);

    private final String name;
    private final String policy;
    private final StorageType type;

    Directory(String name, String policy, StorageType type) {
      this.name = name;
      this.policy = policy;
      this.type = type;
    }

    /** Name of its storage policy. */
    String policy() {
      return policy;
    }

    /** Where that policy wants all replicas. */
    StorageType type() {
      return type;
    }
  }

  /** How store files get their place. */
  interface Renames {
    void rename(Path source, Path destination) throws IOException;
  }

  private static final int LOG_RECORD_BYTES = 2048;
  private static final int LOG_RECORDS = 100;

  private final DistributedFileSystem fs;
  private final Map<Directory, Path> directories = new EnumMap<>(Directory.class);
  private final int storeFileBytes;
  private int names;

  /**
   * Takes a file system.
   *
   * @param root directory of HBase
   * @param storeFileBytes size of a store file that is flushed
   */
  RegionServerLife(DistributedFileSystem fs, Path root, int storeFileBytes) {
    this.fs = fs;
    this.storeFileBytes = storeFileBytes;
    for (Directory directory : Directory.values()) {
      directories.put(directory, new Path(root, directory.name));
    }
  }

  /** Renames by our mover; returns when the file has its new name or the rename was refused. */
  static Renames by(FileMover mover) {
    return (source, destination) -> {
      CompletableFuture<MoveReport> moved = mover.rename(source, destination);
      if (moved.isCompletedExceptionally()) {
        settled(moved);
      }
    };
  }

  private static MoveReport settled(CompletableFuture<MoveReport> moved) throws IOException {
    try {
      return moved.get();
    } catch (ExecutionException e) {
      throw new IOException("the rename failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a file was moved");
    }
  }

  /** Its path. */
  Path path(Directory directory) {
    return directories.get(directory);
  }

  /** Makes the directories and sets their policies: what an operator does once. */
  void prepare() throws IOException {
    for (Directory directory : Directory.values()) {
      Path path = directories.get(directory);
      fs.mkdirs(path);
      fs.setStoragePolicy(path, directory.policy);
    }
  }

  /** Writes a log with an hflush after each record, and closes it. */
  Path log() throws IOException {
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

  /** Writes a store file and renames it into the store. */
  Path flush(Renames renames) throws IOException {
    Path written = next(Directory.TEMPORARY);
    byte[] content = new byte[storeFileBytes];
    Arrays.fill(content, (byte) names);
    try (FSDataOutputStream out = fs.create(written)) {
      out.write(content);
    }
    return moved(written, Directory.STORE, renames);
  }

  /** Writes one store file of several and renames it into the store; these stay as they are. */
  Path compact(List<Path> files, Renames renames) throws IOException {
    Path written = next(Directory.TEMPORARY);
    try (FSDataOutputStream out = fs.create(written)) {
      for (Path file : files) {
        try (FSDataInputStream in = fs.open(file)) {
          in.transferTo(out);
        }
      }
    }
    return moved(written, Directory.STORE, renames);
  }

  /** Renames store files that a compaction replaced into the archive. */
  List<Path> archive(List<Path> files, Renames renames) throws IOException {
    List<Path> archived = new ArrayList<>();
    for (Path file : files) {
      archived.add(moved(file, Directory.ARCHIVE, renames));
    }
    return archived;
  }

  private Path moved(Path file, Directory directory, Renames renames) throws IOException {
    Path destination = new Path(directories.get(directory), file.getName());
    renames.rename(file, destination);
    return destination;
  }

  private Path next(Directory directory) {
    return new Path(directories.get(directory), "file-" + ++names);
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
