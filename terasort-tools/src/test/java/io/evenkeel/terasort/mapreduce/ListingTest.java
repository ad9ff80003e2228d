package io.evenkeel.terasort.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.terasort.core.dataset.InputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once") // says nothing about a Hadoop release
class ListingTest {
  /** Its files have no room, and their streams say so as those of HDFS do. */
  public static final class FullFileSystem extends RawLocalFileSystem {
    @Override
    public FSDataOutputStream create(
        Path file,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      super.create(file, overwrite, bufferSize, replication, blockSize, progress).close();
      IOException full = new IOException("no room");
      OutputStream stream =
          new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
              throw full;
            }

            @Override
            public void close() throws IOException {
              throw full;
            }
          };
      return new FSDataOutputStream(stream, null);
    }
  }

  @Test
  void write_noRoom_saysSoAndRemovesTheDirectory(@TempDir java.nio.file.Path dir) {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", FullFileSystem.class, RawLocalFileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    List<InputFile> files =
        IntStream.range(0, 1_000).mapToObj(i -> new InputFile("/d/part-" + i, 7, 0, i)).toList();
    Path listing = new Path(dir.resolve("job").toUri().toString(), "listing");

    assertThatThrownBy(() -> new Listing(files, List.of(), Map.of()).write(listing, conf, () -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("no room");
    assertThat(Files.exists(dir.resolve("job"))).isFalse();
  }
}
