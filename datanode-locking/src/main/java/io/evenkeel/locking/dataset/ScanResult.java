package io.evenkeel.locking.dataset;

import java.io.File;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;

/**
 * What the directory scanner found of a block, some time ago: it looks at all volumes first, and
 * one whose disk hangs makes that long. Stateless.
 */
public final class ScanResult {
  private ScanResult() {}

  /**
   * Whether a file the scanner found is no longer there and the finalized replica has others that
   * are: it was appended to or moved since. The result says nothing of the replica as it is now;
   * the next scan will. Stock 3.4 takes such a replica for corrupt and tells the NameNode.
   *
   * @param now the replica in the map, whose block the caller has locked; null for none
   */
  public static boolean isOutOfDate(ScanInfo found, ReplicaInfo now) {
    return now != null
        && now.getState() == ReplicaState.FINALIZED
        && (isGone(found.getBlockFile()) || isGone(found.getMetaFile()))
        && now.blockDataExists()
        && now.metadataExists();
  }

  private static boolean isGone(File file) {
    return file != null && !file.exists();
  }
}
