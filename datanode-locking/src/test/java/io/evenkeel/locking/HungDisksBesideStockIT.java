package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Caches;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stock does while a disk, or one thread on it, hangs: ours does it too. Found by a reviewer;
 * each case failed with ours when it was written.
 */
@Timeout(300)
class HungDisksBesideStockIT {
  private static final String OTHER = "BP-other";

  @TempDir private Path dir;

  private OneDataNode start(boolean ours, StorageType... types) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 3000);
    conf.set("evenkeel.locking.drain-timeout", "200ms");
    OneDataNode one = OneDataNode.start(dir, conf, types);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static BiPredicate<FsVolumeSpi, Thread> named(String name) {
    return (volume, thread) -> thread.getName().startsWith(name);
  }

  private static Calls<?> move(OneDataNode one, ExtendedBlock b) {
    return Calls.start(
        "move", () -> one.dataset().moveBlockAcrossStorage(b, StorageType.SSD, null));
  }

  private static void invalidate(OneDataNode one, ExtendedBlock b) throws IOException {
    one.dataset().invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
  }

  private static RecoveringBlock recovery(ExtendedBlock b) {
    return new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 2000);
  }

  private static Void closed(AutoCloseable opened) throws Exception {
    opened.close();
    return null;
  }

  private static Void remove(OneDataNode one, FsVolumeSpi volume) throws Exception {
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
    return null;
  }

  private static void assertEnds(String what, Calls<?> call) throws Exception {
    Await.until(
        what,
        Duration.ofSeconds(20),
        call::isDone,
        () -> Arrays.toString(call.thread().getStackTrace()));
    assertThat(call.failure()).isNull();
  }

  private static int bytes(OneDataNode one, ExtendedBlock b) throws IOException {
    try (InputStream in = one.dataset().getBlockInputStream(b, 0)) {
      return in.readAllBytes().length;
    }
  }

  // 1: what a move puts at its place is put there whatever has come there meanwhile.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deletedAndCopiedToTheTargetWhileItIsMoved_theNewReplicaStays(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang copying = io.hang(OPERATION.NATIVE_COPY, named("move"));
      Calls<?> move = move(one, b);
      copying.awaitArrival();
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      invalidate(one, b);
      deleting.awaitArrival();
      try (ReplicaHandler copy = dataset.createTemporary(StorageType.SSD, null, b, false)) {
        Replicas.fill(copy.getReplica());
      }
      dataset.finalizeBlock(b, false);
      assertThat(dataset.isValidBlock(b)).isTrue();
      copying.release();
      move.failure();
      assertThat(dataset.isValidBlock(b)).as("the new replica has its files").isTrue();
      assertThat(bytes(one, b)).isEqualTo(Replicas.LENGTH);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void newerReplicaCameToTheTargetWhileItIsMoved_staysAsItIs(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang copying = io.hang(OPERATION.NATIVE_COPY, named("move"));
      Calls<?> move = move(one, b);
      copying.awaitArrival();
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      invalidate(one, b);
      deleting.awaitArrival();
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler copy = dataset.createTemporary(StorageType.SSD, null, newer, true)) {
        Replicas.fill(copy.getReplica());
      }
      dataset.finalizeBlock(newer, false);
      copying.release();
      move.failure();
      assertThat(dataset.isValidBlock(newer)).as("the newer replica has its files").isTrue();
      assertThat(bytes(one, newer)).isEqualTo(Replicas.LENGTH);
    }
  }

  /** It is written there when the copy is put at its place, and finalized before that is undone. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicaIsWrittenAtTheTargetWhileItIsMoved_itsFilesStay(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang copying = io.hang(OPERATION.NATIVE_COPY, named("move"));
      Calls<?> move = move(one, b);
      copying.awaitArrival();
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      invalidate(one, b);
      deleting.awaitArrival();
      try (ReplicaHandler copy = dataset.createTemporary(StorageType.SSD, null, b, false)) {
        Replicas.fill(copy.getReplica());
        HangingIo.Hang undoing = io.hang(OPERATION.DELETE, named("move"));
        copying.release();
        undoing.awaitArrival();
        dataset.finalizeBlock(b, false);
        undoing.release();
      }
      move.failure();
      assertThat(dataset.isValidBlock(b)).as("the written replica has its files").isTrue();
    }
  }

  // 2: the mark on a move's target lasts until the old disk has deleted.

  private static void moveUntilOldFilesAreDeleted(OneDataNode one, HangingIo io, ExtendedBlock b)
      throws Exception {
    HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("move"));
    move(one, b);
    deleting.awaitArrival();
    assertThat(one.dataset().getVolume(b).getStorageType()).isEqualTo(StorageType.SSD);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_deletedAndCopiedAgain_comesToTheHealthyDisk(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      moveUntilOldFilesAreDeleted(one, io, b);
      invalidate(one, b);
      Await.until("it is deleted", () -> !dataset.contains(b));
      Calls<?> again =
          Calls.start(
              "again", () -> closed(dataset.createTemporary(StorageType.SSD, null, b, false)));
      assertEnds("the copy comes", again);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesOfAMovedBlockHang_newerCopyTakesItsPlace(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      moveUntilOldFilesAreDeleted(one, io, b);
      ExtendedBlock newer = Replicas.at(b, 1001);
      Calls<?> again =
          Calls.start(
              "again", () -> closed(dataset.createTemporary(StorageType.SSD, null, newer, true)));
      assertEnds("the copy comes", again);
    }
  }

  // 3: Thread.interrupt() closes the channel in the interrupting thread, and that close waits until
  // the copying thread has left the kernel (FileChannelImpl.implCloseChannel, signalAndWait).

  private static final class NativeCopy extends AbstractInterruptibleChannel {
    private final CountDownLatch go;

    NativeCopy(CountDownLatch go) {
      this.go = go;
    }

    void copy() {
      begin();
      try {
        HangingIo.await(go);
      } finally {
        try {
          end(true);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    protected void implCloseChannel() {
      HangingIo.await(go);
    }
  }

  private static Calls<?> cutShortWhileItIsCopied(OneDataNode one, HangingIo io, ExtendedBlock b)
      throws Exception {
    FsDatasetSpi<?> dataset = one.dataset();
    HangingIo.Hang copying =
        io.hang(OPERATION.NATIVE_COPY, named("move"), go -> new NativeCopy(go).copy());
    move(one, b);
    copying.awaitArrival();
    dataset.initReplicaRecovery(recovery(b));
    Calls<?> update =
        Calls.start(
            "update",
            () -> dataset.updateReplicaUnderRecovery(b, 2000, b.getBlockId(), Replicas.LENGTH / 2));
    update.waits();
    return update;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangsInTheKernel_recoveryCutsTheBlockShort(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      assertEnds("the block is cut short", cutShortWhileItIsCopied(one, io, b));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyHangsInTheKernelAndItsBlockIsCutShort_otherBlocksAreMoved(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        HangingIo io = HangingIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      ExtendedBlock other = replicas.finalized(StorageType.DISK);
      cutShortWhileItIsCopied(one, io, b);
      Calls<?> another =
          Calls.start(
              "another",
              () -> one.dataset().moveBlockAcrossStorage(other, StorageType.ARCHIVE, null));
      assertEnds("another block is moved between two healthy disks", another);
    }
  }

  // 4: the later check has a reference to a healthy volume while another one hangs.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderReplicaCameBack_newerOneHangs_itsVolumeCanBeRemoved(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      remove(one, dataset.getVolume(b));
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler handler = dataset.createTemporary(StorageType.SSD, null, newer, true)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(newer, false);
      HangingIo.Hang sick =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) ->
                  volume != null
                      && volume.getStorageType() == StorageType.SSD
                      && thread.getName().startsWith("evenkeel"));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      FsVolumeSpi back = null;
      for (FsVolumeSpi each : Volumes.of(dataset)) {
        back = each.getStorageType() == StorageType.DISK ? each : back;
      }
      FsVolumeSpi disk = back;
      Calls<?> removal = Calls.start("remove", () -> remove(one, disk));
      assertEnds("the healthy volume is removed", removal);
    }
  }

  // 5: one reader hangs, and a move of its block.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneReaderHangs_itsBlockIsMovedAwayAndRead(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang reading = io.hang(OPERATION.OPEN, named("reader"));
      Calls.start("reader", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      reading.awaitArrival();
      Calls<?> move = move(one, b);
      move.waits();
      Calls<?> second = Calls.start("second", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      second.waits();
      assertEnds("another reader reads", second);
      assertEnds("it is moved", move);
    }
  }

  // 7: a pool comes back while a copy that is at its place waits for the block.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void poolComesBackWhileACopyWaitsForAReader_blockIsThere(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Configuration conf = one.node().getConf();
      dataset.addBlockPool(OTHER, conf);
      ExtendedBlock b = new ExtendedBlock(OTHER, 7, Replicas.LENGTH, 1000);
      try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(b, false);
      HangingIo.Hang reading = io.hang(OPERATION.OPEN, named("reader"));
      Calls<?> reader = Calls.start("reader", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      reading.awaitArrival();
      Calls<?> move = move(one, b);
      move.waits();
      if (ours) { // the SSD is read after the DISK
        io.hang(
            OPERATION.LIST,
            (volume, thread) ->
                volume != null
                    && volume.getStorageType() == StorageType.SSD
                    && new File(volume.getBaseURI()).exists(),
            go -> untilRead(dataset, b));
      }
      Calls<?> pool =
          Calls.start(
              "pool",
              () -> {
                dataset.shutdownBlockPool(OTHER);
                dataset.addBlockPool(OTHER, conf);
                return null;
              });
      if (ours) {
        assertThat(pool.failure()).isNull();
      } else {
        pool.waits();
      }
      reading.release();
      reader.failure();
      move.failure();
      assertThat(pool.failure()).isNull();
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  private static void untilRead(FsDatasetSpi<?> dataset, ExtendedBlock b) {
    try {
      Await.until("the other volume is read", () -> dataset.isValidBlock(b));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  // 8: one of two disks hangs in a deletion, the other one is only slow.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldFilesHangOnOneDiskAndAreSlowOnTheOther_copyComesThere(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.DISK, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang hung = io.hang(OPERATION.DELETE, named("Async disk"));
      invalidate(one, b);
      hung.awaitArrival();
      FsVolumeSpi[] first = new FsVolumeSpi[1];
      try (ReplicaHandler copy = dataset.createTemporary(StorageType.DISK, null, b, false)) {
        Replicas.fill(copy.getReplica());
        first[0] = copy.getReplica().getReplicaInfo().getVolume();
      }
      dataset.finalizeBlock(b, false);
      HangingIo.Hang slow =
          io.hang(OPERATION.DELETE, (volume, thread) -> thread.getName().startsWith("Async disk"));
      invalidate(one, b);
      slow.awaitArrival();
      Calls<?> again =
          Calls.start(
              "again", () -> closed(dataset.createTemporary(StorageType.DISK, null, b, false)));
      again.waits();
      slow.release();
      assertEnds("it comes to the slow disk", again);
    }
  }

  /** As by a recovery that cuts its block short, or by the removal of a volume. */
  @Test
  void moveIsInterruptedWhileItWaitsForItsBlock_endsAndLeavesNoCopy() throws Exception {
    try (OneDataNode one = start(true, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      HangingIo.Hang renaming = io.hang(OPERATION.MOVE, named("move"));
      Calls<?> move = move(one, b);
      renaming.awaitArrival();
      try (Operation held =
          one.operations().begin(OperationKind.APPEND, b.getBlockPoolId(), b.getBlockId())) {
        held.keepLock();
        renaming.release();
        move.waits();
        move.thread().interrupt();
        Await.until(
            "it gives up",
            Duration.ofSeconds(20),
            move::isDone,
            () -> Arrays.toString(move.thread().getStackTrace()));
      }
      assertThat(move.failure()).isNotNull();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      assertThat(replicas.files(b)).hasSize(1);
    }
  }

  // 9: a creation waits, with its block locked, for a move that needs that lock to end.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void moveIsSlowAtTheRename_newerCopyComesToItsTarget(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang renaming = io.hang(OPERATION.MOVE, named("move"));
      Calls<?> move = move(one, b);
      renaming.awaitArrival();
      ExtendedBlock newer = Replicas.at(b, 1001);
      Calls<?> copy =
          Calls.start(
              "copy", () -> closed(dataset.createTemporary(StorageType.SSD, null, newer, true)));
      copy.waits();
      renaming.release();
      move.failure();
      assertEnds("the newer copy comes", copy);
    }
  }

  /** The same, and it is the disk that hangs which is taken out of service. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderReplicaCameBack_newerOneHangs_itsDiskCanFail(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      remove(one, dataset.getVolume(b));
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler handler = dataset.createTemporary(StorageType.SSD, null, newer, true)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(newer, false);
      FsVolumeSpi ssd = dataset.getVolume(newer);
      HangingIo.Hang sick =
          io.hang(
              OPERATION.EXISTS,
              (volume, thread) -> volume == ssd && thread.getName().startsWith("evenkeel"));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      Calls<?> failure =
          Calls.start(
              "failure",
              () -> {
                dataset.handleVolumeFailures(Set.of(ssd));
                return null;
              });
      assertEnds("the sick volume is taken out", failure);
    }
  }

  // 10: a block is cached by another thread than the one that carries the commands.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cachedLaterAndUncachedAtOnce_isNotCached(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = OneDataNode.start(dir, conf, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      memory.use(one.dataset());
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang reading = io.hang(OPERATION.OPEN, named("reader"));
      Calls<?> reader = Calls.start("reader", () -> closed(dataset.getTmpInputStreams(b, 0, 0)));
      reading.awaitArrival();
      long[] id = {b.getBlockId()};
      CountDownLatch uncache = new CountDownLatch(1);
      Calls<?> commands =
          Calls.start(
              "commands",
              () -> {
                dataset.cache(b.getBlockPoolId(), id);
                uncache.await();
                dataset.uncache(b.getBlockPoolId(), id);
                return null;
              });
      commands.waits(); // ours has put it off, stock waits
      synchronized (Caches.monitor(dataset)) {
        reading.release();
        Await.until("it is about to be cached", () -> isBlocked(ours ? "Async disk" : "commands"));
        uncache.countDown();
        Await.until("it is about to be uncached", () -> isBlocked("commands"));
      }
      assertThat(reader.failure()).isNull();
      assertThat(commands.failure()).isNull();
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      Await.until(
          "no memory is locked",
          Duration.ofSeconds(10),
          () -> dataset.getCacheUsed() == 0,
          dataset::getCacheUsed);
      assertThat(dataset.isCached(b.getBlockPoolId(), b.getBlockId())).isFalse();
    }
  }

  /** Between any two steps of the thread that caches it: seen within 910 rounds before. */
  @Test
  void cachedLaterAndUncachedAtAnyMoment_isNotCached() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = OneDataNode.start(dir, conf, StorageType.DISK)) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      memory.use(one.dataset());
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      long[] id = {b.getBlockId()};
      for (int i = 0; i < 2000; i++) {
        try (Operation held =
            one.operations().begin(OperationKind.APPEND, b.getBlockPoolId(), b.getBlockId())) {
          held.keepLock();
          Calls.start("cache", () -> cached(dataset, b)).result();
        }
        long moment = System.nanoTime() + ThreadLocalRandom.current().nextInt(60_000);
        while (System.nanoTime() < moment) {
          Thread.onSpinWait();
        }
        dataset.uncache(b.getBlockPoolId(), id);
        assertThat(AsyncDeletions.await(dataset)).isTrue();
        Await.until(
            "no memory is locked in round " + i,
            Duration.ofSeconds(10),
            () -> Caches.areIdle(dataset) && dataset.getCacheUsed() == 0,
            dataset::getCacheUsed);
      }
    }
  }

  private static Void cached(FsDatasetSpi<?> dataset, ExtendedBlock b) {
    dataset.cache(b.getBlockPoolId(), new long[] {b.getBlockId()});
    return null;
  }

  private static boolean isBlocked(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            each -> each.getName().startsWith(name) && each.getState() == Thread.State.BLOCKED);
  }

  // 11: who deletes an older duplicate at the target has looked before the copy was put there.

  private static boolean looksOnDisk(FsVolumeSpi volume, Thread thread) {
    return volume != null
        && volume.getStorageType() == StorageType.DISK
        && (thread.getName().equals("scan") || thread.getName().startsWith("evenkeel"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderDuplicateIsLookedAtWhileItsBlockIsMovedThere_theMovedReplicaStays(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi ssd = null;
      for (FsVolumeSpi each : Volumes.of(dataset)) {
        ssd = each.getStorageType() == StorageType.SSD ? each : ssd;
      }
      FsVolumeSpi.ScanInfo found = duplicate(dataset, b, ssd);
      HangingIo.Hang looking = io.hang(OPERATION.EXISTS, HungDisksBesideStockIT::looksOnDisk);
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                dataset.checkAndUpdate(b.getBlockPoolId(), found);
                return null;
              });
      looking.awaitArrival();
      Calls<?> move = move(one, b);
      move.waits();
      looking.release();
      assertEnds("scan", scan);
      move.failure();
      assertThat(dataset.isValidBlock(b)).isTrue();
      assertThat(bytes(one, b)).isEqualTo(Replicas.LENGTH);
    }
  }

  /** What the scanner finds on {@code volume}: the same files with an older generation stamp. */
  private static FsVolumeSpi.ScanInfo duplicate(
      FsDatasetSpi<?> dataset, ExtendedBlock b, FsVolumeSpi volume) throws Exception {
    ReplicaInfo known = (ReplicaInfo) dataset.getReplica(b.getBlockPoolId(), b.getBlockId());
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

  /** The same by a volume that comes back. Stock forgets the newer one, whose files stay. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderReplicaCameBackAndItsBlockIsMovedThere_filesOfTheNewerStay(boolean ours)
      throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      remove(one, dataset.getVolume(b));
      ExtendedBlock newer = Replicas.at(b, 1001);
      try (ReplicaHandler handler = dataset.createTemporary(StorageType.DISK, null, newer, true)) {
        Replicas.fill(handler.getReplica());
      }
      dataset.finalizeBlock(newer, false);
      HangingIo.Hang looking = io.hang(OPERATION.EXISTS, HungDisksBesideStockIT::looksOnDisk);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        looking.awaitArrival();
      }
      Calls<?> move = move(one, newer);
      move.waits();
      looking.release();
      move.failure();
      try (Stream<Path> tree = Files.walk(dir)) {
        assertThat(tree.filter(each -> each.toString().endsWith("_1001.meta")))
            .as("meta files of the newer replica with its data beside it")
            .anyMatch(each -> Files.exists(each.resolveSibling(b.getBlockName())));
      }
    }
  }

  // 12: a move waits for its block, which another creation has on a third disk that hangs.

  private static Calls<?> moveHangsAtTheRename(
      OneDataNode one, HangingIo.Hang renaming, ExtendedBlock b) throws Exception {
    Calls<?> move = move(one, b);
    renaming.awaitArrival();
    return move;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void newerCopyHangsOnAThirdDisk_theMoveEnds(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      HangingIo.Hang renaming = io.hang(OPERATION.MOVE, named("move"));
      Calls<?> move = moveHangsAtTheRename(one, renaming, b);
      HangingIo.Hang creating = io.hang(OPERATION.OPEN, named("copy"));
      ExtendedBlock newer = Replicas.at(b, 1001);
      Calls<?> copy =
          Calls.start(
              "copy",
              () -> closed(dataset.createTemporary(StorageType.ARCHIVE, null, newer, true)));
      if (ours) {
        creating.awaitArrival();
      } else {
        copy.waits(); // for the rename
      }
      renaming.release();
      awaitEnd(move);
      if (ours) {
        assertThat(replicas.files(b)).as("neither the old one nor its copy").isEmpty();
      }
    }
  }

  /** The older replica stays in the map meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void creationWithANewStampHangsOnAThirdDisk_theMoveEnds(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        HangingIo io = HangingIo.of(one.node())) {
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang renaming = io.hang(OPERATION.MOVE, named("move"));
      Calls<?> move = moveHangsAtTheRename(one, renaming, b);
      HangingIo.Hang creating = io.hang(OPERATION.OPEN, named("create"));
      Calls.start(
          "create", () -> one.dataset().createRbw(StorageType.ARCHIVE, null, b, false, 1001));
      creating.awaitArrival();
      renaming.release();
      awaitEnd(move);
    }
  }

  /** As it may: stock's is done, or fails. */
  private static void awaitEnd(Calls<?> move) throws Exception {
    Await.until(
        "the move ends",
        Duration.ofSeconds(20),
        move::isDone,
        () -> Arrays.toString(move.thread().getStackTrace()));
  }
}
