package io.evenkeel.common.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the directories of {@code @TempDir}, and deletes them after the test. JUnit's own deletion
 * fails a test that has passed when a thread of a stopped daemon still writes or deletes a file
 * meanwhile; this one starts again until nothing is left. The parent pom names it to JUnit, with
 * JUnit's own deletion off. One instance serves one directory.
 */
public final class TempDirs implements TempDirFactory {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Path directory;

  /** For JUnit. */
  public TempDirs() {}

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    directory = Files.createTempDirectory("junit-");
    return directory;
  }

  @Override
  public void close() throws IOException {
    if (directory == null) {
      return;
    }
    try {
      Await.until(
          directory + " is deleted",
          LIMIT,
          this::delete,
          () -> Arrays.toString(directory.toFile().list()));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot delete " + directory, e);
    }
  }

  /** Whether nothing is left. */
  private boolean delete() throws IOException {
    if (Files.notExists(directory)) {
      return true;
    }
    try {
      Files.walkFileTree(directory, new Deletion());
      return true;
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      return false; // somebody wrote or deleted meanwhile
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
      // Tests take permissions away and do not always give them back.
      File file = dir.toFile();
      boolean ours = file.setReadable(true) && file.setWritable(true) && file.setExecutable(true);
      return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, IOException failed) throws IOException {
      if (failed != null) {
        throw failed;
      }
      Files.delete(dir);
      return FileVisitResult.CONTINUE;
    }
  }
}
