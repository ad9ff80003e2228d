package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class TempDirsTest {
  private static Path ofATest;

  @TempDir Path dir;

  /** What a stopped daemon's threads do for a moment; JUnit's own deletion throws then. */
  @Test
  void somebodyWritesMeanwhile_isDeletedOnceHeEnds() throws Exception {
    TempDirs dirs = new TempDirs();
    Path made = dirs.createTempDirectory(null, null);
    Path current = Files.createDirectories(made.resolve("current"));
    Thread writer =
        new Thread(
            () -> {
              boolean exists = true;
              for (int i = 0; exists && i < 2_000; i++) { // or it may be faster for ever
                exists = write(current.resolve("sub" + i % 3).resolve("file" + i));
              }
            });
    writer.start();
    Await.until("it writes", () -> Files.exists(current.resolve("sub2/file20")));
    dirs.close();
    writer.join();
    assertThat(made).doesNotExist();
  }

  /** Whether there was a directory for it. */
  private static boolean write(Path file) {
    try {
      if (Files.notExists(file.getParent())) {
        Files.createDirectory(file.getParent());
      }
      Files.write(file, new byte[10]);
      return true;
    } catch (IOException e) {
      return Files.exists(file.getParent().getParent());
    }
  }

  @Test
  void nothingWasMade_nothingIsDone() throws IOException {
    new TempDirs().close();
  }

  @Test
  void permissionsWereTaken_isDeleted() throws IOException {
    TempDirs dirs = new TempDirs();
    Path made = dirs.createTempDirectory(null, null);
    Path sub = Files.createDirectories(made.resolve("a/b"));
    Files.write(sub.resolve("file"), new byte[10]);
    assertThat(sub.toFile().setWritable(false)).isTrue();
    assertThat(sub.toFile().setReadable(false)).isTrue();
    dirs.close();
    assertThat(made).doesNotExist();
  }

  /** The parent pom names it. */
  @Test
  void junitUsesIt() throws IOException {
    Files.write(dir.resolve("file"), new byte[10]);
    ofATest = dir;
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(ofATest.getFileName().toString()).startsWith("junit-");
    assertThat(ofATest).doesNotExist();
  }
}
