package io.evenkeel.locking.dataset;

import java.io.File;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;

/**
 * What the directory scanner found of a block, some time ago: it looks at all volumes first, and
 * one whose disk hangs makes that long. Stateless.
 */
public final class ScanResult {
  private ScanResult() {}

  /**
   * Whether a file the scanner found is no longer there, because the replica was appended to, moved
   * or deleted since. It says nothing of the replica as it is now; the next scan will. Stock takes
   * the replica for corrupt, when its files are others than those found, and tells the NameNode.
   * The caller holds the block's lock.
   */
  public static boolean isOutOfDate(ScanInfo found) {
    return isGone(found.getBlockFile()) || isGone(found.getMetaFile());
  }

  private static boolean isGone(File file) {
    return file != null && !file.exists();
  }
}
