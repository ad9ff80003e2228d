package io.evenkeel.locking.dataset;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBuilder;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;

/**
 * What the directory scanner found of a block, some time ago: it looks at all volumes first, and
 * one whose disk hangs makes that long. Separate from the dataset because it compares only, and
 * locks nothing. Stateless.
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

  /**
   * Whether what the scanner found is an older replica than the finalized one in the map, at
   * another place, or only a data file. Stock deletes such files, but then looks beside them for
   * the meta file of the replica in the map, finds none, and takes that replica's generation stamp
   * away.
   *
   * <p>A link is left to stock, which so takes the block for corrupt, as Hadoop's own test of links
   * wants it ({@code TestDirectoryScanner}).
   *
   * @param now the replica in the map, whose block the caller has locked; null for none
   */
  public static boolean isOlderDuplicate(ScanInfo found, ReplicaInfo now) {
    return now != null
        && now.getState() == ReplicaState.FINALIZED
        && found.getVolume().getStorageType() != StorageType.PROVIDED
        && now.getVolume().getStorageType() != StorageType.PROVIDED
        && found.getBlockFile() != null
        && Files.isRegularFile(found.getBlockFile().toPath(), LinkOption.NOFOLLOW_LINKS)
        && !found.getBlockFile().toURI().equals(now.getBlockURI())
        && generationStamp(found) < now.getGenerationStamp()
        && now.blockDataExists()
        && now.metadataExists();
  }

  /** Of the meta file found, or 0 without one. */
  private static long generationStamp(ScanInfo found) {
    File meta = found.getMetaFile();
    return meta == null || isGone(meta) ? 0 : Block.getGenerationStamp(meta.getName());
  }

  /** The older replica that was found, or null for only a data file. */
  public static ReplicaInfo replica(ScanInfo found) {
    if (generationStamp(found) == 0) {
      return null;
    }
    File data = found.getBlockFile();
    return new ReplicaBuilder(ReplicaState.FINALIZED)
        .setBlockId(found.getBlockId())
        .setLength(data.length())
        .setGenerationStamp(generationStamp(found))
        .setFsVolume(found.getVolume())
        .setDirectoryToUse(data.getParentFile())
        .build();
  }

  private static boolean isGone(File file) {
    return file != null && !file.exists();
  }
}
