package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.mapreduce.InputLister;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
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

  /** Files that are at no host, of which Hadoop says what it does of all that say nothing. */
  public static final class Store extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("store:///");
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      return plain(super.getFileStatus(path));
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
      FileStatus[] all = super.listStatus(path);
      Arrays.setAll(all, i -> plain(all[i]));
      return all;
    }

    /** Without an owner, which is asked of files only. */
    private static FileStatus plain(FileStatus status) {
      return new FileStatus(status.getLen(), status.isDirectory(), 1, BLOCK, 0, status.getPath());
    }
  }

  @Test
  void list_hostsNotKnown_namesNone() throws Exception {
    Path input = dir.resolve("in");
    DataSets.write(input, DataSets.sorted(60, 1), 3);
    Configuration conf = new LocalRuns(dir).conf(BLOCK);
    conf.setClass("fs.store.impl", Store.class, FileSystem.class);
    assertThat(hosts(conf, "store:" + input)).containsOnly(List.of());
    // a local file is where its task is
    assertThat(hosts(conf, "file:" + input)).containsOnly(List.of("localhost"));
  }

  /** Those of each range; stock's are asked beside. */
  private List<List<String>> hosts(Configuration conf, String input) throws IOException {
    var file = new org.apache.hadoop.fs.Path(input, "part-r-00000");
    FileSystem fs = file.getFileSystem(conf);
    assertThat(fs.getFileBlockLocations(file, 0, 1)[0].getHosts()).containsExactly("localhost");
    var report = new org.apache.hadoop.fs.Path(dir + "/report");
    return new InputLister(conf, report)
        .list(List.of(input), PartitionOrder.Rule.NUMBER).ranges().stream()
            .map(range -> List.copyOf(range.hosts()))
            .toList();
  }
}
