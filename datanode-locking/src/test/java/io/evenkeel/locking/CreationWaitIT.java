package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A creation waits for files of an earlier replica on the only volume it could come to, where stock
 * waits for nothing; and a replica of a volume that is back waits for what is being done to its
 * block. Nothing is lost meanwhile. Stock is beside each.
 */
@Timeout(300)
class CreationWaitIT {
  private static final long NEW = 1001;
  private static final long NEWER = 1005;
  private static final long LONG_MS = 30_000;
  private static final long SHORT_MS = 2_000;

  @TempDir private Path dir;

  private OneDataNode start(boolean ours, long stopMs, StorageType... types) throws IOException {
    return start(OneDataNode.conf(ours), stopMs, types);
  }

  private OneDataNode start(Configuration conf, long stopMs, StorageType... types)
      throws IOException {
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", stopMs);
    OneDataNode one = OneDataNode.start(dir, conf, types);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static BiPredicate<FsVolumeSpi, Thread> named(String name) {
    return (volume, thread) -> thread.getName().startsWith(name);
  }

  /** A block that was moved from SSD to DISK while its old files are still being deleted. */
  private static final class Moved implements AutoCloseable {
    private final ExtendedBlock block;
    private final HangingIo.Hang deleting;
    private final Calls<?> move;

    Moved(FsDatasetSpi<?> dataset, HangingIo io, ExtendedBlock b) throws Exception {
      block = b;
      deleting = io.hang(OPERATION.DELETE, named("move"));
      move = Calls.start("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.DISK, null));
      deleting.awaitArrival();
    }

    @Override
    public void close() throws Exception {
      deleting.release();
      move.failure();
    }
  }

  private static Calls<?> create(
      FsDatasetSpi<?> dataset, StorageType type, ExtendedBlock b, long newGs) {
    return Calls.start(
        "create",
        () -> {
          dataset.createRbw(type, null, b, false, newGs).close();
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void newStamp_spaceAndBlocksAreCountedOnce(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      replicas.finalized(StorageType.DISK); // or used space could not become too small
      replicas.finalized(StorageType.DISK);
      long used = dataset.getBlockPoolUsed(one.pool());
      long blocks = Volumes.blocks(dataset);
      ExtendedBlock b = replicas.finalized(StorageType.SSD);
      try (Moved moved = new Moved(dataset, io, b)) {
        Calls<?> create = create(dataset, StorageType.SSD, b, NEW);
        create.waits();
        moved.deleting.release();
        assertThat(create.failure()).isNull();
      }
      assertThat(Volumes.blocks(dataset) - blocks).isEqualTo(1);
      assertThat(dataset.getBlockPoolUsed(one.pool())).isGreaterThanOrEqualTo(used);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void newerReplicaComesMeanwhile_stays(boolean ours) throws Exception {
    try (OneDataNode one =
            start(ours, LONG_MS, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      ExtendedBlock newer = Replicas.at(b, NEWER);
      try (Moved moved = new Moved(dataset, io, b)) {
        Calls<?> first = create(dataset, StorageType.SSD, Replicas.at(b, NEW), NEW);
        first.waits();
        Replicas.comesIn(dataset, StorageType.ARCHIVE, newer);
        dataset.finalizeBlock(newer, false);
        moved.deleting.release();
        first.failure();
      }
      assertThat(dataset.isValidBlock(newer)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void secondPipelineWritesMeanwhile_keepsItsFiles(boolean ours) throws Exception {
    try (OneDataNode one =
            start(ours, LONG_MS, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      ExtendedBlock newer = Replicas.at(b, NEWER);
      try (Moved moved = new Moved(dataset, io, b)) {
        Calls<?> first = create(dataset, StorageType.SSD, Replicas.at(b, NEW), NEW);
        first.waits();
        try (ReplicaHandler made =
            dataset.createRbw(StorageType.ARCHIVE, null, newer, false, NEWER)) {
          Replicas.fill(made.getReplica());
          moved.deleting.release();
          first.failure();
          dataset.finalizeBlock(newer, false);
        }
      }
      assertThat(dataset.isValidBlock(newer)).isTrue();
    }
  }

  /** Stock makes the new one, and deletes it with the old files when they go. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusedAtLast_theOlderReplicaStays(boolean copy) throws Exception {
    try (OneDataNode one = start(true, SHORT_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      ExtendedBlock newer = Replicas.at(b, NEW);
      try (Moved moved = new Moved(dataset, io, b)) {
        Calls<?> create =
            copy
                ? Calls.start(
                    "copy", () -> dataset.createTemporary(StorageType.SSD, null, newer, true))
                : create(dataset, StorageType.SSD, newer, NEW);
        assertThat(create.failure())
            .isInstanceOf(DiskOutOfSpaceException.class)
            .hasMessageContaining("is still being deleted");
        assertThat(dataset.isValidBlock(moved.block)).isTrue();
      }
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  private static Calls<?> create(FsDatasetSpi<?> dataset, boolean copy, ExtendedBlock newer) {
    return copy
        ? Calls.start(
            "create",
            () -> {
              dataset.createTemporary(StorageType.SSD, null, newer, true).close();
              return null;
            })
        : create(dataset, StorageType.SSD, newer, NEW);
  }

  private static FsVolumeSpi otherSsd(FsDatasetSpi<?> dataset, FsVolumeSpi than) {
    return Volumes.of(dataset).stream()
        .filter(each -> each != than && each.getStorageType() == StorageType.SSD)
        .findFirst()
        .get();
  }

  /** The new one is made, or the older one is still there. */
  private static void assertNoneIsLost(
      FsDatasetSpi<?> dataset, Calls<?> create, ExtendedBlock older) throws Exception {
    Throwable refused = create.failure();
    assertThat(refused == null || dataset.isValidBlock(older)).as("%s", refused).isTrue();
  }

  /** Whether there is a volume is for stock to say, not by its room alone. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void theOtherDiskIsSlow_noReplicaIsLost(boolean ours, boolean copy) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.datanode.fileio.profiling.sampling.percentage", 1);
    conf.setInt("dfs.datanode.max.slowdisks.to.exclude", 1);
    try (OneDataNode one =
            start(conf, SHORT_MS, StorageType.SSD, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      FsVolumeSpi its = dataset.getVolume(b);
      try (Moved moved = new Moved(dataset, io, b)) {
        Volumes.setSlow(one.node(), otherSsd(dataset, its));
        assertNoneIsLost(dataset, create(dataset, copy, Replicas.at(b, NEW)), moved.block);
      }
    }
  }

  /** The older one's files go first, while the volume that was found for the new one is removed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFreeDiskGoesMeanwhile_theCopyComesToTheOtherAtLast(boolean ours) throws Exception {
    try (OneDataNode one =
            start(ours, LONG_MS, StorageType.SSD, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      FsVolumeSpi other = otherSsd(dataset, dataset.getVolume(b));
      try (Moved moved = new Moved(dataset, io, b)) {
        HangingIo.Hang older = io.hang(OPERATION.DELETE, named("create"));
        Calls<?> create = create(dataset, true, Replicas.at(moved.block, NEW));
        older.awaitArrival();
        Calls<?> removal = one.setDirectories(one.directoriesWithout(other));
        Await.pause(1_000);
        older.release();
        if (create.waits()) {
          moved.deleting.release();
        }
        assertThat(create.failure()).isNull();
        moved.deleting.release();
        assertThat(one.failureOfRemoval(removal)).isNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryIsUsedUp_noReplicaIsLost(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one =
            start(conf, SHORT_MS, StorageType.RAM_DISK, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      memory.use(dataset);
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      try (Moved moved = new Moved(dataset, io, b)) {
        Memory.useUp(dataset);
        ExtendedBlock pages = new ExtendedBlock(one.pool(), b.getBlockId(), 4096, NEW);
        Calls<?> create =
            Calls.start(
                "create",
                () -> {
                  dataset.createRbw(StorageType.SSD, null, pages, true, NEW).close();
                  return null;
                });
        assertNoneIsLost(dataset, create, moved.block);
      }
    }
  }

  /** A saved copy lies in a place of its own until the disk is read again. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void savedCopyIsStillBeingDeleted_isInNobodysWay(boolean ours, boolean deleted) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, SHORT_MS, StorageType.RAM_DISK, StorageType.DISK)) {
      FsDatasetSpi<?> dataset = one.dataset();
      memory.use(dataset);
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      File saved = memory.savedMeta(b);
      FsVolumeSpi disk = Volumes.of(dataset, StorageType.DISK);
      try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, disk)) {
        if (deleted) {
          dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
          Await.until("it is out of the map", () -> Volumes.replica(dataset, b) == null);
          if (!ours) { // stock 3.5 forgets it and deletes the saved copy a moment later
            Await.until("it is forgotten", () -> !memory.knows(b));
          }
        }
        ExtendedBlock newer = Replicas.at(b, NEW);
        dataset.createTemporary(StorageType.DISK, null, newer, true).close();
        assertThat(Volumes.replica(dataset, b).getVolume()).isSameAs(disk);
        assertThat(saved).as("it would replace the new one when the disk is read").doesNotExist();
      }
    }
  }

  /** Else its writer gives back what it has not, and the new one's stays for good. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void olderReplicaIsStillWritten_nothingStaysReservedAtLast(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitArrival();
      ExtendedBlock first = Replicas.at(b, NEW);
      ExtendedBlock second = Replicas.at(b, NEW + 1);
      ReplicaHandler older = dataset.createRbw(StorageType.SSD, null, first, false, 0);
      ReplicaHandler newer = dataset.createRbw(StorageType.SSD, null, second, false, NEW + 1);
      for (ReplicaHandler each : List.of(newer, older)) {
        each.getReplica().setBytesAcked(Replicas.LENGTH);
        each.getReplica().releaseAllBytesReserved();
        each.close();
      }
      assertThat(Volumes.reserved(Volumes.of(dataset, StorageType.SSD))).isZero();
      deleting.release();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copyOfAReplicaThatIsThere_refusedAtOnceAsOne(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      try (Moved moved = new Moved(dataset, io, b)) {
        for (ExtendedBlock each : List.of(moved.block, Replicas.at(b, NEW))) {
          Calls<?> copy =
              Calls.start(
                  "copy", () -> dataset.createTemporary(StorageType.SSD, null, each, false));
          assertThat(copy.waits()).isFalse();
          assertThat(copy.failure()).isInstanceOf(ReplicaAlreadyExistsException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theOnlyDiskIsFull_refusedAtOnce(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitArrival();
      Volumes.setFull(Volumes.of(dataset, StorageType.DISK), true);
      Calls<?> copy =
          Calls.start("copy", () -> dataset.createTemporary(StorageType.DISK, null, b, false));
      assertThat(copy.waits()).isFalse();
      assertThat(copy.failure()).isInstanceOf(DiskOutOfSpaceException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesInMemoryAreBeingDeleted_theNextComesToMemory(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, LONG_MS, StorageType.RAM_DISK, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      memory.use(dataset);
      for (boolean full : new boolean[] {false, true}) {
        ExtendedBlock b = new Replicas(one, dir).inMemory();
        HangingIo.Hang deleting =
            io.hang(
                OPERATION.DELETE,
                (volume, thread) ->
                    thread.getName().startsWith("Async disk") && volume.isTransientStorage());
        dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
        deleting.awaitArrival();
        Await.until("out of the map", () -> !dataset.contains(b));
        Volumes.setFull(Volumes.of(dataset, StorageType.DISK), full);
        ExtendedBlock pages = new ExtendedBlock(one.pool(), b.getBlockId(), 4096, 1000);
        Calls<?> create =
            Calls.start(
                "create",
                () -> {
                  dataset.createRbw(StorageType.DISK, null, pages, true, 0).close();
                  return null;
                });
        if (create.waits()) {
          deleting.release();
        }
        assertThat(create.failure()).isNull();
        assertThat(dataset.getVolume(pages).getStorageType()).isEqualTo(StorageType.RAM_DISK);
        deleting.release(); // with stock's, of the new file as well
        AsyncDeletions.await(dataset);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDiskIsAddedMeanwhile_theReplicaComesThere(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS * 10, StorageType.DISK, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      String all = one.node().getConf().get(OneDataNode.DIRS);
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi its = dataset.getVolume(b);
      FsVolumeSpi other =
          Volumes.of(dataset).stream().filter(each -> each != its).findFirst().get();
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(other));
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitArrival();
      Calls<?> copy =
          Calls.start(
              "copy",
              () -> {
                dataset.createTemporary(StorageType.DISK, null, b, false).close();
                return null;
              });
      copy.waits();
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      assertThat(copy.failure()).isNull();
      deleting.release();
    }
  }

  /** The replica of its first time is still asked for there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void diskThatHungIsReplaced_blocksComeToTheNewOne(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, SHORT_MS * 2, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.finalized(StorageType.DISK);
      ExtendedBlock next = replicas.finalized(StorageType.DISK);
      Path disk = Path.of(Volumes.of(dataset, StorageType.DISK).getBaseURI());
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(Volumes.of(dataset, StorageType.DISK));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      Replicas.comesIn(dataset, StorageType.SSD, b);
      Replicas.comesIn(dataset, StorageType.SSD, next);
      HangingIo.Hang sick = io.hang(OPERATION.EXISTS, named("evenkeel"));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      assertThat(one.failureOfRemoval(one.setDirectories(without))).isNull();
      deleteBlockFiles(disk);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      for (ExtendedBlock each : List.of(b, next)) {
        dataset.invalidate(one.pool(), new Block[] {each.getLocalBlock()});
        Await.until("deleted", () -> !dataset.contains(each));
        assertThat(create(dataset, StorageType.DISK, each, 0).failure()).isNull();
      }
      sick.release();
    }
  }

  private static void deleteBlockFiles(Path disk) throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(disk)) {
      files = tree.filter(each -> each.getFileName().toString().startsWith("blk_")).toList();
    }
    for (Path each : files) {
      Files.delete(each);
    }
  }

  /** Each in turn waited for half a second, and the last for as many as there are. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyNewerCopiesComeIn_oneFails_itsReplicaIsKnown(boolean ours) throws Exception {
    int copies = 250;
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK)) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      List<ExtendedBlock> all = new ArrayList<>();
      for (int i = 0; i < copies; i++) {
        all.add(replicas.finalized(StorageType.DISK));
      }
      String directories = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(Volumes.of(dataset, StorageType.DISK));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      for (ExtendedBlock each : all) {
        Replicas.comesIn(dataset, StorageType.SSD, Replicas.at(each, NEW));
      }
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, directories);
      Await.pause(1_000); // the first have been looked at
      ExtendedBlock last = all.get(copies - 1);
      if (ours) { // with stock it was replaced
        dataset.unfinalizeBlock(Replicas.at(last, NEW));
      }
      Await.until("the replica is known", () -> dataset.isValidBlock(last));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blockIsRecoveredAsItsDiskReturns_theRecoveryEnds(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(Volumes.of(dataset, StorageType.DISK));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      Replicas.comesIn(dataset, StorageType.SSD, b);
      dataset.finalizeBlock(b, false);
      HangingIo.Hang sick = io.hang(OPERATION.EXISTS, named("evenkeel"));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      if (ours) {
        sick.awaitArrival();
      }
      dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEWER));
      sick.release();
      Await.pause(1_500); // it is looked at now, whatever is done then
      dataset.updateReplicaUnderRecovery(b, NEWER, b.getBlockId(), Replicas.LENGTH);
      Await.until("recovered", () -> dataset.isValidBlock(Replicas.at(b, NEWER)));
    }
  }

  /** A creation that has a volume, and is about to delete the older replica on another disk. */
  private static final class Replacing implements AutoCloseable {
    private final FsDatasetSpi<?> dataset;
    private final FsVolumeSpi its;
    private final Moved moved;
    private final HangingIo.Hang older;
    private final Calls<?> create;

    Replacing(OneDataNode one, Path dir, HangingIo io, boolean copy) throws Exception {
      dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      its = dataset.getVolume(b);
      moved = new Moved(dataset, io, b);
      older = io.hang(OPERATION.DELETE, named("create"));
      create = create(dataset, copy, Replicas.at(b, NEW));
      older.awaitArrival();
    }

    FsVolumeSpi volume() {
      return Volumes.replica(dataset, moved.block).getVolume();
    }

    @Override
    public void close() throws Exception {
      older.release();
      moved.close();
    }
  }

  /**
   * Stock chooses afterwards. Which disk is chosen before is not to be seen: one of two is full.
   */
  @ParameterizedTest
  @CsvSource({
    "true, true, 0",
    "true, true, 1",
    "true, false, 0",
    "true, false, 1",
    "false, true, 0",
    "false, false, 1"
  })
  void aDiskFillsUpAsTheOlderReplicaIsDeleted_theNewOneComesToAnother(
      boolean ours, boolean copy, int which) throws Exception {
    try (OneDataNode one =
            start(
                ours,
                LONG_MS,
                StorageType.SSD,
                StorageType.SSD,
                StorageType.SSD,
                StorageType.DISK);
        HangingIo io = HangingIo.of(one.node());
        Replacing replacing = new Replacing(one, dir, io, copy)) {
      List<FsVolumeSpi> others = new ArrayList<>(Volumes.of(one.dataset()));
      others.removeIf(each -> each == replacing.its || each.getStorageType() != StorageType.SSD);
      Volumes.setFull(others.get(which), true);
      replacing.older.release();
      assertThat(replacing.create.failure()).isNull();
      assertThat(replacing.volume()).isNotSameAs(others.get(which));
    }
  }

  /** Stock has not chosen it yet. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aFreeDiskIsRemovedAsTheOlderReplicasDiskHangs_theRemovalEnds(boolean ours, boolean copy)
      throws Exception {
    try (OneDataNode one =
            start(ours, LONG_MS, StorageType.SSD, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node());
        Replacing replacing = new Replacing(one, dir, io, copy)) {
      FsVolumeSpi other = otherSsd(one.dataset(), replacing.its);
      Calls<?> removal = one.setDirectories(one.directoriesWithout(other));
      if (ours || copy) { // else the removal waits for the lock of the pool
        assertThat(one.failureOfRemoval(removal)).isNull();
      }
      replacing.older.release();
      if (replacing.create.waits()) {
        replacing.moved.deleting.release();
      }
      assertThat(one.failureOfRemoval(removal)).isNull();
      if (ours || copy) {
        assertThat(replacing.create.failure()).isNull();
      }
    }
  }

  /** Stock does not mind the files that are still there, and loses the new ones with them. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void theFreeDiskIsSlowAsTheOlderReplicaIsDeleted_theOtherIsWaitedFor(boolean ours, boolean copy)
      throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.datanode.fileio.profiling.sampling.percentage", 1);
    conf.setInt("dfs.datanode.max.slowdisks.to.exclude", 1);
    try (OneDataNode one =
            start(conf, LONG_MS, StorageType.SSD, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node());
        Replacing replacing = new Replacing(one, dir, io, copy)) {
      Volumes.setSlow(one.node(), otherSsd(one.dataset(), replacing.its));
      replacing.older.release();
      if (replacing.create.waits()) {
        replacing.moved.deleting.release();
      }
      assertThat(replacing.create.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theMemoryIsUsedUpAsTheOlderReplicaIsDeleted_theOtherDiskIsWaitedFor(boolean ours)
      throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one =
            start(conf, LONG_MS, StorageType.RAM_DISK, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      memory.use(dataset);
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      try (Moved moved = new Moved(dataset, io, b)) {
        HangingIo.Hang older = io.hang(OPERATION.DELETE, named("create"));
        ExtendedBlock pages = new ExtendedBlock(one.pool(), b.getBlockId(), 4096, NEW);
        Calls<?> create =
            Calls.start(
                "create",
                () -> {
                  dataset.createRbw(StorageType.SSD, null, pages, true, NEW).close();
                  return null;
                });
        older.awaitArrival();
        Memory.useUp(dataset);
        older.release();
        if (create.waits()) {
          moved.deleting.release();
        }
        assertThat(create.failure()).isNull();
      }
    }
  }

  /**
   * What it would give back does not count: the policy may refuse its volume for another reason.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyTheOlderReplicaGivesRoom_itStaysWithOurs(boolean copy) throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (OneDataNode one = start(conf, SHORT_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitArrival();
      long size = 8 << 20;
      ExtendedBlock big = new ExtendedBlock(one.pool(), b.getBlockId(), size, 1000);
      assertThat(create(dataset, StorageType.SSD, big, 0).failure()).isNull();
      Volumes.setCapacity(Volumes.of(dataset, StorageType.SSD), size + (500L << 20));
      ExtendedBlock newer = new ExtendedBlock(one.pool(), b.getBlockId(), size, NEW);
      assertThat(create(dataset, copy, newer).failure())
          .isInstanceOf(DiskOutOfSpaceException.class);
      assertThat(dataset.getReplica(one.pool(), b.getBlockId()).getGenerationStamp())
          .isEqualTo(1000);
      deleting.release();
    }
  }

  /** A client tries again, as its first call did not answer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unfinishedReplicaHasTheStampAlready_isReplaced(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, LONG_MS, StorageType.SSD, StorageType.DISK);
        HangingIo io = HangingIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.SSD);
      HangingIo.Hang deleting = io.hang(OPERATION.DELETE, named("Async disk"));
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      deleting.awaitArrival();
      ExtendedBlock newer = Replicas.at(b, NEW);
      assertThat(create(dataset, StorageType.DISK, newer, NEW).failure()).isNull();
      Calls<?> again = create(dataset, StorageType.SSD, newer, NEW);
      again.waits();
      deleting.release();
      assertThat(again.failure()).isNull();
      assertThat(dataset.getVolume(newer).getStorageType()).isEqualTo(StorageType.SSD);
    }
  }
}
