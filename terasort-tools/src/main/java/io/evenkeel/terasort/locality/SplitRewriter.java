package io.evenkeel.terasort.locality;

import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.core.locality.LocationPicker;
import io.evenkeel.terasort.core.locality.ReplicaCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.SplitLocationInfo;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the splits of one job the hosts that were picked. Not thread-safe; one job each. */
public final class SplitRewriter {
  private static final Logger LOG = LoggerFactory.getLogger(SplitRewriter.class);

  private final Configuration conf;
  private final LocationPicker picker;
  private String untouchedClass;
  private int untouched;
  private int changed;

  /**
   * Creates it.
   *
   * @param conf the job's own configuration, in which limits are raised
   */
  public SplitRewriter(Configuration conf, LocationPicker picker) {
    this.conf = conf;
    this.picker = picker;
  }

  /**
   * The same splits in the same order; those given when the job's split meta information would
   * become larger than a limit that is final.
   */
  public List<InputSplit> rewrite(List<InputSplit> splits)
      throws IOException, InterruptedException {
    List<InputSplit> located = new ArrayList<>(splits.size());
    int[] exact = new int[splits.size()];
    for (int i = 0; i < exact.length; i++) {
      InputSplit split = splits.get(i);
      List<String> replicas = Arrays.asList(split.getLocations());
      LocationPicker.Choice choice = picker.pick(replicas);
      InputSplit made = choice.names().equals(replicas) ? split : located(split, choice.names());
      located.add(made);
      exact[i] = made == split ? replicas.size() : choice.exact();
      changed += made == split ? 0 : 1;
    }
    if (untouched > 0) {
      LOG.warn("{} splits keep the hosts they had: {} is not Writable", untouched, untouchedClass);
    }
    Integer[] order = WrittenSplits.order(located);
    if (!SplitMetaLimit.raise(WrittenSplits.metaSize(located, order, conf), conf)) {
      LOG.warn(
          "Splits keep the hosts they had; list fewer with {}",
          TerasortKeys.LOCALITY_MAX_LOCATIONS.name());
      return splits;
    }
    conf.set(TerasortKeys.LOCALITY_REPLICAS.name(), counts(exact, order));
    LOG.info("{} of {} splits name other hosts than their input format did", changed, exact.length);
    return located;
  }

  private static String counts(int[] exact, Integer[] order) {
    int[] inTaskOrder = new int[exact.length];
    for (int i = 0; i < order.length; i++) {
      inTaskOrder[i] = exact[order[i]];
    }
    return ReplicaCounts.format(inTaskOrder);
  }

  private InputSplit located(InputSplit split, List<String> names) throws IOException {
    String[] hosts = names.toArray(new String[0]);
    if (split.getClass() == FileSplit.class) {
      FileSplit file = (FileSplit) split;
      return new FileSplit(
          file.getPath(), file.getStart(), file.getLength(), hosts, inMemory(file, names));
    }
    if (split.getClass() == CombineFileSplit.class) {
      CombineFileSplit files = (CombineFileSplit) split;
      Path[] paths = files.getPaths();
      return new CombineFileSplit(paths, files.getStartOffsets(), files.getLengths(), hosts);
    }
    if (split instanceof Relocatable) {
      return ((Relocatable) split).withLocations(hosts);
    }
    if (split instanceof Writable) {
      return new LocatedSplit(split instanceof LocatedSplit ? inner(split) : split, hosts);
    }
    untouchedClass = split.getClass().getName();
    untouched++;
    return split;
  }

  private static InputSplit inner(InputSplit split) {
    return ((LocatedSplit) split).inner();
  }

  private static String[] inMemory(FileSplit split, List<String> names) throws IOException {
    List<String> cached = new ArrayList<>();
    SplitLocationInfo[] known = split.getLocationInfo();
    for (SplitLocationInfo info : known == null ? new SplitLocationInfo[0] : known) {
      if (info.isInMemory() && names.contains(info.getLocation())) {
        cached.add(info.getLocation());
      }
    }
    return cached.toArray(new String[0]);
  }

  /** Stock's limit on the hosts of a split. */
  public static int stockLimit(Configuration conf) {
    int limit = conf.getInt(MRConfig.MAX_BLOCK_LOCATIONS_KEY, MRConfig.MAX_BLOCK_LOCATIONS_DEFAULT);
    return Math.max(1, limit);
  }
}
