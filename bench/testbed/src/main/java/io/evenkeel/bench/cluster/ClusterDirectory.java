package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.OutputFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of one cluster: whether it is ours, and one changing command at a time in it.
 *
 * <p>Only entries that a start made are ever deleted, and only in a directory that carries our
 * mark. Not thread-safe.
 */
final class ClusterDirectory implements AutoCloseable {
  private static final String MARK = ".evenkeel-cluster";
  private static final List<String> CONTENT =
      List.of(ClusterState.FILE, ClusterState.FILE + ".new", "hosts", "conf", "harness", "nodes");

  private final Path path;
  private final FileChannel channel;

  private ClusterDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Makes or takes over a directory for a start; refuses one that holds other things. */
  static ClusterDirectory claim(Path path) {
    if (path.toString().matches("(?s).*[,:;\\s${}].*")) {
      throw new CommandException(
          ExitCode.USAGE,
          "--dir " + path + ": choose a path without spaces and without any of , : ; $ { }");
    }
    try {
      Files.createDirectories(path);
      if (!Files.exists(path.resolve(MARK))) {
        try (Stream<Path> entries = Files.list(path)) {
          if (entries.findAny().isPresent()) {
            throw new CommandException(
                ExitCode.COULD_NOT_RUN,
                "--dir " + path + ": is not empty and holds no Evenkeel cluster; choose another");
          }
        }
      }
      return lock(path);
    } catch (IOException e) {
      throw OutputFile.failure("--dir", path, e);
    }
  }

  /** Opens the directory of a cluster that was started before. */
  static ClusterDirectory open(Path path) {
    if (!Files.exists(path.resolve(MARK))) {
      throw new CommandException(ExitCode.NOTHING_TO_DO, "there is no cluster in " + path);
    }
    try {
      return lock(path);
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, path + ": " + e, e);
    }
  }

  private static ClusterDirectory lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve(MARK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // another thread of this JVM: the same to the user
    }
    if (lock == null) {
      channel.close();
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "another cluster command is at work in " + path);
    }
    return new ClusterDirectory(path, channel);
  }

  /** Deletes what a start made; the directory too when nothing else is in it. */
  void delete() {
    try {
      for (String entry : CONTENT) {
        Trees.delete(path.resolve(entry));
      }
      Files.deleteIfExists(path.resolve(MARK));
      try (Stream<Path> left = Files.list(path)) {
        if (left.findAny().isPresent()) {
          return;
        }
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, "cannot delete " + path + ": " + e, e);
    }
  }

  /** Deletes what an earlier cluster left, before a new one is made. */
  void clear() throws IOException {
    for (String entry : CONTENT) {
      Trees.delete(path.resolve(entry));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock ends with this process at the latest.
    }
  }
}
