package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import io.evenkeel.terasort.core.record.Sum128;
import io.evenkeel.terasort.core.split.RangeTable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * A data set of 30 TB that does not exist: its listing is planned by the real input format, and its
 * fragments go through a real shuffle into the real reducer. Run in a JVM with a small heap;
 * arguments: a directory, files, blocks of each, and {@code falling} for blocks each of which
 * begins below the end of the one before. Prints what it took.
 */
public final class ManyFragments {
  private static final String FILES = "test.files";
  private static final String BLOCKS = "test.blocks";
  private static final String FALLING = "test.falling";
  private static final long BLOCK = 256L << 20;
  private static final int MAPS = 8;

  private ManyFragments() {}

  /** Ends with an exception when the verdict is not what it must be. */
  public static void main(String[] args) throws Exception {
    int files = Integer.parseInt(args[1]);
    int blocks = Integer.parseInt(args[2]);
    boolean falling = args.length > 3 && args[3].equals("falling");
    Configuration conf = new Configuration();
    conf.setInt(FILES, files);
    conf.setInt(BLOCKS, blocks);
    conf.setBoolean(FALLING, falling);
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", args[0] + "/tmp");
    conf.setInt("mapreduce.task.io.sort.mb", 20);
    Path report = new Path("file://" + args[0], "report");
    ReportFiles.configure(
        conf,
        ValidationRequest.validate(List.of("sim:/"), report, PartitionOrder.Rule.NUMBER, null),
        true);
    listing(files, blocks).write(ReportFiles.listing(conf), conf, () -> {});
    Job job = Job.getInstance(conf);
    long start = System.nanoTime();
    conf.set("fs.sim.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    int splits = new BlockInputFormat().getSplits(Job.getInstance(conf)).size();
    long planned = System.nanoTime();
    job.setInputFormatClass(Shares.class);
    job.setMapperClass(Simulated.class);
    job.setReducerClass(ValidateReducer.class);
    job.setNumReduceTasks(1);
    job.setMapOutputKeyClass(ResultKey.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setOutputFormatClass(ValidationJob.ReportOutputFormat.class);
    FileOutputFormat.setOutputPath(job, report);
    if (!job.waitForCompletion(false)) {
      throw new IllegalStateException("the job failed");
    }
    long ended = System.nanoTime();
    String summary = Files.readString(Paths.get(args[0], "report", ReportFiles.SUMMARY));
    long records = files * (blocks * BLOCK / Records.RECORD);
    // within a file the last and the first record of neighbours, one apart, and files by their ends
    long misorders = falling ? (long) files * (blocks - 1) : 0;
    boolean sound =
        summary.contains("\"valid\":" + !falling)
            && summary.contains("\"records\":" + records)
            && summary.contains("\"misorder\":" + misorders);
    if (!sound) {
      throw new IllegalStateException("expected " + records + " records: " + summary);
    }
    System.out.printf(
        "%,d fragments: %,d splits planned in %.1f s, job %.1f s, %s%n",
        files * blocks,
        splits,
        (planned - start) / 1e9,
        (ended - planned) / 1e9,
        ManySplits.heap());
  }

  private static Listing listing(int count, int blocks) {
    Random random = new Random(1);
    List<InputFile> files = new ArrayList<>();
    RangeTable ranges = new RangeTable();
    for (int i = 0; i < count; i++) {
      files.add(new InputFile(String.format("sim:/part-r-%05d", i), blocks * BLOCK, 0, i));
      for (int block = 0; block < blocks; block++) {
        List<String> hosts = new ArrayList<>();
        for (int replica = 0; replica < 3; replica++) {
          hosts.add("worker-" + (replica * 400 + random.nextInt(400)) + ".example.org");
        }
        ranges.add(i, block * BLOCK, BLOCK, hosts);
      }
    }
    return new Listing(files, ranges, Map.of());
  }

  /** A record whose key is its position in the data set. */
  static byte[] record(int file, long offset) {
    byte[] record = new byte[Records.RECORD];
    ByteBuffer.wrap(record).putLong(((long) file << 40) + offset / Records.RECORD);
    return record;
  }

  /** What a map would say of a block. */
  static Fragment fragment(int file, int block, boolean falling) {
    long start = block * BLOCK;
    long end = start + BLOCK;
    int head = Records.toBorder(start);
    int tail = (int) (end % Records.RECORD);
    byte[] first = record(file, start);
    byte[] highest = new byte[Records.KEY];
    Arrays.fill(highest, (byte) 0xff);
    byte[] last = record(file, end);
    long records = (BLOCK - head - tail) / Records.RECORD;
    return Fragment.of(
        start,
        end,
        Arrays.copyOfRange(first, Records.RECORD - head, Records.RECORD),
        Arrays.copyOf(last, tail),
        new Fragment.Run(
            records,
            Sum128.of(0, records << 31),
            Arrays.copyOf(record(file, start + head), Records.KEY),
            falling ? highest : Arrays.copyOf(record(file, end - tail - 1), Records.KEY)));
  }

  /** Emits the fragments of one file after the other, last block first. */
  public static final class Simulated
      extends Mapper<NullWritable, NullWritable, ResultKey, BytesWritable> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      ResultKey key = new ResultKey();
      Configuration conf = context.getConfiguration();
      int blocks = conf.getInt(BLOCKS, 0);
      boolean falling = conf.getBoolean(FALLING, false);
      for (int file = ((Share) context.getInputSplit()).first;
          file < conf.getInt(FILES, 0);
          file += MAPS) {
        for (int block = blocks - 1; block >= 0; block--) {
          context.write(
              key.set(ResultKey.FRAGMENT, file, block * BLOCK),
              FragmentCodec.write(fragment(file, block, falling)));
        }
      }
    }
  }

  /** Every eighth file. */
  public static final class Share extends InputSplit implements Writable {
    private int first;

    /** For Hadoop. */
    public Share() {}

    @Override
    public long getLength() {
      return 1;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeInt(first);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      first = in.readInt();
    }
  }

  /** Eight maps. */
  public static final class Shares extends InputFormat<NullWritable, NullWritable> {
    @Override
    public List<InputSplit> getSplits(JobContext context) {
      List<InputSplit> shares = new ArrayList<>();
      for (int i = 0; i < MAPS; i++) {
        Share share = new Share();
        share.first = i;
        shares.add(share);
      }
      return shares;
    }

    @Override
    public RecordReader<NullWritable, NullWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new RecordReader<>() {
        @Override
        public void initialize(InputSplit share, TaskAttemptContext task) {}

        @Override
        public boolean nextKeyValue() {
          return false;
        }

        @Override
        public NullWritable getCurrentKey() {
          return NullWritable.get();
        }

        @Override
        public NullWritable getCurrentValue() {
          return NullWritable.get();
        }

        @Override
        public float getProgress() {
          return 1;
        }

        @Override
        public void close() {}
      };
    }
  }
}
