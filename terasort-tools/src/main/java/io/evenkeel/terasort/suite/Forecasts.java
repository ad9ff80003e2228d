package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.skew.KeySkew;
import io.evenkeel.terasort.core.skew.SampleChoice;
import io.evenkeel.terasort.core.skew.SampledKeys;
import io.evenkeel.terasort.core.skew.SkewForecast;
import io.evenkeel.terasort.core.skew.SplitPoints;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Forecasts of TeraSort's partitions for a command line. Stateless. */
public final class Forecasts {
  /** Name and number of the form of its JSON. */
  public static final String SCHEMA = "evenkeel.terasort-forecast/1";

  /** Key of the number of keys to sample. */
  static final String SAMPLE_KEY = "mapreduce.terasort.partitions.sample";

  private static final String SPLITS_KEY = "mapreduce.terasort.num.partitions";
  private static final int STOCK_SPLITS = 10;

  /** Heap that stock's sampler takes for a key: a Text, its bytes and the list, which doubles. */
  private static final int HEAP_PER_KEY = 100;

  private Forecasts() {}

  /** The forecast that {@code --forecast} asks for: members of its JSON in the order to print. */
  public static Map<String, Object> of(Configuration conf, SuiteOptions options)
      throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    if (options.input != null) {
      measured(conf, options, facts);
    } else {
      long block = FileSystem.get(conf).getDefaultBlockSize(new Path(options.dir));
      SampleChoice choice = choice(conf, options, block);
      facts.put("rows", options.rows());
      facts.put("reducers", reducers(conf, options));
      put(facts, choice);
    }
    return facts;
  }

  private static void put(Map<String, Object> facts, SampleChoice choice) {
    facts.put("sampledKeys", choice.ask());
    facts.put("typicalLargestOverMean", choice.typicalRatio());
    facts.put("largestOverMeanWith95Percent", choice.ratio());
    facts.put("enough", choice.enough());
  }

  private static int reducers(Configuration conf, SuiteOptions options) {
    return options.reducers != null ? options.reducers : conf.getInt(MRJobConfig.NUM_REDUCES, 1);
  }

  private static int splitsToRead(Configuration conf) {
    return Math.max(1, conf.getInt(SPLITS_KEY, STOCK_SPLITS));
  }

  /** The sample for rows that TeraGen will write in blocks of so many bytes. */
  static SampleChoice choice(Configuration conf, SuiteOptions options, long blockBytes) {
    int maps = options.maps != null ? options.maps : conf.getInt(MRJobConfig.NUM_MAPS, 1);
    long rows = options.rows();
    long perFile = Math.max(1, rows / Math.max(1, maps));
    long perSplit = Math.max(1, Math.min(perFile, blockBytes / KeySampler.ROW));
    long splits = Math.max(1, Math.min(maps, rows) * (perFile / perSplit));
    SampledKeys keys = new SampledKeys(splits, perSplit, splitsToRead(conf));
    return choice(conf, options, rows, keys);
  }

  private static SampleChoice choice(
      Configuration conf, SuiteOptions options, long rows, SampledKeys keys) {
    SkewForecast forecast = new SkewForecast(reducers(conf, options), rows);
    try {
      return options.samples() > 0
          ? SampleChoice.given(forecast, keys, options.skew, options.samples())
          : SampleChoice.auto(forecast, keys, options.skew, heapKeys());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage() + "; use fewer", e);
    }
  }

  private static long heapKeys() {
    return Runtime.getRuntime().maxMemory() / 2 / HEAP_PER_KEY;
  }

  private static void measured(Configuration conf, SuiteOptions options, Map<String, Object> facts)
      throws IOException {
    KeySampler input = new KeySampler(conf, options.input);
    SampledKeys keys =
        new SampledKeys(
            input.splits(), input.rowsOfSmallestRead(splitsToRead(conf)), splitsToRead(conf));
    SampleChoice choice = choice(conf, options, input.rows(), keys);
    SplitPoints points =
        SplitPoints.cut(input.sampled(choice.ask(), splitsToRead(conf)), reducers(conf, options));
    KeySkew skew =
        new KeySkew(points, input.random(options.probes, options.seed), SampleChoice.CONFIDENCE);
    facts.put("input", options.input);
    facts.put("rows", input.rows());
    facts.put("reducers", reducers(conf, options));
    put(facts, choice);
    facts.put("probes", skew.keys());
    facts.put("seed", options.seed);
    facts.put("estimatedLargestOverMean", skew.ratio());
    facts.put("estimatedLow", skew.low());
    facts.put("estimatedHigh", skew.high());
    facts.put("fullestPartition", skew.largest());
  }
}
