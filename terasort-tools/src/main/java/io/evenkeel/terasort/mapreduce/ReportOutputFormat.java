package io.evenkeel.terasort.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;

/** Text as stock's, into a report directory that is there already since it holds the listing. */
public final class ReportOutputFormat extends TextOutputFormat<Text, Text> {
  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Path directory = getOutputPath(job);
    if (directory == null) {
      throw new InvalidJobConfException("no report directory");
    }
    TokenCache.obtainTokensForNamenodes(
        job.getCredentials(), new Path[] {directory}, job.getConfiguration());
  }
}
