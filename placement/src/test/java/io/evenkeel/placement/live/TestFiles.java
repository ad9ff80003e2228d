package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files with content that can be told from their names. Thread-safe. */
final class TestFiles {
  private final FileSystem fs;
  private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

  TestFiles(FileSystem fs) {
    this.fs = fs;
  }

  /** Writes {@code count} files of {@code bytes} each. */
  void write(String prefix, int count, int bytes) throws IOException {
    for (int i = 0; i < count; i++) {
      write(prefix + i, bytes);
    }
  }

  void write(String name, int bytes) throws IOException {
    try (OutputStream out = fs.create(new Path(name))) {
      out.write(content(name, bytes));
    }
    sizes.put(name, bytes);
  }

  private static byte[] content(String name, int bytes) {
    byte[] content = new byte[bytes];
    new Random(name.hashCode()).nextBytes(content);
    return content;
  }

  /** Number of files completely written. */
  int count() {
    return sizes.size();
  }

  /** Every file that was written is there, byte for byte. */
  void check() throws IOException {
    assertThat(sizes).isNotEmpty();
    for (Map.Entry<String, Integer> file : sizes.entrySet()) {
      try (InputStream in = fs.open(new Path(file.getKey()))) {
        boolean equal =
            java.util.Arrays.equals(in.readAllBytes(), content(file.getKey(), file.getValue()));
        assertThat(equal).as("content of " + file.getKey()).isTrue();
      }
    }
  }
}
