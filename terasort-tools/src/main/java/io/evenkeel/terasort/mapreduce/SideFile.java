package io.evenkeel.terasort.mapreduce;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * A text file beside a task's output. It stands in the attempt's own directory until the attempt
 * commits, so a killed or speculative attempt leaves nothing. Confined to one thread.
 */
final class SideFile implements AutoCloseable {
  private final Writer out;

  private SideFile(Writer out) {
    this.out = out;
  }

  static SideFile create(TaskInputOutputContext<?, ?, ?, ?> context, String name)
      throws IOException, InterruptedException {
    Path path = new Path(FileOutputFormat.getWorkOutputPath(context), name);
    return new SideFile(
        new BufferedWriter(
            new OutputStreamWriter(
                path.getFileSystem(context.getConfiguration()).create(path, true),
                StandardCharsets.UTF_8)));
  }

  void line(String text) {
    try {
      out.write(text);
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
