package io.evenkeel.volume.live;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small file systems in memory, one per directory; only root on Linux can make them. */
final class SmallDisks implements AutoCloseable {
  private final List<Path> mounted = new ArrayList<>();

  /** Mounts so many of so many MiB each below a directory; where that is not allowed, skips. */
  SmallDisks(Path base, int count, int mebibytes) throws Exception {
    this(base, count, mebibytes, 0);
  }

  /** The same with so many inodes each; 0 for as many as there is memory for. */
  SmallDisks(Path base, int count, int mebibytes, int inodes) throws Exception {
    String size = "size=" + mebibytes + "m,nr_inodes=" + inodes;
    for (int i = 0; i < count; i++) {
      Path directory = Files.createDirectory(base.resolve("volume" + i));
      String said = run("mount", "-t", "tmpfs", "-o", size, "none", directory);
      if (!said.isEmpty()) {
        close();
        assumeTrue(false, "no file system can be mounted: " + said);
      }
      mounted.add(directory);
    }
  }

  List<Path> directories() {
    return List.copyOf(mounted);
  }

  @Override
  public void close() throws Exception {
    for (Path directory : mounted) {
      // Lazily: a thread of a DataNode that has been stopped may still hold a file open.
      run("umount", "-l", directory);
    }
  }

  /** What the command said; empty when it succeeded. */
  private static String run(Object... command) throws Exception {
    List<String> words = new ArrayList<>();
    for (Object word : command) {
      words.add(word.toString());
    }
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      return code == 0 ? "" : "exit code " + code + " " + said.trim();
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
