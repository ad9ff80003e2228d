package io.evenkeel.bench.tera;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraInputFormat;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.util.ReflectionUtils;

/** Stock's TeraValidate: its splits and its map, from the published examples jar. Stateless. */
final class StockValidator implements Validator {
  private static final String MAPPER =
      "org.apache.hadoop.examples.terasort.TeraValidate$ValidateMapper";

  @Override
  public List<InputSplit> splits(Configuration conf, Path input, Path scratch) throws IOException {
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, input);
    FileInputFormat.setMinInputSplitSize(job, Long.MAX_VALUE); // as TeraValidate does
    return new TeraInputFormat().getSplits(job);
  }

  @Override
  public long map(InputSplit split, Configuration conf, int number)
      throws IOException, InterruptedException {
    return MapTask.run(new TeraInputFormat(), mapper(conf), split, conf, number);
  }

  /** The mapper's class is not public; tasks make it by reflection as well. */
  @SuppressWarnings("unchecked")
  private static Mapper<Text, Text, Text, Text> mapper(Configuration conf) {
    try {
      return (Mapper<Text, Text, Text, Text>)
          ReflectionUtils.newInstance(Class.forName(MAPPER), conf);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
