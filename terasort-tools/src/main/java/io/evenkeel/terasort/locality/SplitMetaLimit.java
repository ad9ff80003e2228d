package io.evenkeel.terasort.locality;

import io.evenkeel.terasort.core.locality.SplitMetaSize;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job's split meta information within what its application master reads: 10 MB unless the
 * job says otherwise, which about 110,000 splits of three hosts exceed. Stateless.
 */
public final class SplitMetaLimit {
  private static final Logger LOG = LoggerFactory.getLogger(SplitMetaLimit.class);
  private static final String KEY = MRJobConfig.SPLIT_METAINFO_MAXSIZE;

  private SplitMetaLimit() {}

  /**
   * Raises the job's limit where the splits need it, and says so.
   *
   * @param conf the job's own configuration
   * @return false when they need more and the limit is final
   */
  public static boolean raise(List<InputSplit> splits, Configuration conf)
      throws IOException, InterruptedException {
    return raise(WrittenSplits.metaSize(splits, WrittenSplits.order(splits), conf), conf);
  }

  static boolean raise(SplitMetaSize size, Configuration conf) {
    long limit = conf.getLong(KEY, MRJobConfig.DEFAULT_SPLIT_METAINFO_MAXSIZE);
    if (!size.exceeds(limit)) {
      return true;
    }
    if (conf.getFinalParameters().contains(KEY)) {
      LOG.warn(
          "The meta information of the splits has {} bytes, more than {} = {} allows, and that key"
              + " is final; raise it where it is set",
          size.bytes(),
          KEY,
          limit);
      return false;
    }
    long raised = size.bytes() + size.bytes() / 10;
    conf.setLong(KEY, raised);
    LOG.info(
        "{} raised from {} to {} for this job: the meta information of its splits has {} bytes",
        KEY,
        limit,
        raised,
        size.bytes());
    return true;
  }
}
