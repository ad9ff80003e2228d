package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The DiskBalancer moves what it finds in the directories of its source. The replica may be on its
 * target by then: it was moved there, and its old files are still being deleted.
 */
@Timeout(300)
class MoveToItsVolumeIT {
  @TempDir java.nio.file.Path dir;

  /** Renames the copy over the replica's files, then deletes these as the old ones. */
  @Test
  void replicaIsOnTheTarget_stockLosesItAndKeepsItsEntry() throws Exception {
    assertThat(isThereAfterAMoveToItsVolume(false)).isFalse();
  }

  @Test
  void replicaIsOnTheTarget_oursRefusesAndKeepsIt() throws Exception {
    assertThat(isThereAfterAMoveToItsVolume(true)).isTrue();
  }

  private boolean isThereAfterAMoveToItsVolume(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      // The NameNode knows none of these blocks and would have them deleted.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi source = dataset.getVolume(b);
      FsVolumeSpi target = other(dataset, source);
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("first"));
      Calls<?> first = Calls.start("first", () -> dataset.moveBlockAcrossVolumes(b, target));
      deleting.awaitAll();

      ExtendedBlock found = nextOf(source, one.pool());
      assertThat(found).isEqualTo(b);
      Calls<?> second = Calls.start("second", () -> dataset.moveBlockAcrossVolumes(found, target));
      Throwable refused = second.failure();
      deleting.release();

      assertThat(first.failure()).isNull();
      if (ours) {
        assertThat(refused).isInstanceOf(ReplicaAlreadyExistsException.class);
      }
      assertThat(dataset.getVolume(b)).as("in the map").isSameAs(target);
      return dataset.isValidBlock(b)
          && new File(Volumes.replica(dataset, b).getMetadataURI()).exists();
    }
  }

  private static FsVolumeSpi other(FsDatasetSpi<?> dataset, FsVolumeSpi source) {
    return Volumes.of(dataset).stream()
        .filter(each -> each != source && each.getStorageType() == source.getStorageType())
        .findFirst()
        .orElseThrow();
  }

  private static ExtendedBlock nextOf(FsVolumeSpi source, String pool) throws Exception {
    try (FsVolumeSpi.BlockIterator blocks = source.newBlockIterator(pool, "DiskBalancerSource")) {
      return blocks.nextBlock();
    }
  }
}
