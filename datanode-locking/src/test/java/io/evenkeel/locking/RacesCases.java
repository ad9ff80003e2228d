package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two operations on one block, one of them held in its I/O. Each race stock loses is shown on stock
 * as well, on the same Hadoop.
 */
abstract class RacesCases {
  private static final String DIRS = OneDataNode.DIRS;

  @TempDir Path dir;
  OneDataNode one;
  FsDatasetSpi<?> dataset;
  Replicas replicas;
  ParkedIo io;

  abstract boolean ours();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = OneDataNode.conf(ours());
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 20_000);
    one = OneDataNode.start(dir, conf);
    dataset = one.dataset();
    replicas = new Replicas(one, dir);
    io = ParkedIo.of(one.node());
  }

  @AfterEach
  void stop() throws Exception {
    io.close();
    if (ours()) {
      assertThat(one.operations().liveLocks()).isZero();
      assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
    }
    one.close();
  }

  /** The DataNode removes by location, whatever its dataset; the stress waits for such checks. */
  @Test
  void checkOfAFailedVolumeEndsLate_takesAwayTheVolumeThatReplacedIt() throws Exception {
    FsVolumeSpi old = dataset.getVolume(replicas.finalized(StorageType.DISK));
    String all = one.node().getConf().get(DIRS);
    one.node().reconfigurePropertyImpl(DIRS, one.directoriesWithout(old));
    one.node().reconfigurePropertyImpl(DIRS, all);
    ExtendedBlock b;
    do {
      b = replicas.finalized(StorageType.DISK);
    } while (!dataset.getVolume(b).getStorageLocation().equals(old.getStorageLocation()));
    assertThat(dataset.getVolume(b)).isNotSameAs(old);

    Method result = DataNode.class.getDeclaredMethod("handleVolumeFailures", Set.class);
    result.setAccessible(true);
    result.invoke(one.node(), Set.of(old)); // what the callback of checkDiskErrorAsync does

    assertThat(dataset.contains(b)).isFalse();
    assertThat(replicas.files(b)).hasSize(1);
  }

  /**
   * Two threads were given one stamp. A receiver announces the length before it writes, so what the
   * other one finalizes is longer than its file, and no recovery stops a writer of a finalized one.
   */
  @Test
  void finalizedByAnotherBeforeItIsWritten_recoveryMissesTheBytes() throws Exception {
    ExtendedBlock b = replicas.block();
    try (ReplicaHandler writer = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
      Replicas.announce(writer.getReplica());
      Calls<Void> other =
          Calls.start(
              "other",
              () -> {
                dataset.finalizeBlock(b, false);
                return null;
              });
      assertThat(other.failure()).isNull();
      RecoveringBlock recovering = new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 1001);
      assertThat(dataset.initReplicaRecovery(recovering).getNumBytes()).isEqualTo(Replicas.LENGTH);
      assertThatThrownBy(
              () -> dataset.updateReplicaUnderRecovery(b, 1001, b.getBlockId(), Replicas.LENGTH))
          .hasMessageContaining("Block length mismatch, len=0");
    }
  }

  /**
   * A deletion that the thread of its volume has taken and not begun is not counted as pending, and
   * the block is as it was: here one whose writer opened no file, so that it is not finalized. The
   * stress waits for the threads, not for the count.
   */
  @Test
  void deletionTakenAndNotBegun_isNotCountedAndTheBlockIsStillThere() throws Exception {
    ExtendedBlock b = replicas.block();
    dataset.createRbw(StorageType.SSD, null, b, false, 0).close();
    assertThatThrownBy(() -> dataset.finalizeBlock(b, false))
        .hasMessageContaining("Failed to move meta file");
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, dataset.getVolume(b))) {
      delete(b);
      held.awaitTaken();
      assertThat(dataset.getPendingAsyncDeletions()).isZero();
      assertThat(dataset.getReplica(b.getBlockPoolId(), b.getBlockId()).getState())
          .isEqualTo(ReplicaState.RBW);
      assertThat(replicas.files(b)).hasSize(1);
      Calls<Boolean> waiting = Calls.start("waiting", () -> AsyncDeletions.await(dataset));
      assertThat(waiting.waits()).isTrue();
      held.release();
      assertThat(waiting.result()).isTrue();
    }
    assertThat(dataset.contains(b)).isFalse();
    assertThat(replicas.files(b)).isEmpty();
  }

  /**
   * Neither dataset holds the volume of what it converts: {@code BlockReceiver} does, who alone
   * makes this call. The stress does as well.
   */
  @Test
  void convertedWhileItsVolumeGoes_comesBackUnlessTheVolumeIsHeld() throws Exception {
    ExtendedBlock held = replicas.temporary(StorageType.DISK);
    Calls<?> removal;
    try (FsVolumeReference volume = dataset.getVolume(held).obtainReference()) {
      removal = removing(volume.getVolume());
      assertThat(convert(held).failure()).isNull();
      assertThat(dataset.isValidRbw(held)).isTrue();
    }
    assertThat(one.failureOfRemoval(removal)).isNull();
    assertThat(dataset.contains(held)).isFalse();

    ExtendedBlock lost = replicas.temporary(StorageType.DISK);
    FsVolumeSpi gone = dataset.getVolume(lost);
    ParkedIo.Parking parking =
        io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("convert"));
    Calls<?> conversion;
    try (FsVolumeReference volume = gone.obtainReference()) {
      removal = removing(gone);
      conversion = convert(lost);
      parking.awaitAll();
    }
    Await.until("it is out of the map", () -> !dataset.contains(lost));
    parking.release();
    assertThat(conversion.failure()).isNull();
    assertThat(one.failureOfRemoval(removal)).isNull();
    assertThat(dataset.getVolume(lost)).isSameAs(gone);
    assertThatThrownBy(gone::obtainReference).isInstanceOf(ClosedChannelException.class);
  }

  private Calls<?> convert(ExtendedBlock b) {
    return Calls.start("convert", () -> dataset.convertTemporaryToRbw(b));
  }

  /** Begins to remove a volume, until only references to it are waited for. */
  private Calls<?> removing(FsVolumeSpi volume) throws Exception {
    Calls<?> removal =
        Calls.start(
            "remove",
            () -> one.node().reconfigurePropertyImpl(DIRS, one.directoriesWithout(volume)));
    Await.until(
        "references are waited for",
        () ->
            Arrays.stream(removal.thread().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("waitVolumeRemoved")));
    return removal;
  }

  /** Creates and leaves open; the exception if there was one. */
  Calls<Void> create(String name, ExtendedBlock b) {
    return Calls.start(
        name,
        () -> {
          try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
            Replicas.fill(handler.getReplica());
            return null;
          }
        });
  }

  Calls<Void> move(String name, ExtendedBlock b) {
    return Calls.start(
        name,
        () -> {
          dataset.moveBlockAcrossStorage(b, StorageType.SSD, null);
          return null;
        });
  }

  /** Two creations, the first held when it opens its file. */
  List<Throwable> twoCreations(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("first"));
    Calls<Void> first = create("first", b);
    parking.awaitAll();
    Calls<Void> second = create("second", b);
    assertThat(second.waits()).isEqualTo(ours());
    parking.release();
    return Stream.of(first.failure(), second.failure()).filter(e -> e != null).toList();
  }

  /** Two moves of one block; the first is held after its copy is made, before it is renamed. */
  List<Throwable> twoMoves(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.MKDIRS, 1, thread -> thread.getName().equals("move 1"));
    Calls<Void> first = move("move 1", b);
    parking.awaitAll();
    Calls<Void> second = move("move 2", b);
    assertThat(second.waits()).isFalse();
    parking.release();
    return Stream.of(first.failure(), second.failure()).filter(e -> e != null).toList();
  }

  /** The block is deleted while a move copies it; how the move ends. */
  Throwable deletedWhileMoved(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().startsWith("move"));
    Calls<Void> move = move("move", b);
    parking.awaitAll();
    ParkedIo.Parking deletion =
        io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
    delete(b);
    deletion.awaitAll(); // out of the map, its files still there to be copied
    parking.release();
    Throwable failure = move.failure();
    deletion.release();
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    return failure;
  }

  /** The block comes back while its old files are being deleted; whether that had to wait. */
  boolean createdWhileDeleted(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
    delete(b);
    parking.awaitAll();
    Calls<Void> create = create("create", b);
    boolean waited = create.waits();
    if (!waited) {
      assertThat(create.failure()).isNull();
      dataset.finalizeBlock(b, false);
    }
    parking.release();
    assertThat(create.failure()).isNull();
    if (waited) {
      dataset.finalizeBlock(b, false);
    }
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    return waited;
  }

  void delete(ExtendedBlock b) throws IOException {
    dataset.invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
  }
}
