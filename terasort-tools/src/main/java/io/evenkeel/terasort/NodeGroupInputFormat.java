package io.evenkeel.terasort;

import io.evenkeel.common.config.OneLine;
import io.evenkeel.terasort.config.TerasortKeys;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Another input format, named by {@code evenkeel.terasort.locality.input-format}, whose splits may
 * also run on the sibling VMs of their replicas: see {@link NodeGroupSplits}.
 *
 * <p>Records come from the other format. A mapper that asks for its split and casts it to a class
 * other than {@code FileSplit} or {@code CombineFileSplit} must go through {@link
 * NodeGroupSplits#unwrap}. For jobs of the API {@code org.apache.hadoop.mapreduce}.
 *
 * @param <K> keys of the other format
 * @param <V> values of the other format
 */
public final class NodeGroupInputFormat<K, V> extends InputFormat<K, V> {
  private static final String KEY = TerasortKeys.LOCALITY_INPUT_FORMAT.name();

  /** Creates it; a job does so by reflection. */
  public NodeGroupInputFormat() {}

  /**
   * Puts this format around the one a job has. Call it after everything that sets the job's input
   * format; the second call does nothing.
   *
   * @throws IOException when the job's input format cannot be loaded, or the job is one of the old
   *     API
   */
  public static void wrap(Job job) throws IOException {
    Configuration conf = job.getConfiguration();
    if (conf.get("mapred.input.format.class") != null
        && conf.get(MRJobConfig.INPUT_FORMAT_CLASS_ATTR) == null) {
      throw new IOException(
          "the job's input format is one of the API org.apache.hadoop.mapred; NodeGroupInputFormat"
              + " is for org.apache.hadoop.mapreduce");
    }
    Class<?> present;
    try {
      present = job.getInputFormatClass();
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's input format cannot be loaded: " + e.getMessage(), e);
    }
    if (present != NodeGroupInputFormat.class) {
      conf.setClass(KEY, present, InputFormat.class);
      job.setInputFormatClass(NodeGroupInputFormat.class);
    }
  }

  /** The format that is wrapped. */
  @SuppressWarnings("unchecked")
  private InputFormat<K, V> wrapped(Configuration conf) throws IOException {
    String name = conf.getTrimmed(KEY, "");
    if (name.isEmpty()) {
      throw bad(name, "it is not set", null);
    }
    Class<?> type;
    try {
      type = conf.getClassByName(name);
    } catch (ClassNotFoundException e) {
      throw bad(name, "it is not on the class path", e);
    }
    if (!InputFormat.class.isAssignableFrom(type) || type == NodeGroupInputFormat.class) {
      throw bad(name, "this one cannot be wrapped", null);
    }
    try {
      return (InputFormat<K, V>) ReflectionUtils.newInstance(type, conf);
    } catch (RuntimeException e) {
      throw bad(name, e.toString(), e);
    }
  }

  private static IOException bad(String name, String why, Exception cause) {
    String range = TerasortKeys.LOCALITY_INPUT_FORMAT.range();
    return new IOException(
        OneLine.of(KEY + " = '" + name + "' is not allowed; use " + range + " (" + why + ")"),
        cause);
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException, InterruptedException {
    return NodeGroupSplits.withSiblings(wrapped(job.getConfiguration()).getSplits(job), job);
  }

  @Override
  public RecordReader<K, V> createRecordReader(InputSplit split, TaskAttemptContext task)
      throws IOException, InterruptedException {
    InputSplit own = NodeGroupSplits.unwrap(split);
    RecordReader<K, V> reader = wrapped(task.getConfiguration()).createRecordReader(own, task);
    return own == split ? reader : new Unwrapping<>(reader);
  }

  /** Hands its own split to a reader; everything else goes straight through. */
  private static final class Unwrapping<K, V> extends RecordReader<K, V> {
    private final RecordReader<K, V> reader;

    Unwrapping(RecordReader<K, V> reader) {
      this.reader = reader;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task)
        throws IOException, InterruptedException {
      reader.initialize(NodeGroupSplits.unwrap(split), task);
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      return reader.nextKeyValue();
    }

    @Override
    public K getCurrentKey() throws IOException, InterruptedException {
      return reader.getCurrentKey();
    }

    @Override
    public V getCurrentValue() throws IOException, InterruptedException {
      return reader.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
      return reader.getProgress();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
