package io.evenkeel.bench.tera;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;

/** A validator: how it splits its input, and what the map of one split does. */
interface Validator {
  /**
   * Plans the tasks.
   *
   * @param scratch a directory that does not exist yet, for what the job would keep there
   */
  List<InputSplit> splits(Configuration conf, Path input, Path scratch)
      throws IOException, InterruptedException;

  /** Runs the map of one split in this thread; returns how many pairs it wrote. */
  long map(InputSplit split, Configuration conf, int number)
      throws IOException, InterruptedException;
}
