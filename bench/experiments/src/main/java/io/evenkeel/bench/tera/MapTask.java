package io.evenkeel.bench.tera;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** Runs one map in the calling thread, as a task does, and drops what it writes. Stateless. */
final class MapTask {
  private MapTask() {}

  /**
   * Reads and maps all of a split.
   *
   * @param number number of the task, part of its client's name in HDFS
   * @return how many pairs the map wrote
   */
  static <A, B, C, D> long run(
      InputFormat<A, B> format,
      Mapper<A, B, C, D> mapper,
      InputSplit split,
      Configuration base,
      int number)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(base);
    TaskID task = new TaskID(new JobID("bench", 1), TaskType.MAP, number);
    TaskAttemptID attempt = new TaskAttemptID(task, 0);
    conf.set("mapreduce.task.attempt.id", attempt.toString());
    TaskAttemptContext context = new TaskAttemptContextImpl(conf, attempt);
    Count<C, D> count = new Count<>();
    try (RecordReader<A, B> reader = format.createRecordReader(split, context)) {
      MapContext<A, B, C, D> map =
          new MapContextImpl<>(
              conf,
              attempt,
              reader,
              count,
              null,
              new TaskAttemptContextImpl.DummyReporter(),
              split);
      reader.initialize(split, context);
      mapper.run(new WrappedMapper<A, B, C, D>().getMapContext(map));
    }
    return count.pairs;
  }

  private static final class Count<C, D> extends RecordWriter<C, D> {
    private long pairs;

    @Override
    public void write(C key, D value) {
      pairs++;
    }

    @Override
    public void close(TaskAttemptContext context) {
      // nothing is kept
    }
  }
}
