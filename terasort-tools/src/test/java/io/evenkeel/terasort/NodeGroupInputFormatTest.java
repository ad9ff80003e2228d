package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.terasort.locality.LocatedSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeGroupInputFormatTest {
  private static final String KEY = "evenkeel.terasort.locality.input-format";

  @TempDir private Path temporary;

  private Job job() throws IOException {
    Path input = temporary.resolve("in.txt");
    Files.writeString(input, "one\ntwo\nthree\n");
    Job job = Job.getInstance(new Configuration());
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
    return job;
  }

  private static List<String> lines(
      NodeGroupInputFormat<LongWritable, Text> format, Job job, InputSplit split) throws Exception {
    TaskAttemptContext task =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    List<String> lines = new ArrayList<>();
    try (RecordReader<LongWritable, Text> reader = format.createRecordReader(split, task)) {
      reader.initialize(split, task);
      while (reader.nextKeyValue()) {
        lines.add(reader.getCurrentKey() + " " + reader.getCurrentValue());
      }
      assertThat(reader.getProgress()).isEqualTo(1f);
    }
    return lines;
  }

  @Test
  void wrap_presentFormat_isReadThroughIt() throws Exception {
    Job job = job();
    job.setInputFormatClass(NLineInputFormat.class);
    NodeGroupInputFormat.wrap(job);
    NodeGroupInputFormat.wrap(job);
    assertThat(job.getInputFormatClass()).isSameAs(NodeGroupInputFormat.class);
    assertThat(job.getConfiguration().get(KEY)).isEqualTo(NLineInputFormat.class.getName());
    NodeGroupInputFormat<LongWritable, Text> format = new NodeGroupInputFormat<>();
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(3);
    assertThat(lines(format, job, splits.get(2))).containsExactly("8 three");
  }

  @Test
  void wrappedSplit_isUnwrappedForTheReader() throws Exception {
    Job job = job();
    NodeGroupInputFormat.wrap(job); // TextInputFormat, which a job has by default
    NodeGroupInputFormat<LongWritable, Text> format = new NodeGroupInputFormat<>();
    InputSplit split = format.getSplits(job).get(0);
    assertThat(lines(format, job, new LocatedSplit(split, "x")))
        .containsExactly("0 one", "4 two", "8 three");
    assertThat(job.getConfiguration().get(KEY)).isEqualTo(TextInputFormat.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "'', is not set",
    "no.such.Format, no.such.Format",
    "java.lang.String, java.lang.String",
    "org.apache.hadoop.mapreduce.lib.input.FileInputFormat, FileInputFormat",
    "io.evenkeel.terasort.NodeGroupInputFormat, NodeGroupInputFormat"
  })
  void wrongClass_namesKeyAndValue(String name, String told) throws Exception {
    Job job = job();
    job.getConfiguration().set(KEY, name);
    assertThatThrownBy(() -> new NodeGroupInputFormat<LongWritable, Text>().getSplits(job))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(KEY)
        .hasMessageContaining(told);
  }

  @Test
  void wrap_formatOfTheOldApi_isRefused() throws Exception {
    Job job = job();
    job.getConfiguration()
        .set("mapred.input.format.class", "org.apache.hadoop.mapred.TextInputFormat");
    assertThatThrownBy(() -> NodeGroupInputFormat.wrap(job)).hasMessageContaining("mapred");
  }
}
