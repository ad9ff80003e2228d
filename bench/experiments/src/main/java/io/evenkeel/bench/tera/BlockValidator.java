package io.evenkeel.bench.tera;

import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.mapreduce.BlockInputFormat;
import io.evenkeel.terasort.mapreduce.InputLister;
import io.evenkeel.terasort.mapreduce.ValidateMapper;
import io.evenkeel.terasort.mapreduce.ValidationRequest;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;

/** The block-wise validator. Stateless. */
final class BlockValidator implements Validator {
  @Override
  public List<InputSplit> splits(Configuration conf, Path input, Path scratch)
      throws IOException, InterruptedException {
    Job job = Job.getInstance(conf);
    ValidationRequest request =
        ValidationRequest.validate(
            List.of(input.toString()), scratch, PartitionOrder.Rule.NUMBER, null);
    BlockInputFormat.setInput(
        job.getConfiguration(),
        request,
        new InputLister(conf, scratch).list(request.inputs(), request.order()),
        true,
        () -> {});
    return new BlockInputFormat().getSplits(job);
  }

  @Override
  public long map(InputSplit split, Configuration conf, int number)
      throws IOException, InterruptedException {
    return MapTask.run(new BlockInputFormat(), new ValidateMapper(), split, conf, number);
  }
}
