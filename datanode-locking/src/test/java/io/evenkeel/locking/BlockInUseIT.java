package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call on a block another operation has waits for that one: what stock asks a pool's, a volume's
 * or a directory's lock for.
 */
@Timeout(300)
class BlockInUseIT {
  private static final long NEW = 1001;

  @TempDir static Path dir;

  private static OneDataNode one;

  @BeforeAll
  static void start() throws Exception {
    one = OneDataNode.start(dir, OneDataNode.conf(true));
    // The NameNode knows none of these blocks and would have them deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
  }

  @AfterAll
  static void stop() {
    one.close();
  }

  /** What there is of the block before. */
  enum Before {
    NOTHING,
    RBW,
    TEMPORARY,
    FINALIZED;

    ExtendedBlock make(Replicas replicas) throws Exception {
      switch (this) {
        case NOTHING:
          return replicas.block();
        case RBW:
          return replicas.rbw(StorageType.DISK);
        case TEMPORARY:
          return replicas.temporary(StorageType.DISK);
        default:
          return replicas.finalized(StorageType.DISK);
      }
    }
  }

  /** The call of a test. */
  interface Call {
    void on(FsDatasetSpi<FsVolumeSpi> dataset, ExtendedBlock b) throws Exception;
  }

  enum Waiting {
    CREATE_RBW(Before.NOTHING, (d, b) -> d.createRbw(StorageType.DISK, null, b, false, 0).close()),
    CREATE_TEMPORARY(
        Before.NOTHING, (d, b) -> d.createTemporary(StorageType.DISK, null, b, false).close()),
    APPEND(Before.FINALIZED, (d, b) -> d.append(b, NEW, Replicas.LENGTH).close()),
    RECOVER_APPEND(Before.FINALIZED, (d, b) -> d.recoverAppend(b, NEW, Replicas.LENGTH).close()),
    RECOVER_CLOSE(Before.RBW, (d, b) -> d.recoverClose(b, NEW, Replicas.LENGTH)),
    RECOVER_RBW(
        Before.RBW, (d, b) -> d.recoverRbw(b, NEW, Replicas.LENGTH, Replicas.LENGTH).close()),
    CONVERT(Before.TEMPORARY, FsDatasetSpi::convertTemporaryToRbw),
    FINALIZE(Before.RBW, (d, b) -> d.finalizeBlock(b, false)),
    UNFINALIZE(Before.TEMPORARY, FsDatasetSpi::unfinalizeBlock),
    INIT_RECOVERY(
        Before.FINALIZED,
        (d, b) -> d.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEW))),
    UPDATE_RECOVERY(
        Before.FINALIZED,
        (d, b) -> {
          d.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEW));
          d.updateReplicaUnderRecovery(b, NEW, b.getBlockId(), Replicas.LENGTH);
        }),
    MOVE(Before.FINALIZED, (d, b) -> d.moveBlockAcrossStorage(b, StorageType.SSD, null)),
    OPEN(Before.FINALIZED, (d, b) -> d.getTmpInputStreams(b, 0, 0).close()),
    MISSING(
        Before.FINALIZED,
        (d, b) -> d.invalidateMissingBlock(b.getBlockPoolId(), b.getLocalBlock())),
    SAVED(
        Before.FINALIZED,
        (d, b) ->
            d.onCompleteLazyPersist(
                b.getBlockPoolId(), b.getBlockId(), 0, new File[2], d.getVolume(b)));

    final Before before;
    final Call call;

    Waiting(Before before, Call call) {
      this.before = before;
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource
  void blockIsInUse_itIsWaitedFor(Waiting waiting) throws Exception {
    ExtendedBlock b = waiting.before.make(new Replicas(one, dir));
    @SuppressWarnings("unchecked")
    FsDatasetSpi<FsVolumeSpi> dataset = (FsDatasetSpi<FsVolumeSpi>) one.dataset();
    Calls<?> call;
    try (Operation use = one.operations().begin(OperationKind.APPEND, one.pool(), b.getBlockId())) {
      use.keepLock();
      call =
          Calls.start(
              "call",
              () -> {
                waiting.call.on(dataset, b);
                return null;
              });
      Await.until("it waits", () -> one.operations().waiting() == 1);
      assertThat(call.isDone()).isFalse();
    }
    Throwable failure = call.failure();
    assertThat(failure == null || failure instanceof IOException || waiting == Waiting.SAVED)
        .as("%s", failure)
        .isTrue();
    assertThat(one.operations().liveLocks()).isZero();
    assertThat(one.operations().lastBrokenRule()).isEmpty();
  }

  /** Who has the block may wait for another disk than the one that was scanned. */
  @Test
  void blockIsInUse_whatTheScannerFoundIsDoneLater() throws Exception {
    ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
    Files.delete(Path.of(one.dataset().getBlockLocalPathInfo(b).getBlockPath()));
    FsVolumeSpi.ScanInfo missing =
        new FsVolumeSpi.ScanInfo(b.getBlockId(), null, null, null, one.dataset().getVolume(b));
    try (Operation use = one.operations().begin(OperationKind.APPEND, one.pool(), b.getBlockId())) {
      use.keepLock();
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                one.dataset().checkAndUpdate(one.pool(), missing);
                return null;
              });
      assertThat(scan.failure()).isNull();
      assertThat(Volumes.replica(one.dataset(), b)).isNotNull();
    }
    Await.until("it is forgotten", () -> Volumes.replica(one.dataset(), b) == null);
  }
}
