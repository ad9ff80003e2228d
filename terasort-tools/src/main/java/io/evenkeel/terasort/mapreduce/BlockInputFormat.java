package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.config.Settings;
import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.split.PackedSplit;
import io.evenkeel.terasort.core.split.SplitPlanner;
import io.evenkeel.terasort.locality.SiblingSplits;
import io.evenkeel.terasort.locality.SplitMetaLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the splits of the stored listing. The reader hands the map one {@link BlockSplit.Piece}
 * after the other; the map reads the bytes itself.
 */
public final class BlockInputFormat extends InputFormat<NullWritable, BlockSplit.Piece> {
  private static final Logger LOG = LoggerFactory.getLogger(BlockInputFormat.class);

  /**
   * Tells a job what it reads: writes the listing into the report directory, where split plan and
   * reducer find it.
   *
   * @param wholeDirectories whether nothing but whole directories was listed
   * @throws IOException when there is a listing already
   */
  public static void setInput(
      Configuration conf,
      ValidationRequest request,
      Listing listing,
      boolean wholeDirectories,
      Runnable taken)
      throws IOException {
    listing.write(new Path(request.report(), ReportFiles.LISTING), conf, taken);
    ReportFiles.configure(conf, request, wholeDirectories);
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    Settings settings = TerasortKeys.TABLE.readOrWarn(conf, conf::get, LOG::warn);
    Listing listing = Listing.read(ReportFiles.listing(conf), conf);
    obtainTokens(context, listing);
    SplitPlanner planner =
        new SplitPlanner(
            settings.get(TerasortKeys.SPLIT_BYTES),
            settings.get(TerasortKeys.SPLIT_LEAST_BYTES),
            settings.get(TerasortKeys.SPLITS_PER_HOST).intValue());
    List<InputSplit> splits = new ArrayList<>();
    List<InputFile> files = listing.files();
    IntFunction<String> path = file -> files.get(file).path();
    for (PackedSplit split : planner.plan(listing.ranges())) {
      splits.add(new BlockSplit(split, path));
    }
    LOG.info(
        "{} blocks of {} files in {} splits",
        listing.ranges().size(),
        listing.files().size(),
        splits.size());
    warnOfLimit(conf, splits.size());
    List<InputSplit> located = SiblingSplits.onYarn().of(splits, conf);
    if (located == splits) { // else its limit was seen to already
      SplitMetaLimit.raise(splits, conf); // says so where it cannot; the application master decides
    }
    return located;
  }

  /**
   * At its limit a job withdraws its request, and the ResourceManager then forgets the hosts of all
   * tasks; those that start later run anywhere.
   */
  static void warnOfLimit(Configuration conf, int tasks) {
    int limit = conf.getInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 0);
    if (limit > 0 && tasks > limit) {
      LOG.warn(
          "{}={}: only the first {} of {} tasks run where their blocks are, since YARN forgets the"
              + " hosts of the others; limit the queue instead",
          MRJobConfig.JOB_RUNNING_MAP_LIMIT,
          limit,
          limit,
          tasks);
    }
  }

  /** On a secured cluster tasks read with tokens taken now, one of each file system. */
  private static void obtainTokens(JobContext context, Listing listing) throws IOException {
    Set<String> roots = new TreeSet<>();
    for (InputFile file : listing.files()) {
      Path path = new Path(file.path());
      roots.add(new Path(path.toUri().getScheme(), path.toUri().getAuthority(), "/").toString());
    }
    Path[] paths = roots.stream().map(Path::new).toArray(Path[]::new);
    TokenCache.obtainTokensForNamenodes(
        context.getCredentials(), paths, context.getConfiguration());
  }

  @Override
  public RecordReader<NullWritable, BlockSplit.Piece> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Pieces();
  }

  /** Progress counts ranges begun, by bytes. */
  private static final class Pieces extends RecordReader<NullWritable, BlockSplit.Piece> {
    private Iterator<BlockSplit.Piece> rest;
    private BlockSplit.Piece current;
    private long begun;
    private long total;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
      rest = ((BlockSplit) split).pieces().iterator();
      total = ((BlockSplit) split).getLength();
    }

    @Override
    public boolean nextKeyValue() {
      begun += current == null ? 0 : current.range.length();
      current = rest.hasNext() ? rest.next() : null;
      return current != null;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public BlockSplit.Piece getCurrentValue() {
      return current;
    }

    @Override
    public float getProgress() {
      return total == 0 ? 1 : (float) begun / total;
    }

    @Override
    public void close() {
      rest = null;
    }
  }
}
