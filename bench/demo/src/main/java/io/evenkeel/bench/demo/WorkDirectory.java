package io.evenkeel.bench.demo;

import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.OutputFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * The directory {@code work} below {@code --out}, which one demo at a time owns. A lock of the
 * operating system guards it, so a demo that was killed never bars the next. Only a directory that
 * carries a demo's mark is ever removed. Confined to one thread, except that {@link #release} may
 * run in a shutdown hook.
 */
final class WorkDirectory {
  static final String MARK = "made-by-evenkeel-demo";

  /** What is locked: the log file, see {@link #lock}. */
  static final String LOCKED = "demo.log";

  private static final int DELETE_ATTEMPTS = 20;
  private static final long DELETE_PAUSE_MILLIS = 100;

  private final Path out;
  private final Path path;
  private final FileChannel channel;

  private WorkDirectory(Path out, FileChannel channel) {
    this.out = out;
    this.path = out.resolve("work");
    this.channel = channel;
  }

  /**
   * Creates {@code out} where it is missing and takes its lock, which is on the log file: that
   * stays when the demo has ended, so nobody can lock a file that is being removed.
   *
   * @throws CommandException when it cannot be written or another demo uses it
   */
  static WorkDirectory lock(Path out) throws IOException {
    try {
      Files.createDirectories(out);
      FileChannel channel =
          FileChannel.open(
              out.resolve(LOCKED), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new CommandException(
            ExitCode.COULD_NOT_RUN,
            "another demo is using --out " + out + "; wait for it or choose another --out");
      }
      return new WorkDirectory(out, channel);
    } catch (FileSystemException e) {
      throw unwritable(out, e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // by this JVM
    }
  }

  /** Makes it empty but for its mark and the directory {@code tmp}. */
  void create() throws IOException {
    try {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !removable()) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN,
            path + " exists and is not from a demo; move it away or choose another --out");
      }
      deleteTree();
      Files.createDirectories(path);
      Files.createFile(path.resolve(MARK));
      Files.createDirectories(path.resolve("tmp"));
    } catch (FileSystemException e) {
      throw unwritable(out, e);
    }
  }

  private boolean removable() throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return Files.exists(path.resolve(MARK)) || entries.findAny().isEmpty();
    }
  }

  /** The directory itself. */
  Path path() {
    return path;
  }

  /**
   * Removes it unless it is to be kept, and lets the next demo in; does nothing a second time, when
   * the shutdown hook and the end of the demo both come to it.
   */
  synchronized void release(boolean keep) {
    if (!channel.isOpen()) {
      return;
    }
    try {
      if (!keep && Files.exists(path.resolve(MARK))) {
        deleteTree();
      }
    } catch (IOException e) {
      System.err.println("evenkeel: could not remove " + path + ": " + e);
    }
    try {
      channel.close();
    } catch (IOException e) {
      System.err.println("evenkeel: could not unlock " + out.resolve(LOCKED) + ": " + e);
    }
  }

  static CommandException unwritable(Path out, FileSystemException e) {
    return OutputFile.failure("--out", out, e);
  }

  /**
   * Removes it, the mark last, so that an interrupted removal can be taken up again. A process that
   * is just ending may still add files, hence several attempts.
   */
  private void deleteTree() throws IOException {
    for (int attempt = 1; Files.exists(path, LinkOption.NOFOLLOW_LINKS); attempt++) {
      try {
        deleteOnce();
      } catch (IOException e) {
        if (attempt == DELETE_ATTEMPTS) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(DELETE_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while removing files", e);
    }
  }

  private void deleteOnce() throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      for (Path entry : entries.filter(e -> !e.endsWith(MARK)).toList()) {
        Trees.delete(entry);
      }
    }
    Trees.delete(path);
  }
}
