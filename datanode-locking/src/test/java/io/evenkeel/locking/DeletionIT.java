package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions beside a disk that hangs. Stock is asked too where it is right. */
@Timeout(300)
class DeletionIT {
  private static final Predicate<Thread> DELETING =
      thread -> thread.getName().startsWith("Async disk");

  @TempDir private Path dir;

  private OneDataNode start(boolean ours, StorageType... types) throws IOException {
    Configuration conf = OneDataNode.conf(ours);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 1000);
    OneDataNode one = OneDataNode.start(dir, conf, types);
    // The NameNode knows none of these blocks and would have them deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static void delete(OneDataNode one, ExtendedBlock b) throws IOException {
    one.dataset().invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
  }

  /** The move has the block of the first while its target does not answer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blockIsBeingMovedToADiskThatHangs_otherBlocksOfItsVolumeAreDeleted(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock moved = replicas.finalized(StorageType.SSD);
      ExtendedBlock other = replicas.finalized(StorageType.SSD);
      FsVolumeSpi ssd = one.dataset().getVolume(other);
      // Where ours has the block's lock, and where stock has no lock at all.
      ParkedIo.Parking parking =
          io.park(
              ours ? OPERATION.MKDIRS : OPERATION.NATIVE_COPY,
              1,
              thread -> thread.getName().equals("move"));
      Calls<?> move =
          Calls.start(
              "move", () -> one.dataset().moveBlockAcrossStorage(moved, StorageType.DISK, null));
      parking.awaitAll();
      int references = Volumes.references(ssd);
      delete(one, moved);
      delete(one, other);
      Await.until("the other one is deleted", () -> !one.dataset().contains(other));
      if (ours) {
        Await.until(
            "the deletion that waits has no reference",
            () -> Volumes.references(ssd) == references);
      }
      parking.release();
      move.failure(); // stock's may fail: its source is gone
      if (ours) {
        Await.until("the moved one is deleted as well", () -> !one.dataset().contains(moved));
        assertThat(AsyncDeletions.await(one.dataset())).isTrue();
        assertThat(replicas.files(moved)).isEmpty();
        assertThat(replicas.files(other)).isEmpty();
        assertThat(one.operations().liveLocks()).isZero();
      }
    }
  }

  /** What is ordered for a volume that goes is not done when it comes back. */
  @Test
  void volumeGoesWhileADeletionWaits_whatComesBackStays() throws Exception {
    try (OneDataNode one = start(true, StorageType.SSD, StorageType.DISK, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.SSD);
      FsVolumeSpi ssd = one.dataset().getVolume(b);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      CountDownLatch enough = new CountDownLatch(1);
      Calls<?> user = use(one, b, enough);
      delete(one, b);
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().contains(b)).as("it waits").isTrue();
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(ssd));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      assertThat(one.dataset().contains(b)).as("while its block is in use").isFalse();
      enough.countDown();
      assertThat(user.failure()).isNull();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  /** Has the block's lock until the latch is down. */
  private static Calls<?> use(OneDataNode one, ExtendedBlock b, CountDownLatch enough)
      throws InterruptedException {
    CountDownLatch has = new CountDownLatch(1);
    Calls<?> user =
        Calls.start(
            "user",
            () -> {
              try (Operation operation =
                  one.operations().begin(OperationKind.MOVE, b.getBlockPoolId(), b.getBlockId())) {
                operation.keepLock();
                has.countDown();
                enough.await();
              }
              return null;
            });
    has.await();
    return user;
  }

  /** The thread of the pool's commands asks, and has deletions and recoveries to pass on too. */
  @Test
  void blockToBeCachedIsInUse_isNotWaitedForAndCachedLater() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = OneDataNode.start(dir, conf, StorageType.DISK)) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      memory.use(one.dataset());
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      CountDownLatch enough = new CountDownLatch(1);
      Calls<?> user = use(one, b, enough);
      Calls<?> command =
          Calls.start(
              "command",
              () -> {
                one.dataset().cache(b.getBlockPoolId(), new long[] {b.getBlockId()});
                return null;
              });
      assertThat(command.failure()).isNull();
      assertThat(one.dataset().isCached(b.getBlockPoolId(), b.getBlockId())).isFalse();
      enough.countDown();
      assertThat(user.failure()).isNull();
      Await.until("it is cached", () -> one.dataset().isCached(b.getBlockPoolId(), b.getBlockId()));
    }
  }

  /** The old files are deleted later, and must not be those of the new replica by then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oldFilesAreStillBeingDeleted_copyComesToAnotherVolume(boolean second) throws Exception {
    StorageType[] types =
        second
            ? new StorageType[] {StorageType.DISK, StorageType.DISK}
            : new StorageType[] {StorageType.DISK};
    try (OneDataNode one = start(true, types);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      FsVolumeSpi first = one.dataset().getVolume(b);
      ParkedIo.Parking parking = io.park(OPERATION.DELETE, 1, DELETING);
      delete(one, b);
      parking.awaitAll();
      if (second) {
        for (int i = 0; i < types.length; i++) { // whichever the policy would take
          copy(one, b);
          assertThat(one.dataset().getVolume(b)).isNotSameAs(first);
          one.dataset().unfinalizeBlock(b);
        }
        copy(one, b);
        one.dataset().finalizeBlock(b, false);
      } else {
        for (int i = 0; i < 2; i++) { // stock, and ours before, gave in at the second
          assertThatThrownBy(() -> copy(one, b)).isInstanceOf(DiskOutOfSpaceException.class);
        }
      }
      parking.release();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      if (!second) {
        copy(one, b);
        one.dataset().finalizeBlock(b, false);
      }
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  /** The move would bring it to the path that is being deleted. */
  @Test
  void oldFilesAreStillBeingDeleted_replicaIsNotMovedThere() throws Exception {
    try (OneDataNode one = start(true, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.SSD);
      ParkedIo.Parking parking = io.park(OPERATION.DELETE, 1, DELETING);
      delete(one, b);
      parking.awaitAll();
      copy(one, b);
      one.dataset().finalizeBlock(b, false);
      assertThatThrownBy(() -> one.dataset().moveBlockAcrossStorage(b, StorageType.SSD, null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is still being deleted");
      parking.release();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      one.dataset().moveBlockAcrossStorage(b, StorageType.SSD, null);
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  /** The NameNode gave the second order before it had the block copied here again. */
  @Test
  void orderedTwiceAndCopiedBetween_theNewReplicaStays() throws Exception {
    try (OneDataNode one = start(true, StorageType.DISK, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      ParkedIo.Parking parking = io.park(OPERATION.DELETE, 1, DELETING);
      CountDownLatch enough = new CountDownLatch(1);
      Calls<?> user = use(one, b, enough);
      delete(one, b);
      delete(one, b);
      assertThat(AsyncDeletions.await(one.dataset())).isTrue(); // both wait
      enough.countDown();
      assertThat(user.failure()).isNull();
      parking.awaitAll();
      copy(one, b);
      one.dataset().finalizeBlock(b, false);
      parking.release();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  /** The one that comes in must be refused then; it must not have the finalized one deleted. */
  @Test
  void replicaIsFinalizedWhileANewerOneIsToReplaceIt_stays() throws Exception {
    try (OneDataNode one = start(true, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.rbw(StorageType.DISK);
      Replica written = one.dataset().getReplica(b.getBlockPoolId(), b.getBlockId());
      ((ReplicaInPipeline) written).stopWriter(0); // else the newer one has to do that first
      ParkedIo.Parking renaming =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("finalize"));
      CountDownLatch enough = new CountDownLatch(1);
      Calls<?> user = use(one, b, enough);
      Calls<Void> newer = copyLater(one, Replicas.at(b, 1001)); // has its look at the map first
      newer.waits();
      Calls<?> finalize =
          Calls.start(
              "finalize",
              () -> {
                one.dataset().finalizeBlock(b, false);
                return null;
              });
      finalize.waits();
      enough.countDown();
      renaming.awaitAll(); // between that look and the deletion
      newer.waits();
      renaming.release();
      assertThat(user.failure()).isNull();
      assertThat(finalize.failure()).isNull();
      assertThat(newer.failure()).isInstanceOf(ReplicaAlreadyExistsException.class);
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  /** It gets its turn between them. */
  @Test
  void olderReplicaIsInUseAgainAndAgain_newerCopyIsMade() throws Exception {
    try (OneDataNode one = start(true, StorageType.DISK)) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      AtomicBoolean enough = new AtomicBoolean();
      List<Calls<?>> users = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        users.add(
            Calls.start(
                "user",
                () -> {
                  while (!enough.get()) {
                    try (Operation operation =
                        one.operations()
                            .begin(OperationKind.MOVE, b.getBlockPoolId(), b.getBlockId())) {
                      operation.lock(true);
                      Await.pause(20);
                      operation.unlock();
                    }
                  }
                  return null;
                }));
      }
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler made =
          one.dataset().createTemporary(StorageType.DISK, null, newer, true)) {
        assertThat(made.getReplica().getGenerationStamp()).isEqualTo(1001);
      } finally {
        enough.set(true);
      }
      for (Calls<?> user : users) {
        assertThat(user.failure()).isNull();
      }
    }
  }

  private static void copy(OneDataNode one, ExtendedBlock b) throws IOException {
    try (ReplicaHandler handler = one.dataset().createTemporary(StorageType.DISK, null, b, false)) {
      Replicas.fill(handler.getReplica());
    }
  }

  /** The directory scanner saw the files of a replica that is out of the map by now. */
  @Test
  void filesAreBeingDeleted_scannerFindsThem_blockDoesNotComeBack() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(true));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      BlockLocalPathInfo files = one.dataset().getBlockLocalPathInfo(b);
      File data = new File(files.getBlockPath());
      String meta = new File(files.getMetaPath()).getName();
      ScanInfo found =
          new ScanInfo(
              b.getBlockId(),
              data.getParentFile(),
              data.getName(),
              meta,
              one.dataset().getVolume(b));
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
      one.dataset().invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitAll();
      one.dataset().checkAndUpdate(one.pool(), found);
      assertThat(one.dataset().contains(b)).isFalse();
      deleting.release();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(one.dataset().contains(b)).isFalse();
    }
  }

  private OneDataNode startWithTwoDisks(boolean ours) throws IOException {
    OneDataNode one =
        OneDataNode.start(dir, OneDataNode.conf(ours), StorageType.DISK, StorageType.DISK);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static Calls<Void> copyLater(OneDataNode one, ExtendedBlock b) {
    return Calls.start(
        "copy",
        () -> {
          one.dataset().createTemporary(StorageType.DISK, null, b, false).close();
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void otherDiskIsFull_copyComesOnceTheOldFilesAreDeleted(boolean ours) throws Exception {
    try (OneDataNode one = startWithTwoDisks(ours);
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi room = one.dataset().getVolume(b);
      Volumes.of(one.dataset()).forEach(each -> Volumes.setFull(each, each != room));
      ParkedIo.Parking deleting = io.park(OPERATION.DELETE, 1, DELETING);
      delete(one, b);
      deleting.awaitAll();
      Calls<Void> copy = copyLater(one, b);
      copy.waits();
      deleting.release();
      assertThat(copy.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allDisksAreFull_copyDoesNotWaitForTheOldFiles(boolean ours) throws Exception {
    try (OneDataNode one = startWithTwoDisks(ours);
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking deleting = io.park(OPERATION.DELETE, 1, DELETING);
      delete(one, b);
      deleting.awaitAll();
      Volumes.of(one.dataset()).forEach(each -> Volumes.setFull(each, true));
      Calls<Void> copy = copyLater(one, b);
      assertThat(copy.waits()).isFalse();
      assertThat(copy.failure()).isInstanceOf(DiskOutOfSpaceException.class);
    }
  }
}
