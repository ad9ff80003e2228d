package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input and report on a file system as object stores are; here it is the local one. */
class ObjectStoreTest {
  private static final int BLOCK = 256;

  @TempDir private Path dir;

  /** Makes committers that leave hidden files behind, as the staging committers of S3A. */
  public static final class StagingFactory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(
        org.apache.hadoop.fs.Path output, TaskAttemptContext context) throws IOException {
      return new Staging(output, context);
    }
  }

  private static final class Staging extends FileOutputCommitter {
    Staging(org.apache.hadoop.fs.Path output, TaskAttemptContext context) throws IOException {
      super(output, context);
    }

    @Override
    public void commitTask(TaskAttemptContext context) throws IOException {
      FileSystem fs = getWorkPath().getFileSystem(context.getConfiguration());
      RemoteIterator<? extends FileStatus> files = fs.listFiles(getWorkPath(), true);
      while (files.hasNext()) {
        org.apache.hadoop.fs.Path file = files.next().getPath();
        if (file.getName().startsWith("_")) {
          fs.delete(file, false);
        }
      }
      super.commitTask(context);
    }
  }

  @Test
  void run_schemeOfAStagingCommitter_keepsTheSideFiles() throws Exception {
    Path input = dir.resolve("in");
    DataSets.write(input, DataSets.sorted(60, 1), 3);
    LocalRuns runs = new LocalRuns(dir);
    Configuration conf = runs.conf(BLOCK);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.set("mapreduce.outputcommitter.factory.scheme.file", StagingFactory.class.getName());
    LocalRuns.Outcome ours = runs.ours(conf, "--json", input.toString());
    assertThat(ours.err()).isEmpty();
    assertThat(ours.code()).isZero();
    for (String name : List.of("_summary.json", "_partitions", "_tasks", "_listing")) {
      assertThat(ours.directory().resolve(name)).isNotEmptyFile();
    }
    assertThat(ours.directory()).isDirectoryNotContaining(file -> Files.isDirectory(file));
  }

  @Test
  void run_rangesWithinRecords_opensEachOnce() throws Exception {
    Path input = dir.resolve("in");
    int records = 60;
    DataSets.write(input, DataSets.sorted(records, 1), 3);
    LocalRuns runs = new LocalRuns(dir);
    Configuration conf = runs.conf(BLOCK);
    List<String> opened = Collections.synchronizedList(new ArrayList<>());
    SlyFileSystem.install(conf, path -> opened.add(path.getName()));
    LocalRuns.Outcome ours = runs.ours(conf, input.toString());
    assertThat(ours.err()).isEmpty();
    assertThat(ours.code()).isZero();
    int ranges = 3 * ((records * 100 / 3 + BLOCK - 1) / BLOCK);
    assertThat(ours.out()).contains(ranges + " blocks");
    assertThat(opened).hasSize(ranges);
  }
}
