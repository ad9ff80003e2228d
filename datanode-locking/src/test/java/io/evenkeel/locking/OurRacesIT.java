package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.Test;

/** Two operations on one block give what some order of them gives, with one replica at the end. */
class OurRacesIT extends RacesCases {
  private static final long RECOVERY = 1001;

  @Override
  boolean ours() {
    return true;
  }

  @Test
  void twoCreations_secondIsRefused() throws Exception {
    ExtendedBlock b = replicas.block();
    assertThat(twoCreations(b)).singleElement().isInstanceOf(ReplicaAlreadyExistsException.class);
    assertThat(replicas.files(b)).hasSize(1);
  }

  @Test
  void creationAndCopyComingIn_secondIsRefused() throws Exception {
    ExtendedBlock b = replicas.block();
    ParkedIo.Parking parking =
        io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("first"));
    Calls<Void> first = create("first", b);
    parking.awaitAll();
    Calls<ReplicaHandler> copy =
        Calls.start("copy", () -> dataset.createTemporary(StorageType.SSD, null, b, false));
    assertThat(copy.waits()).isTrue();
    parking.release();
    assertThat(first.failure()).isNull();
    assertThat(copy.failure()).isInstanceOf(ReplicaAlreadyExistsException.class);
    assertThat(replicas.files(b)).hasSize(1);
  }

  @Test
  void twoMoves_oneTakesThePlace() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    assertThat(twoMoves(b)).singleElement().isInstanceOf(ReplicaNotFoundException.class);
    assertThat(replicas.files(b)).hasSize(1);
    assertThat(dataset.isValidBlock(b)).isTrue();
  }

  @Test
  void deletedWhileMoved_notFoundAndNothingIsLeft() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    assertThat(deletedWhileMoved(b)).isInstanceOf(ReplicaNotFoundException.class);
    assertThat(replicas.files(b)).isEmpty();
  }

  @Test
  void createdWhileDeleted_comesToAnotherVolumeAndStays() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    assertThat(createdWhileDeleted(b)).as("it waits").isFalse();
    assertThat(replicas.files(b)).hasSize(1);
    assertThat(dataset.isValidBlock(b)).isTrue();
  }

  @Test
  void createdWhileDeletedByTheFirstOfTwoOrders_staysOnItsOtherVolume() throws Exception {
    ExtendedBlock other = replicas.finalized(StorageType.DISK);
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    while (dataset.getVolume(b) != dataset.getVolume(other)) {
      b = replicas.finalized(StorageType.DISK);
    }
    Predicate<Thread> disk = thread -> thread.getName().startsWith("Async disk");
    ParkedIo.Parking before = io.park(OPERATION.DELETE, 1, disk);
    delete(other);
    before.awaitAll();
    delete(b);
    delete(b);
    AtomicInteger metaOfOther = new AtomicInteger(1);
    ParkedIo.Parking first =
        io.park(OPERATION.DELETE, 1, t -> disk.test(t) && metaOfOther.getAndDecrement() <= 0);
    before.release();
    first.awaitAll();
    assertThat(create("create", b).failure()).isNull();
    first.release();
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(dataset.contains(b)).as("the second order meant the old one too").isTrue();
    assertThat(replicas.files(b)).hasSize(1);
  }

  /** The NameNode knows it from a full report, and its file was deleted meanwhile. */
  @Test
  void copyOnTruncateIsDeletedWhileItIsMade_recoveryEndsAndNothingIsLeft() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    ExtendedBlock copy = Replicas.at(replicas.block(), RECOVERY);
    dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, RECOVERY));
    ParkedIo.Parking renaming =
        io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("recovery"));
    Calls<?> recovery =
        Calls.start(
            "recovery",
            () ->
                dataset.updateReplicaUnderRecovery(
                    b, RECOVERY, copy.getBlockId(), Replicas.LENGTH / 2));
    renaming.awaitAll();
    assertThat(dataset.contains(copy)).isTrue();
    delete(copy);
    ExtendedBlock other = replicas.finalized(StorageType.DISK);
    delete(other);
    Await.until("the next deletion is done", () -> !dataset.contains(other));
    renaming.release();
    assertThat(recovery.failure()).isNull();
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(dataset.contains(copy)).isFalse();
    assertThat(replicas.files(copy)).isEmpty();
    assertThat(dataset.isValidBlock(Replicas.at(b, RECOVERY)) || dataset.contains(b)).isTrue();
  }

  @Test
  void filesOpenedAfterTheDeletion_areNotWaitedFor() throws Exception {
    ExtendedBlock b = replicas.block();
    try (ReplicaHandler late = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
      dataset.invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      Replicas.fill(late.getReplica());
      Calls<ReplicaHandler> copy =
          Calls.start("copy", () -> dataset.createTemporary(StorageType.SSD, null, b, false));
      assertThat(copy.failure()).isNull();
      assertThat(dataset.getReplica(b.getBlockPoolId(), b.getBlockId()).getState())
          .isEqualTo(ReplicaState.TEMPORARY);
    }
  }

  @Test
  void filesLeftByADeletionThatEnded_anotherBlocksDeletionHangs_areNotWaitedFor() throws Exception {
    ExtendedBlock other = replicas.finalized(StorageType.SSD);
    ExtendedBlock b = replicas.block();
    try (ReplicaHandler late = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
      dataset.invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      Replicas.fill(late.getReplica());
      ParkedIo.Parking parking =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
      delete(other);
      parking.awaitAll();
      Calls<ReplicaHandler> copy =
          Calls.start("copy", () -> dataset.createTemporary(StorageType.DISK, null, b, false));
      assertThat(copy.failure()).isNull(); // before the other deletion goes on
      parking.release();
    }
  }

  @Test
  void finalizedBetweenTwoOrdersToDeleteAndTheDeletion_nothingIsLeft() throws Exception {
    ExtendedBlock onOne = replicas.finalized(StorageType.DISK);
    ExtendedBlock onOther = replicas.finalized(StorageType.DISK);
    ParkedIo.Parking parking =
        io.park(OPERATION.DELETE, 2, thread -> thread.getName().startsWith("Async disk"));
    delete(onOne);
    delete(onOther);
    parking.awaitAll(); // the one thread each volume has
    ExtendedBlock b = replicas.block();
    assertThat(create("create", b).failure()).isNull();
    delete(b);
    delete(b);
    dataset.finalizeBlock(b, false);
    parking.release();
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(dataset.contains(b)).isFalse();
    assertThat(replicas.files(b)).isEmpty();
  }

  @Test
  void appendedWhileMoved_copyIsGivenUp() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    ParkedIo.Parking parking =
        io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
    Calls<Void> move = move("move", b);
    parking.awaitAll();
    dataset.append(b, 1001, Replicas.LENGTH).close();
    parking.release();
    assertThat(move.failure()).isInstanceOf(java.io.IOException.class);
    assertThat(replicas.files(b)).hasSize(1);
    assertThat(dataset.isValidRbw(Replicas.at(b, 1001))).isTrue();
  }

  /** Stock's copy never ends when its file gets shorter; here the recovery ends it. */
  @Test
  void recoveredWhileMoved_isCutShortAndTheCopyIsGivenUp() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    ParkedIo.Parking parking =
        io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
    AtomicBoolean interruptedAfterwards = new AtomicBoolean();
    Calls<Void> move =
        Calls.start(
            "move",
            () -> {
              try {
                dataset.moveBlockAcrossStorage(b, StorageType.SSD, null);
                return null;
              } finally {
                interruptedAfterwards.set(Thread.currentThread().isInterrupted());
              }
            });
    parking.awaitAll();
    assertThat(dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 1001)))
        .isNotNull();
    Replica recovered = dataset.updateReplicaUnderRecovery(b, 1001, b.getBlockId(), 10);
    assertThat(recovered.getNumBytes()).isEqualTo(10);
    parking.release();
    assertThat(move.failure()).isInstanceOf(java.io.IOException.class);
    assertThat(interruptedAfterwards).isFalse();
    assertThat(replicas.files(b)).singleElement().satisfies(f -> assertThat(f).hasSize(10));
    dataset.moveBlockAcrossStorage(
        new ExtendedBlock(one.pool(), b.getBlockId(), 10, 1001), StorageType.SSD, null);
  }

  @Test
  void writerStopped_needsTheBlocksLockToLeave_isNotWaitedForWithIt() throws Exception {
    ExtendedBlock recovered = replicas.block();
    Calls<Void> first = writer(recovered);
    dataset.recoverRbw(recovered, 1001, 0, Replicas.LENGTH).close();
    assertThat(first.failure()).isNull();

    ExtendedBlock copied = replicas.block();
    Calls<Void> second = writer(copied);
    dataset.createTemporary(StorageType.SSD, null, Replicas.at(copied, 1001), true).close();
    assertThat(second.failure()).isNull();
    assertThat(replicas.files(copied)).hasSize(1);
    Calls<Void> again = create("again", Replicas.at(copied, 1001));
    assertThat(again.failure()).isInstanceOf(ReplicaAlreadyExistsException.class);

    ExtendedBlock lost = replicas.block();
    Calls<Void> third = writer(lost);
    assertThat(
            dataset.initReplicaRecovery(new RecoveringBlock(lost, DatanodeInfo.EMPTY_ARRAY, 1002)))
        .isNotNull();
    assertThat(third.failure()).isNull();
  }

  /** Writes until it is interrupted; then it asks for its block's lock once more and leaves. */
  private Calls<Void> writer(ExtendedBlock b) throws InterruptedException {
    CountDownLatch writing = new CountDownLatch(1);
    Calls<Void> writer =
        Calls.start(
            "writer",
            () -> {
              try (ReplicaHandler handler =
                  dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
                Replicas.fill(handler.getReplica());
                writing.countDown();
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                dataset.unfinalizeBlock(b);
                return null;
              }
              return null;
            });
    writing.await();
    return writer;
  }
}
