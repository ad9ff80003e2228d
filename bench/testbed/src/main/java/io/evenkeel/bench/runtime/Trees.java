package io.evenkeel.bench.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directory trees. Stateless. */
public final class Trees {
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 100;

  private Trees() {}

  /** What makes something in a directory. */
  public interface Maker<T> {
    /** Makes it. */
    T make() throws IOException, InterruptedException;
  }

  /** Makes something in a directory; when that fails, the directory is deleted with all in it. */
  public static <T> T orDelete(Path directory, Maker<T> maker)
      throws IOException, InterruptedException {
    boolean made = false;
    try {
      T result = maker.make();
      made = true;
      return result;
    } finally {
      if (!made) {
        delete(directory);
      }
    }
  }

  /**
   * Deletes what processes that were just ended may still add files to, hence in several attempts.
   */
  public static void deleteOfEnded(Path root) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        delete(root);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while deleting " + root, e);
      }
    }
  }

  /** Deletes a file or a directory with all that is in it; does nothing where nothing is. */
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
