package io.evenkeel.terasort.locality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.terasort.core.locality.SplitMetaSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobSubmissionFiles;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The prediction against the files of the real JobSplitWriter, read by the real reader. */
class SplitMetaSizeTest {
  private final Configuration conf = new Configuration();

  @TempDir private java.nio.file.Path temporary;

  private static String host(int number) {
    return "worker-" + number % 700 + ".dc1.example.com";
  }

  private static List<InputSplit> fileSplits(int splits, int names) {
    List<InputSplit> made = new ArrayList<>(splits);
    for (int i = 0; i < splits; i++) {
      int from = i;
      String[] hosts =
          IntStream.range(0, names).mapToObj(n -> host(from * 7 + n)).toArray(String[]::new);
      Path file = new Path("hdfs://nn:8020/user/tera/out/part-r-" + String.format("%05d", i / 120));
      made.add(new FileSplit(file, (i % 120) * (256L << 20), 256L << 20, hosts));
    }
    return made;
  }

  private Path write(List<InputSplit> splits) throws Exception {
    List<InputSplit> asSubmitted = new ArrayList<>(splits);
    asSubmitted.sort(Comparator.comparingLong(SplitMetaSizeTest::length).reversed());
    Path dir = new Path(temporary.toUri().toString(), "job");
    FileSystem fs = dir.getFileSystem(conf);
    fs.mkdirs(dir);
    JobSplitWriter.createSplitFiles(dir, conf, fs, asSubmitted);
    return dir;
  }

  private static long length(InputSplit split) {
    try {
      return split.getLength();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long predicted(List<InputSplit> splits) throws Exception {
    return WrittenSplits.metaSize(splits, conf).bytes();
  }

  private long written(Path dir) throws IOException {
    return dir.getFileSystem(conf)
        .getFileStatus(JobSubmissionFiles.getJobSplitMetaFile(dir))
        .getLen();
  }

  @ParameterizedTest
  @CsvSource({"112000, 3", "1, 1", "127, 0", "128, 20"})
  void prediction_realWriter_isExact(int count, int names) throws Exception {
    assertExact(count, names);
  }

  @Tag("slow")
  @Test
  void prediction_manySplitsOfManyHosts_isExact() throws Exception {
    assertExact(112_000, 15);
  }

  private void assertExact(int count, int names) throws Exception {
    List<InputSplit> splits = fileSplits(count, names);
    Path dir = write(splits);
    assertThat(predicted(splits)).isEqualTo(written(dir));
    conf.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, predicted(splits));
    JobSplit.TaskSplitMetaInfo[] read =
        SplitMetaInfoReader.readSplitMetaInfo(
            new JobID("x", 1), dir.getFileSystem(conf), conf, dir);
    assertThat(read).hasSize(count);
    assertThat(read[count - 1].getLocations()).hasSize(Math.min(15, names));
    if (predicted(splits) > 1) {
      conf.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, predicted(splits) - 1);
      assertThatThrownBy(
              () ->
                  SplitMetaInfoReader.readSplitMetaInfo(
                      new JobID("x", 1), dir.getFileSystem(conf), conf, dir))
          .hasMessageContaining("size exceeded");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void prediction_randomSplits_isExact(long seed) throws Exception {
    Random random = new Random(seed);
    List<InputSplit> splits = new ArrayList<>();
    for (int i = random.nextInt(3000); i >= 0; i--) {
      String[] hosts =
          random.ints(random.nextInt(20), 0, 900).mapToObj(n -> "hoſt" + n).toArray(String[]::new);
      long length = random.nextLong() >>> (1 + random.nextInt(62));
      Path file = new Path("/f".repeat(1 + random.nextInt(80)) + "/ü" + i);
      InputSplit split = new FileSplit(file, random.nextInt(1 << 30), length, hosts);
      splits.add(
          switch (random.nextInt(3)) {
            case 0 -> split;
            case 1 -> new LocatedSplit(split, hosts);
            default ->
                new CombineFileSplit(
                    new Path[] {file, file}, new long[] {0, 5}, new long[] {length / 2, 1}, hosts);
          });
    }
    assertThat(predicted(splits)).isEqualTo(written(write(splits)));
  }

  @Test
  void exceeds_limitOfNoneOrMore_isAsTheApplicationMasterSays() throws Exception {
    SplitMetaSize size = WrittenSplits.metaSize(fileSplits(10, 3), conf);
    assertThat(size.exceeds(size.bytes())).isFalse();
    assertThat(size.exceeds(size.bytes() - 1)).isTrue();
    assertThat(size.exceeds(-1)).isFalse();
    assertThat(size.exceeds(0)).isFalse();
  }
}
