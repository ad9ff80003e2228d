package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A volume is removed while its disk hangs: the removal waits for the block scanner, which saves
 * where it is. Then the NameNode has blocks deleted, one on that volume and one elsewhere.
 */
@Timeout(300)
class VolumeRemovalIT {
  @TempDir Path dir;

  /** The thread of the NameNode's commands does not survive it, and the pool is not served on. */
  @Test
  void deletionWhileAHungVolumeIsRemoved_throwsWithStockAndTheOtherBlockStays() throws Exception {
    Seen seen = deleteWhileRemoved(false, StorageType.DISK);
    assertThat(seen.failure())
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("Cannot find volume");
    assertThat(seen.otherIsDeleted()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"DISK", "SSD"})
  void deletionWhileAHungVolumeIsRemoved_ignoresItWithOursAndTheOtherBlockIsDeleted(
      StorageType type) throws Exception {
    Seen seen = deleteWhileRemoved(true, type);
    assertThat(seen.failure()).isNull();
    assertThat(seen.otherIsDeleted()).isTrue();
  }

  /** How the order ended, and whether the second block was deleted. */
  private record Seen(Throwable failure, boolean otherIsDeleted) {}

  private Seen deleteWhileRemoved(boolean ours, StorageType type) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.datanode.scan.period.hours", 1);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      // The NameNode knows none of these blocks and would have them deleted.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock there = replicas.finalized(type);
      ExtendedBlock other =
          replicas.finalized(type == StorageType.SSD ? StorageType.DISK : StorageType.SSD);
      FsVolumeSpi volume = one.dataset().getVolume(there);
      ParkedIo.Parking parking =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().startsWith("VolumeScanner"));
      Calls<?> removal =
          Calls.start(
              "remove",
              () ->
                  one.node()
                      .reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume)));
      parking.awaitAll();
      Calls<?> deletion =
          Calls.start(
              "delete",
              () -> {
                one.dataset()
                    .invalidate(
                        there.getBlockPoolId(),
                        new Block[] {there.getLocalBlock(), other.getLocalBlock()});
                return null;
              });
      Throwable failure = deletion.failure();
      AsyncDeletions.await(one.dataset());
      boolean deleted = !one.dataset().contains(other);
      parking.release();
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(one.dataset().contains(there)).isFalse();
      return new Seen(failure, deleted);
    }
  }
}
