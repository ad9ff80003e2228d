package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A volume is removed and comes back. Meanwhile a replica of one of its blocks came to another
 * volume, after an append elsewhere: with a newer generation stamp.
 */
@Timeout(300)
class VolumeReturnIT {
  private static final long OLD = 1000;
  private static final long NEW = 1001;

  @TempDir Path dir;

  /** What the volume has, and the stamp of the replica the DataNode knows when it is back. */
  @ParameterizedTest
  @CsvSource({"FINALIZED,1000", "RBW,1000"})
  void volumeComesBack_stockKnowsTheOlderReplica(String state, long stamp) throws Exception {
    assertThat(stampAfterReturn(false, state, NEW)).isEqualTo(stamp);
  }

  @ParameterizedTest
  @CsvSource({"FINALIZED,1001", "RBW,1001"})
  void volumeComesBack_oursKnowsTheNewerReplica(String state, long stamp) throws Exception {
    assertThat(stampAfterReturn(true, state, NEW)).isEqualTo(stamp);
  }

  /** As in stock: it is the newer one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeComesBackWithTheNewerReplica_itIsKnown(boolean ours) throws Exception {
    assertThat(stampAfterReturn(ours, "FINALIZED", OLD - 1)).isEqualTo(OLD);
  }

  /** What stayed would be found by the directory scanner, or come up at the next start. */
  @ParameterizedTest
  @ValueSource(strings = {"FINALIZED", "RBW"})
  void volumeCameBack_nothingOfTheOlderReplicaIsLeftForAScanWithOurs(String state)
      throws Exception {
    try (OneDataNode one = start(true)) {
      ExtendedBlock b = returned(one, state, NEW);
      try (Stream<Path> files = Files.walk(dir)) {
        String name = "blk_" + b.getBlockId();
        assertThat(files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith(name)))
            .containsExactlyInAnyOrder(name, name + "_" + NEW + ".meta");
      }
      assertThat(Volumes.blocks(one.dataset())).isOne();
      DataNodeTestUtils.runDirectoryScanner(one.node());
      assertThat(stamp(one, b)).isEqualTo(NEW);
    }
  }

  /** A rollback would need it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeComesBack_duringARollingUpgradeOrWhereDuplicatesStay_oursDeletesNothing(
      boolean upgrade) throws Exception {
    Configuration conf = OneDataNode.conf(true);
    conf.setBoolean("dfs.datanode.duplicate.replica.deletion", upgrade);
    try (OneDataNode one = OneDataNode.start(dir, conf)) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      if (upgrade) {
        AsyncDeletions.intoTrash(one.dataset(), one.pool());
      }
      ExtendedBlock b = returned(one, "FINALIZED", NEW);
      assertThat(stamp(one, b)).isEqualTo(NEW);
      assertThat(new Replicas(one, dir).files(b)).hasSize(2);
    }
  }

  private static long stamp(OneDataNode one, ExtendedBlock b) throws Exception {
    return one.dataset().getStoredBlock(b.getBlockPoolId(), b.getBlockId()).getGenerationStamp();
  }

  /** A write that was cut off by the removal does not take the place of a complete replica. */
  @ParameterizedTest
  @CsvSource({"false,RWR", "true,FINALIZED"})
  void volumeComesBackWithAnUnfinishedReplica_ofTheSameStamp_oursKnowsTheFinalized(
      boolean ours, String known) throws Exception {
    try (OneDataNode one = start(ours)) {
      ExtendedBlock b = returned(one, "RBW", OLD);
      assertThat(one.dataset().getReplicaString(b.getBlockPoolId(), b.getBlockId()))
          .contains(known);
    }
  }

  private OneDataNode start(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    OneDataNode one = OneDataNode.start(dir, conf);
    // The NameNode knows none of these blocks and would have them deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private long stampAfterReturn(boolean ours, String state, long copied) throws Exception {
    try (OneDataNode one = start(ours)) {
      ExtendedBlock b = returned(one, state, copied);
      long known = stamp(one, b);
      if (ours) {
        assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
        assertThat(one.operations().liveLocks()).isZero();
        assertThat(new Replicas(one, dir).files(b)).hasSize(copied < OLD ? 2 : 1);
      }
      return known;
    }
  }

  /** A block of which the volume that is back has a replica, and another one has a copy. */
  private ExtendedBlock returned(OneDataNode one, String state, long copied) throws Exception {
    Replicas replicas = new Replicas(one, dir);
    ExtendedBlock b =
        state.equals("RBW") ? replicas.rbw(StorageType.DISK) : replicas.finalized(StorageType.DISK);
    FsVolumeSpi volume = one.dataset().getVolume(b);
    String all = one.node().getConf().get(OneDataNode.DIRS);
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
    assertThat(one.dataset().contains(b)).isFalse();
    copyIn(one, Replicas.at(b, copied));
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
    assertThat(AsyncDeletions.await(one.dataset())).isTrue();
    return b;
  }

  private static void copyIn(OneDataNode one, ExtendedBlock b) throws Exception {
    try (ReplicaHandler handler = one.dataset().createTemporary(StorageType.SSD, null, b, true)) {
      Replicas.fill(handler.getReplica());
    }
    one.dataset().finalizeBlock(b, false);
  }

  /**
   * Its file was lost on one volume, and the scanner is about to say so, when another volume comes
   * back with a good replica.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeComesBack_whileALostReplicaOfItsBlockIsTakenOut_itsReplicaIsKnown(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours);
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi volume = one.dataset().getVolume(b);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
      copyIn(one, b);
      Files.delete(Path.of(one.dataset().getBlockLocalPathInfo(b).getBlockPath()));
      FsVolumeSpi.ScanInfo lost =
          new FsVolumeSpi.ScanInfo(b.getBlockId(), null, null, null, one.dataset().getVolume(b));

      ParkedIo.Parking looking =
          io.park(OPERATION.EXISTS, 1, thread -> thread.getName().equals("scan"));
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                one.dataset().checkAndUpdate(one.pool(), lost);
                return null;
              });
      looking.awaitAll();
      Calls<?> back =
          Calls.start(
              "back",
              () -> {
                one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
                return null;
              });
      if (ours) { // stock waits for the scanner, for ever where its disk hangs
        assertThat(back.failure()).isNull();
      } else {
        assertThat(back.waits()).isTrue();
      }
      looking.release();

      assertThat(scan.failure()).isNull();
      assertThat(back.failure()).isNull();
      Await.until(
          "the replica is known; ours is taken in by a thread of its disk",
          () -> one.dataset().contains(b));
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(one.dataset().getVolume(b).getStorageLocation())
          .isEqualTo(volume.getStorageLocation());
    }
  }

  /**
   * A copy of one of its blocks has just come in elsewhere, while the volume brings many replicas.
   * What is reported then names the volume's storage, or no report reaches the NameNode any more.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeComesBack_whileACopyOfOneOfItsBlocksComesIn_newFilesCanBeClosed(boolean ours)
      throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 6);
    try (OneDataNode one = OneDataNode.startWithNameNode(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      for (int i = 0; i < 8; i++) {
        write(one.fileSystem(), "/before" + i);
      }
      List<ExtendedBlock> blocks = onOneVolume(one);
      ExtendedBlock first = blocks.get(0);
      ExtendedBlock last = blocks.get(blocks.size() - 1);
      FsVolumeSpi volume = one.dataset().getVolume(first);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));

      ParkedIo.Parking creating =
          io.park(EnumSet.allOf(OPERATION.class), 1, thread -> thread.getName().equals("copy"));
      Calls<?> copy =
          Calls.start(
              "copy",
              () -> {
                one.dataset().createTemporary(StorageType.SSD, null, first, false).close();
                return null;
              });
      creating.awaitAll();
      CountDownLatch merging = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      if (ours) {
        stopMergeAt(one.operations(), last, merging, goOn);
      }
      Calls<?> back =
          Calls.start(
              "back",
              () -> {
                one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
                return null;
              });
      if (ours) {
        merging.await();
      } else {
        assertThat(back.waits()).as("for the pool").isTrue();
      }
      creating.release();
      assertThat(copy.failure()).isNull();
      goOn.countDown();
      assertThat(back.failure()).isNull();
      assertThat(one.dataset().contains(first)).isTrue();

      write(one.fileSystem(), "/after");
    }
  }

  private static void write(DistributedFileSystem fs, String file) throws IOException {
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(file), (short) 1)) {
      out.write(new byte[1000]);
    }
  }

  /** Those of one volume, as a set of replicas gives them. */
  private static List<ExtendedBlock> onOneVolume(OneDataNode one) throws IOException {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/before" + i);
      ExtendedBlock b = DFSTestUtil.getFirstBlock(one.fileSystem(), file);
      if (blocks.isEmpty()
          || one.dataset().getVolume(b) == one.dataset().getVolume(blocks.get(0))) {
        blocks.add(b);
      }
    }
    blocks.sort(Comparator.comparingLong(b -> b.getBlockId() & 15));
    assertThat(blocks).hasSizeGreaterThan(1);
    return blocks;
  }

  /** As long as 100,000 replicas take. */
  private static void stopMergeAt(
      Operations operations, ExtendedBlock b, CountDownLatch merging, CountDownLatch goOn)
      throws ReflectiveOperationException {
    Field field = Operations.class.getDeclaredField("events");
    field.setAccessible(true);
    LockEvents[] events = (LockEvents[]) field.get(operations);
    LockEvents before = events[0];
    events[0] =
        new LockEvents() {
          @Override
          public void acquired(Operation operation) {
            before.acquired(operation);
            if (operation.kind() == OperationKind.MERGE && operation.blockId() == b.getBlockId()) {
              merging.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
          }

          @Override
          public void released(Operation operation) {
            before.released(operation);
          }
        };
  }

  /** The copy has taken the replica's place, and the old files are not gone yet. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sourceOfAMoveReturnsAsItsOldFilesAreDeleted_copyStays(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(dataset.getVolume(b));
      HangingIo.Hang renaming =
          io.hang(OPERATION.MOVE, (volume, thread) -> thread.getName().equals("move"));
      Calls<?> move =
          Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      renaming.awaitArrival();
      Calls<?> removal = one.setDirectories(without);
      Calls<?> returning = null;
      if (ours) { // stock's waits for the rename
        assertThat(one.failureOfRemoval(removal)).isNull();
        HangingIo.Hang deleting =
            io.hang(OPERATION.DELETE, (volume, thread) -> thread.getName().equals("move"));
        synchronized (dataset) { // in which what was read comes in
          returning = one.setDirectories(all);
          returning.waits();
          renaming.release();
          deleting.awaitArrival();
        }
        assertThat(returning.failure()).isNull();
        deleting.release();
      }
      renaming.release();
      move.failure(); // however it ends
      assertThat(one.failureOfRemoval(removal)).isNull();
      if (returning == null) {
        assertThat(one.setDirectories(all).failure()).isNull();
      }
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  /** The replica of the first time is still asked for at its disk. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeIsAddedTwice_copyThatCameInFails_replicaIsKnown(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(dataset.getVolume(b));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      Replicas.comesIn(dataset, StorageType.SSD, b);
      HangingIo.Hang sick =
          io.hang(OPERATION.EXISTS, (volume, thread) -> thread.getName().startsWith("evenkeel"));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      dataset.unfinalizeBlock(b); // the copy failed
      sick.release();
      Await.until("the replica is known", () -> dataset.contains(b));
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  /** The replica of the disk waits for what becomes of the copy, and the next copy for that one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void newerCopyFailsAsTheDiskReturns_theNextIsMadeOnIt(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf, StorageType.SSD, StorageType.DISK)) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(dataset.getVolume(b));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      ExtendedBlock newer = Replicas.at(b, NEW);
      Replicas.comesIn(dataset, StorageType.SSD, newer);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      dataset.unfinalizeBlock(newer);
      try (ReplicaHandler next = dataset.createTemporary(StorageType.DISK, null, newer, true)) {
        assertThat(next.getReplica().getGenerationStamp()).isEqualTo(NEW);
      }
    }
  }

  /**
   * It was moved to another volume and deleted there, while its old files were still being deleted.
   * Stock knows it again as the volume is back, and is left with an entry without files.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeComesBack_whileFilesOnItAreStillBeingDeleted_noEntryIsLeftWithOurs(boolean late)
      throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (OneDataNode one = OneDataNode.start(dir, conf, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      HangingIo.Hang deleting =
          io.hang(OPERATION.DELETE, (volume, thread) -> thread.getName().startsWith("move"));
      Calls<?> move =
          Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.DISK, null));
      deleting.awaitArrival();
      Calls<?> removal =
          one.setDirectories(one.directoriesWithout(Volumes.of(dataset, StorageType.SSD)));
      assertThat(one.failureOfRemoval(removal)).isNull();
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      assertThat(Volumes.replica(dataset, b)).isNull();
      Calls<?> back;
      if (late) { // the volume has been read when they are deleted
        HangingIo.Hang reading =
            io.hang(OPERATION.LIST, (volume, thread) -> volume.getStorageType() == StorageType.SSD);
        back = one.setDirectories(all);
        reading.awaitArrival();
        synchronized (dataset) {
          reading.release();
          assertThat(back.waits()).isTrue();
          deleting.release();
          move.failure();
        }
      } else {
        back = one.setDirectories(all);
      }
      assertThat(back.failure()).isNull();
      deleting.release();
      move.failure();
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      assertThat(Volumes.replica(dataset, b)).isNull();
      assertThat(new Replicas(one, dir).files(b)).isEmpty();
    }
  }
}
