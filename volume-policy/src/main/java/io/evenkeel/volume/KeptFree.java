package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.OneLine;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;

/**
 * Stock's own key for the bytes that stay free on a volume beyond the block (HDFS-16111).
 * Stateless.
 *
 * <p>Releases before 3.4 do not know the key: it is honoured there when it is set, and its default
 * is 0, so that no volume is refused that the stock policy of the release would take.
 */
final class KeptFree {
  static final String KEY =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static final long STOCK_DEFAULT = 1024L * 1024L * 1024L;

  private KeptFree() {}

  /**
   * Bytes to keep free, 0 or more.
   *
   * @throws ConfigException when the value is not a whole number of bytes, or is negative
   */
  static long read(Configuration conf) {
    long bytes;
    try {
      bytes = conf.getLong(KEY, byDefault());
    } catch (NumberFormatException | IllegalStateException e) {
      // the second: Hadoop gives up on variables nested too deeply
      bytes = -1;
    }
    if (bytes < 0) {
      throw new ConfigException(
          OneLine.of(
              KEY
                  + " = '"
                  + conf.getRaw(KEY)
                  + "' is not allowed; use 0.."
                  + Long.MAX_VALUE
                  + " (bytes)"));
    }
    return bytes;
  }

  /** What is kept free where the key is not set, bytes. */
  static long byDefault() {
    return stockReadsTheKey() ? STOCK_DEFAULT : 0;
  }

  /** The sum of two sizes, the largest number where it would overflow. */
  static long add(long size, long reserve) {
    long sum = size + reserve;
    return size > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * What the exception says when no volume has room; begins as in stock.
   *
   * @param largest most free space among the volumes asked, bytes
   * @param size of the block, bytes
   * @param keptFree bytes that must stay free beyond the block
   * @param asked whom, for example {@code DISK volumes}
   * @param count how many they are
   */
  static String outOfSpace(long largest, long size, long keptFree, String asked, int count) {
    return "Out of space: The volume with the most available space (="
        + largest
        + " B) is less than the block size (="
        + size
        + " B)"
        + (keptFree == 0 ? "" : " plus " + KEY + " (=" + keptFree + " B)")
        + "; "
        + asked
        + " asked: "
        + count
        + ".";
  }

  private static boolean stockReadsTheKey() {
    return Configurable.class.isAssignableFrom(RoundRobinVolumeChoosingPolicy.class);
  }
}
