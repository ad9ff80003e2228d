package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk hangs that a block is moved to, or that has another replica of it: the block on its own
 * disk, and the other blocks there, go on, as with stock.
 */
@Timeout(100)
class OtherDiskHangsIT {
  private static final boolean IS_34 =
      System.getProperty("evenkeel.hadoop.version").startsWith("3.4");

  @TempDir private Path dir;

  private OneDataNode start(boolean ours, StorageType... types) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 3000);
    OneDataNode one = OneDataNode.start(dir, conf, types);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  /** The copy is made, and its rename to its place hangs. */
  private static void moveUntilTheRename(OneDataNode one, ParkedIo io, ExtendedBlock b)
      throws Exception {
    ParkedIo.Parking renaming =
        io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("move"));
    Calls.start("move", () -> one.dataset().moveBlockAcrossStorage(b, StorageType.SSD, null));
    renaming.awaitAll();
  }

  private static boolean waits(Callable<?> call) throws Exception {
    Calls<?> calling = Calls.start("other", call);
    boolean waits = calling.waits();
    assertThat(waits || calling.failure() == null).as("it failed").isTrue();
    return waits;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void moveHangsAtTheRename_replicaIsReadAndRecovered(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      moveUntilTheRename(one, io, b);
      assertThat(waits(() -> closed(dataset.getTmpInputStreams(b, 0, 0)))).isFalse();
      assertThat(waits(() -> closed(dataset.getBlockInputStream(b, 0)))).isFalse();
      assertThat(waits(() -> dataset.getReplicaVisibleLength(b))).isFalse();
      assertThat(waits(() -> dataset.initReplicaRecovery(recovery(b)))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_itIsMovedOnAndBack(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.DISK, StorageType.SSD, StorageType.SSD);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      deleting.awaitAll();
      FsVolumeSpi first = dataset.getVolume(b);
      FsVolumeSpi second =
          Volumes.of(dataset).stream()
              .filter(each -> each != first && each.getStorageType() == StorageType.SSD)
              .findFirst()
              .orElseThrow();
      dataset.moveBlockAcrossVolumes(b, second);
      dataset.moveBlockAcrossVolumes(b, first);
      assertThat(dataset.getVolume(b)).isSameAs(first);
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  private static Void closed(AutoCloseable opened) throws Exception {
    opened.close();
    return null;
  }

  private static RecoveringBlock recovery(ExtendedBlock b) {
    return new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void moveHangsAtTheRename_blockIsMovedToAnotherDisk(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      moveUntilTheRename(one, io, b);
      assertThat(waits(() -> one.dataset().moveBlockAcrossStorage(b, StorageType.ARCHIVE, null)))
          .isFalse();
    }
  }

  /**
   * Appended to before the rename ends: the copy goes, and the next move finds its place free.
   * Stock's copy takes the place of the appended replica, or fails and stays.
   */
  @Test
  void appendedWhileTheRenameHangs_copyIsTakenAwayAndTheBlockCanBeMoved() throws Exception {
    try (OneDataNode one = start(true, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking renaming =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("move"));
      Calls<?> move =
          Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      renaming.awaitAll();
      File ssd = new File(renaming.directory());
      try (ReplicaHandler appended = dataset.append(b, 1001, Replicas.LENGTH)) {
        assertThat(appended.getReplica().getNumBytes()).isEqualTo(Replicas.LENGTH);
      }
      ExtendedBlock newer = Replicas.at(b, 1001);
      dataset.finalizeBlock(newer, false);
      renaming.release();
      assertThat(move.failure()).hasMessageContaining("changed while it was copied");
      assertThat(filesOf(b, ssd)).isZero();
      dataset.moveBlockAcrossStorage(newer, StorageType.SSD, null);
      assertThat(dataset.getVolume(newer).getStorageType()).isEqualTo(StorageType.SSD);
      assertThat(filesOf(b, ssd)).isEqualTo(2);
    }
  }

  private static long filesOf(ExtendedBlock b, File volume) throws Exception {
    try (var tree = Files.walk(volume.toPath())) {
      return tree.filter(p -> p.getFileName().toString().startsWith(b.getBlockName())).count();
    }
  }

  /** What was copied for nothing is deleted on a disk that hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyThatIsGivenUpHangs_recoveryOfTheBlockEnds(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking copying =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      copying.awaitAll();
      dataset.initReplicaRecovery(recovery(b));
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("move"));
      copying.release();
      deleting.awaitAll();
      Calls<?> update =
          Calls.start(
              "update",
              () -> dataset.updateReplicaUnderRecovery(b, 2000, b.getBlockId(), Replicas.LENGTH));
      assertThat(update.waits()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void finalizationHangs_creationOfTheBlockIsRefusedAtOnce(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).rbw(StorageType.DISK);
      ParkedIo.Parking renaming =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("finalize"));
      Calls.start(
          "finalize",
          () -> {
            dataset.finalizeBlock(b, false);
            return null;
          });
      renaming.awaitAll();
      Calls<?> again =
          Calls.start("again", () -> dataset.createRbw(StorageType.SSD, null, b, false, 0));
      assertThat(again.waits()).isFalse();
      assertThat(again.failure()).hasMessageContaining("already exists in state RBW");
    }
  }

  /** A volume came back with an older replica, and the disk of the newer one hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderReplicaCameBack_otherBlocksOfItsVolumeAreDeleted(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      ExtendedBlock other = replicas.finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(dataset.getVolume(b));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler handler = dataset.createTemporary(StorageType.SSD, null, newer, true)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(newer, false);
      HangingIo.Hang sick =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) ->
                  volume.getStorageType() == StorageType.SSD && looksForAReplica(thread));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      dataset.invalidate(other.getBlockPoolId(), new Block[] {other.getLocalBlock()});
      Await.until("the other one is deleted", () -> !dataset.contains(other));
    }
  }

  /** On a thread of the DataNode, or the scanner's. */
  private static boolean looksForAReplica(Thread thread) {
    String name = thread.getName();
    return (name.equals("scan") || name.startsWith("Async disk") || name.startsWith("evenkeel"))
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("blockDataExists"));
  }

  /** The scanner found a duplicate of a block in use, and the disk of the known one hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void duplicateIsLookedAtLater_otherBlocksOfItsVolumeAreDeleted(boolean ours) throws Exception {
    assumeTrue(ours || !IS_34); // stock 3.4's deletion waits for the pool's lock
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock other = inAnotherDirectory(one, replicas.block());
      ExtendedBlock b = replicas.finalized(StorageType.SSD);
      FsVolumeSpi.ScanInfo found = duplicate(one, b, dataset.getVolume(other));
      ParkedIo.Parking reading =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("reader"));
      Calls<?> reader = Calls.start("reader", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      reading.awaitAll();
      ParkedIo.Parking sick = io.park(OPERATION.EXISTS, 1, OtherDiskHangsIT::looksForAReplica);
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                dataset.checkAndUpdate(one.pool(), found);
                return null;
              });
      scan.waits();
      reading.release();
      assertThat(reader.failure()).isNull();
      sick.awaitAll();
      dataset.invalidate(other.getBlockPoolId(), new Block[] {other.getLocalBlock()});
      Await.until("the other one is deleted", () -> !dataset.contains(other));
    }
  }

  private static ExtendedBlock inAnotherDirectory(OneDataNode one, ExtendedBlock b)
      throws Exception {
    long id = b.getBlockId() + (5 << 8);
    ExtendedBlock other = new ExtendedBlock(one.pool(), id, Replicas.LENGTH, 1000);
    try (ReplicaHandler handler =
        one.dataset().createRbw(StorageType.DISK, null, other, false, 0)) {
      Replicas.fill(handler.getReplica());
    }
    one.dataset().finalizeBlock(other, false);
    return other;
  }

  /** What the scanner finds on {@code volume}: the same files with an older generation stamp. */
  private static FsVolumeSpi.ScanInfo duplicate(
      OneDataNode one, ExtendedBlock b, FsVolumeSpi volume) throws Exception {
    ReplicaInfo known = (ReplicaInfo) one.dataset().getReplica(b.getBlockPoolId(), b.getBlockId());
    Path data = Path.of(known.getBlockURI());
    Path to =
        Path.of(volume.getBaseURI())
            .resolve(Path.of(known.getVolume().getBaseURI()).relativize(data));
    Files.createDirectories(to.getParent());
    Files.copy(data, to);
    String meta = b.getBlockName() + "_999.meta";
    Files.copy(Path.of(known.getMetadataURI()), to.resolveSibling(meta));
    return new FsVolumeSpi.ScanInfo(
        b.getBlockId(), to.getParent().toFile(), to.getFileName().toString(), meta, volume);
  }

  /** The older replica's volume is being removed; its files are gone when the new disk hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicaThatReplacesAnotherHangs_volumeOfTheOtherIsRemoved(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi leaving = dataset.getVolume(b);
      Calls<?> removal;
      HangingIo.Hang opening;
      try (FsVolumeReference reader = leaving.obtainReference()) {
        removal = one.setDirectories(one.directoriesWithout(leaving));
        Await.until("it is closed", () -> !Volumes.of(dataset).contains(leaving));
        removal.waits();
        opening =
            io.hang(
                OPERATION.OPEN,
                (volume, thread) ->
                    thread.getName().equals("create")
                        && volume.getStorageType() == StorageType.SSD);
        ExtendedBlock newer = Replicas.at(b, 1001);
        Calls.start(
            "create", () -> closed(dataset.createRbw(StorageType.SSD, null, newer, false, 1001)));
        opening.awaitArrival();
      }
      assertThat(one.failureOfRemoval(removal)).isNull();
    }
  }

  /** A block of a disk that was removed, with a copy of the same stamp on an SSD. */
  private ExtendedBlock copiedWhileItsDiskIsAway(OneDataNode one) throws Exception {
    FsDatasetSpi<?> dataset = one.dataset();
    ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
    one.node()
        .reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(dataset.getVolume(b)));
    try (ReplicaHandler copy = dataset.createTemporary(StorageType.SSD, null, b, false)) {
      Replicas.fill(copy.getReplica());
    }
    dataset.finalizeBlock(b, false);
    return b;
  }

  private enum Meanwhile {
    VOLUME_FAILED,
    VOLUME_REMOVED,
    POOL_ADDED
  }

  /** Its blocks were copied to another disk meanwhile, so it is asked whether they changed. */
  @ParameterizedTest
  @CsvSource({
    "VOLUME_FAILED, false",
    "VOLUME_FAILED, true",
    "VOLUME_REMOVED, false",
    "VOLUME_REMOVED, true",
    "POOL_ADDED, false",
    "POOL_ADDED, true"
  })
  void diskThatReturnsHangs_othersGoOn(Meanwhile meanwhile, boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      String all = one.node().getConf().get(OneDataNode.DIRS);
      ExtendedBlock b = copiedWhileItsDiskIsAway(one);
      FsVolumeSpi other =
          Volumes.of(dataset).stream()
              .filter(each -> each != dataset.getVolume(b))
              .findFirst()
              .orElseThrow();
      HangingIo.Hang sick =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) ->
                  volume != null
                      && volume.getStorageType() == StorageType.DISK
                      && isIn(thread, "blockDataExists"));
      Calls<?> returning = one.setDirectories(all);
      if (ours) {
        sick.awaitArrival();
      } else {
        assertThat(returning.failure()).isNull();
      }
      assertThat(waits(() -> dataset.getBlockInputStream(b, 0).read())).isFalse();
      if (meanwhile == Meanwhile.VOLUME_FAILED) {
        Method failed = DataNode.class.getDeclaredMethod("handleVolumeFailures", Set.class);
        failed.setAccessible(true);
        Calls<?> failing = Calls.start("fail", () -> failed.invoke(one.node(), Set.of(other)));
        assertThat(one.failureOfRemoval(failing)).isNull();
      } else if (meanwhile == Meanwhile.VOLUME_REMOVED) {
        Calls<?> removal =
            Calls.start(
                "remove",
                () -> {
                  dataset.removeVolumes(Set.of(other.getStorageLocation()), false);
                  return null;
                });
        assertThat(one.failureOfRemoval(removal)).isNull();
      } else {
        dataset.addBlockPool("BP-2-127.0.0.1-2", one.node().getConf());
        dataset.shutdownBlockPool("BP-2-127.0.0.1-2");
      }
    }
  }

  private static boolean isIn(Thread thread, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  /** Who gives the block back when the disk is read has it taken in, and does not wait for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void diskReturnsWhileItsBlockIsCopiedAndThenHangs_copyIsMade(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      one.node()
          .reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(dataset.getVolume(b)));
      HangingIo.Hang creating =
          io.hang(OPERATION.OPEN, (volume, thread) -> thread.getName().equals("create"));
      Calls<?> create =
          Calls.start(
              "create", () -> closed(dataset.createTemporary(StorageType.SSD, null, b, false)));
      creating.awaitArrival();
      Calls<?> returning = one.setDirectories(all);
      if (ours) {
        assertThat(returning.failure()).isNull();
      } else {
        returning.waits();
      }
      HangingIo.Hang sick =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) ->
                  volume.getStorageType() == StorageType.DISK && isIn(thread, "blockDataExists"));
      creating.release();
      assertThat(create.failure()).isNull();
      sick.release();
    }
  }

  /** The replica of the disk that returned has to wait, and must not take the newer one's place. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void diskReturnsWhileItsBlockIsRead_newerCopyThatComesInIsFinalized(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      String all = one.node().getConf().get(OneDataNode.DIRS);
      ExtendedBlock b = copiedWhileItsDiskIsAway(one);
      HangingIo.Hang opening =
          io.hang(OPERATION.OPEN, (volume, thread) -> thread.getName().equals("reader"));
      Calls<?> reader = Calls.start("reader", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      opening.awaitArrival();
      Calls<?> returning = one.setDirectories(all);
      if (ours) {
        assertThat(returning.failure()).isNull();
        Await.until("its replica waits for the reader", () -> Volumes.comingIn(dataset) == 0);
      } else {
        returning.waits();
      }
      HangingIo.Hang looking =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) ->
                  volume.getStorageType() == StorageType.DISK
                      && thread.getName().startsWith("evenkeel")
                      && isIn(thread, "blockDataExists"));
      opening.release();
      assertThat(reader.failure()).isNull();
      assertThat(returning.failure()).isNull();
      if (ours) {
        looking.awaitArrival();
      }
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler copy = dataset.createTemporary(StorageType.SSD, null, newer, true)) {
        Replicas.fill(copy.getReplica());
        looking.release();
        Await.pause(1000); // in which it would be taken in
      }
      dataset.finalizeBlock(newer, false);
      assertThat(dataset.isValidBlock(newer)).isTrue();
    }
  }
}
