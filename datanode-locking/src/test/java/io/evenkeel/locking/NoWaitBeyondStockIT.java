package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk hangs under what is done with a block, and stock lets others go on with that block: so
 * does ours.
 */
@Timeout(200)
class NoWaitBeyondStockIT {
  @TempDir private Path dir;

  private static Configuration conf(boolean ours) {
    Configuration conf = OneDataNode.conf(ours);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 3000);
    return conf;
  }

  private ExtendedBlock movedAndOldFilesHang(OneDataNode one, ParkedIo io) throws Exception {
    ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
    moveUntilOldFilesAreDeleted(one, io, b);
    return b;
  }

  private static ParkedIo.Parking moveUntilOldFilesAreDeleted(
      OneDataNode one, ParkedIo io, ExtendedBlock b) throws Exception {
    ParkedIo.Parking deleting =
        io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("move"));
    Calls.start("move", () -> one.dataset().moveBlockAcrossStorage(b, StorageType.SSD, null));
    deleting.awaitAll();
    assertThat(one.dataset().getVolume(b).getStorageType()).isEqualTo(StorageType.SSD);
    return deleting;
  }

  /** The move is done, only the old disk does not delete. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_appendGoesOn(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = movedAndOldFilesHang(one, io);
      Calls<ReplicaHandler> append =
          Calls.start("append", () -> one.dataset().append(b, 1001, Replicas.LENGTH));
      assertThat(append.waits()).isFalse();
      assertThat(append.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_recoveryGoesOn(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = movedAndOldFilesHang(one, io);
      Calls<ReplicaRecoveryInfo> init =
          Calls.start(
              "init",
              () ->
                  one.dataset()
                      .initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000)));
      assertThat(init.waits()).isFalse();
      assertThat(init.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_visibleLengthIsToldAndItIsDeleted(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = movedAndOldFilesHang(one, io);
      Calls<?> length = Calls.start("len", () -> one.dataset().getReplicaVisibleLength(b));
      assertThat(length.waits()).isFalse();
      one.dataset().invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
      Await.until("it is deleted", () -> !one.dataset().contains(b));
    }
  }

  /** Whoever brings it back there would lose it with the old files. */
  @Test
  void oldFilesOfAMovedBlockHang_itIsNotMovedBackUntilTheyAreGone() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(true));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi old = one.dataset().getVolume(b);
      ParkedIo.Parking deleting = moveUntilOldFilesAreDeleted(one, io, b);
      assertThatThrownBy(() -> one.dataset().moveBlockAcrossVolumes(b, old))
          .hasMessageContaining("is still being deleted");
      deleting.release();
      Await.until("the old files are gone", () -> new Replicas(one, dir).files(b).size() == 1);
      Await.until("it can be moved", () -> moves(one, b, old));
    }
  }

  private static boolean moves(OneDataNode one, ExtendedBlock b, FsVolumeSpi to) {
    try {
      return one.dataset().moveBlockAcrossVolumes(b, to) != null;
    } catch (IOException e) {
      return false; // the first move has not ended
    }
  }

  /** A block is created on a disk that hangs; its recovery asks this DataNode. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void creationHangs_recoveryIsToldThereIsNoReplica(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).block();
      ParkedIo.Parking creating =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("create"));
      Calls.start("create", () -> one.dataset().createRbw(StorageType.DISK, null, b, false, 0));
      creating.awaitAll();
      Calls<ReplicaRecoveryInfo> init =
          Calls.start(
              "init",
              () ->
                  one.dataset()
                      .initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000)));
      assertThat(init.waits()).isFalse();
      assertThat(init.result()).isNull();
    }
  }

  /** The copy hangs on its target; the source is healthy. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangsOnItsTarget_recoveryCutsTheBlockShort(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking copying =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      copying.awaitAll();
      dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000));
      Calls<?> update =
          Calls.start(
              "update",
              () ->
                  dataset.updateReplicaUnderRecovery(b, 2000, b.getBlockId(), Replicas.LENGTH / 2));
      assertThat(update.failure()).isNull();
    }
  }

  /** A pool is taken away while a copy to a disk hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangs_poolIsClosedAndDeleted(boolean ours) throws Exception {
    Configuration conf = conf(ours);
    conf.set("evenkeel.locking.drain-timeout", "100ms"); // waited for in vain where it is
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      String other = "BP-1-127.0.0.1-1";
      dataset.addBlockPool(other, conf);
      ExtendedBlock b = new ExtendedBlock(other, 7, Replicas.LENGTH, 1000);
      try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(b, false);
      ParkedIo.Parking copying =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      copying.awaitAll();
      dataset.shutdownBlockPool(other);
      dataset.deleteBlockPool(other, true);
    }
  }

  /** The scanner has a reference to the disk whose results it brings. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_scannedDiskCanBeRemoved(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi sick = dataset.getVolume(b);
      BlockLocalPathInfo paths = dataset.getBlockLocalPathInfo(b);
      File data = new File(paths.getBlockPath());
      String name = data.getName();
      FsVolumeSpi.ScanInfo scanned =
          new FsVolumeSpi.ScanInfo(
              b.getBlockId(),
              data.getParentFile(),
              name,
              name + "_" + b.getGenerationStamp() + ".meta",
              sick);
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      deleting.awaitAll();
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                dataset.checkAndUpdate(one.pool(), scanned);
                return null;
              });
      boolean scannerWaits = scan.waits();
      Calls<?> removal = Calls.start("remove", () -> remove(one, sick));
      assertThat(scannerWaits).isFalse();
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  /** It goes when it is read no more. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void volumeThatIsLeavingIsStillRead_itsBlockIsRecovered(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours))) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      Calls<?> removal;
      ReplicaRecoveryInfo info;
      try (FsVolumeReference reader = disk.obtainReference()) {
        removal = Calls.start("remove", () -> remove(one, disk));
        Await.until("it is closed", () -> !Volumes.of(dataset).contains(disk));
        info = dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000));
        assertThat(info).isNotNull();
        dataset.updateReplicaUnderRecovery(b, 2000, b.getBlockId(), Replicas.LENGTH);
      }
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(dataset.contains(b)).isFalse();
    }
  }

  /**
   * Stock's removal looks every 5 s whether the volume is read; its blocks are known until then.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void volumeThatIsLeavingIsReadNoMore_itsBlockIsRecovered(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours))) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      FsVolumeReference reader = disk.obtainReference();
      Calls<?> removal = Calls.start("remove", () -> remove(one, disk));
      Await.until("it is closed", () -> !Volumes.of(dataset).contains(disk));
      removal.waits();
      synchronized (dataset) { // the removal cannot look
        reader.close();
        assertThat(
                dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000)))
            .isNotNull();
        dataset.updateReplicaUnderRecovery(b, 2000, b.getBlockId(), Replicas.LENGTH);
      }
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(dataset.contains(b)).isFalse();
    }
  }

  /** It was gone already when the recovery put the replica back. */
  @Test
  void volumeHasLeftAndItsBlockIsRecovered_noEntryIsLeft() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(true))) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      ReplicaInfo replica = Volumes.replica(dataset, b);
      remove(one, disk);
      assertThat(Volumes.replica(dataset, b)).isNull();
      Volumes.putBack(dataset, b, replica); // as by a recovery that looked before
      assertThat(
              dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000)))
          .isNotNull();
      assertThat(Volumes.replica(dataset, b)).isNull();
      assertThat(one.operations().liveLocks()).isZero();
    }
  }

  /** A copy that is not done changes nothing in the pool. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangs_listOfReplicasIsSavedAtTheEnd(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.set("evenkeel.locking.drain-timeout", "500ms");
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      String other = "BP-1-127.0.0.1-1";
      dataset.addBlockPool(other, conf);
      ExtendedBlock b = new ExtendedBlock(other, 7, Replicas.LENGTH, 1000);
      try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(b, false);
      ParkedIo.Parking copying =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      copying.awaitAll();
      dataset.shutdownBlockPool(other);
      try (Stream<Path> tree = Files.walk(dir)) {
        List<Path> lists =
            tree.filter(p -> p.toString().contains(other) && p.endsWith("replicas"))
                .collect(Collectors.toList());
        assertThat(lists).isNotEmpty();
      }
    }
  }

  /** An older replica is replaced, and its files hang; the copy is ordered again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderFilesHang_theNextCopyComesToAnotherDisk(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock old = new Replicas(one, dir).finalized(StorageType.DISK);
      ExtendedBlock b = Replicas.at(old, 1001);
      ParkedIo.Parking deleting =
          io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("first"));
      Calls.start("first", () -> dataset.createTemporary(StorageType.DISK, null, b, true));
      deleting.awaitAll();
      Calls<ReplicaHandler> again =
          Calls.start("again", () -> dataset.createTemporary(StorageType.SSD, null, b, true));
      assertThat(again.waits()).as("it waits").isFalse();
      try (ReplicaHandler handler = again.result()) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(b, false);
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  private static Void remove(OneDataNode one, FsVolumeSpi volume) throws Exception {
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
    return null;
  }

  /** A replica in memory is deleted; the disk it was saved on hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void savedFilesHang_copyComesToAnotherDisk(boolean ours) throws Exception {
    Configuration conf = conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one =
            OneDataNode.start(dir, conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.SSD)) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      memory.use(one.dataset());
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      CountDownLatch hangs = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      memory.savedFileHangs(b, hangs, go);
      dataset.invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
      hangs.await();
      try {
        Calls<ReplicaHandler> copy =
            Calls.start("copy", () -> dataset.createTemporary(StorageType.SSD, null, b, false));
        assertThat(copy.waits()).as("it waits").isFalse();
        copy.result().close();
      } finally {
        go.countDown();
      }
    }
  }

  /** The order of the NameNode's commands stays. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cachedAndUncachedWhileInUse_isNotCached(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = OneDataNode.start(dir, conf, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      memory.use(one.dataset());
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking reading =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("reader"));
      Calls<?> reader =
          Calls.start(
              "reader",
              () -> {
                one.dataset().getTmpInputStreams(b, 0, 0).close();
                return null;
              });
      reading.awaitAll();
      long[] id = {b.getBlockId()};
      Calls<?> commands =
          Calls.start(
              "commands",
              () -> {
                one.dataset().cache(b.getBlockPoolId(), id);
                one.dataset().uncache(b.getBlockPoolId(), id);
                return null;
              });
      commands.waits();
      reading.release();
      assertThat(reader.failure()).isNull();
      assertThat(commands.failure()).isNull();
      // ours may still be about to cache it, by the thread that deletes; stock to uncache it
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      Await.until("no memory is locked", () -> one.dataset().getCacheUsed() == 0);
      assertThat(one.dataset().isCached(b.getBlockPoolId(), b.getBlockId())).isFalse();
    }
  }

  /** Stock 3.5 has its lock until both files have their new names; 3.4 has none here. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesAreRenamed_bothAreOpenedAsStockDoes(boolean ours) throws Exception {
    assumeTrue(!System.getProperty("evenkeel.hadoop.version").startsWith("3.4"));
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).rbw(StorageType.DISK);
      // the meta file is renamed first, then the data
      AtomicInteger moves = new AtomicInteger();
      ParkedIo.Parking opening =
          io.park(
              OPERATION.MOVE,
              1,
              t -> t.getName().equals("finalize") && moves.incrementAndGet() == 2);
      Calls<?> finalize =
          Calls.start(
              "finalize",
              () -> {
                dataset.finalizeBlock(b, false);
                return null;
              });
      opening.awaitAll();
      Calls<?> read = descriptors(dataset, b);
      read.waits();
      opening.release();
      assertThat(finalize.failure()).isNull();
      assertThat(read.failure()).isNull();
    }
  }

  private static Calls<?> descriptors(FsDatasetSpi<?> dataset, ExtendedBlock b) {
    return Calls.start(
        "short-circuit",
        () -> {
          dataset.getBlockInputStream(b, 0).close();
          dataset.getMetaDataInputStream(b).close();
          return null;
        });
  }

  /** One of two disks a block is moved to hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangs_blockIsMovedToAnotherDisk(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      ParkedIo.Parking copying =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls<?> first =
          Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      copying.awaitAll();
      FsVolumeSpi other = null;
      for (FsVolumeSpi each : Volumes.of(dataset)) {
        boolean hangs = new File(each.getBaseURI()).getPath().equals(copying.directory());
        other = each.getStorageType() == StorageType.SSD && !hangs ? each : other;
      }
      dataset.moveBlockAcrossVolumes(b, other);
      assertThat(dataset.getVolume(b)).isSameAs(other);
      copying.release();
      first.failure(); // stock's may succeed
      if (ours) {
        assertThat(new Replicas(one, dir).files(b)).hasSize(1);
      }
    }
  }
}
