package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A volume is removed, or fails, while an operation on one of its blocks hangs, and may come back
 * before that goes on. Stock's removal waits for the operation; whoever does not wait must not
 * leave an entry, nor read files that are just being changed, nor lose the last copy.
 */
@Timeout(200)
@Tag("slow") // each waits for a removal to end that does not
class VolumeGoesWhileAnOperationHangsIT {
  private static final String DIRS = OneDataNode.DIRS;
  private static final int SOON_SECONDS = 8; // a removal that waits for nobody takes up to 5

  @TempDir private Path dir;

  private static Configuration conf(boolean ours) {
    Configuration conf = OneDataNode.conf(ours);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 3000);
    return conf;
  }

  private static OneDataNode quiet(OneDataNode one) {
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static <T> Calls<T> call(String name, Callable<T> call) {
    return Calls.start(name, call);
  }

  private static Calls<Void> directories(OneDataNode one, String all) {
    return call(
        "directories",
        () -> {
          one.node().reconfigurePropertyImpl(DIRS, all);
          return null;
        });
  }

  private static boolean endsSoon(Calls<?> call) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOON_SECONDS);
    while (!call.isDone() && System.nanoTime() < end) {
      Await.pause(20);
    }
    return call.isDone();
  }

  private static ParkedIo.Parking park(ParkedIo io, OPERATION operation, String thread) {
    return io.park(operation, 1, each -> each.getName().equals(thread));
  }

  /**
   * Removes a volume and has it back, before the operation goes on if the removal does not wait.
   */
  private static void goAndReturn(
      OneDataNode one, FsVolumeSpi volume, ParkedIo.Parking hang, Calls<?> operation)
      throws Exception {
    String all = one.node().getConf().get(DIRS);
    Calls<?> removal = directories(one, one.directoriesWithout(volume));
    returnAfter(one, removal, all, hang, operation);
  }

  private static void returnAfter(
      OneDataNode one, Calls<?> removal, String all, ParkedIo.Parking hang, Calls<?> operation)
      throws Exception {
    Calls<?> back = null;
    if (endsSoon(removal)) {
      back = directories(one, all);
      endsSoon(back);
    }
    hang.release();
    operation.failure(); // however it ends
    assertThat(one.failureOfRemoval(removal)).isNull();
    back = back == null ? directories(one, all) : back;
    assertThat(back.failure()).isNull();
  }

  private static ReplicaRecoveryInfo init(FsDatasetSpi<?> dataset, ExtendedBlock b, long id)
      throws IOException {
    return dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, id));
  }

  private static Object recover(FsDatasetSpi<?> dataset, ExtendedBlock b, long id)
      throws IOException {
    init(dataset, b, id);
    return dataset.updateReplicaUnderRecovery(b, id, b.getBlockId(), Replicas.LENGTH);
  }

  /** The volume is closed before, so the recovery can hold no reference to it. */
  @ParameterizedTest
  @CsvSource({
    "recovery, false",
    "recovery, true",
    "close, false",
    "close, true",
    "close of open, false",
    "close of open, true"
  })
  void recoveryOnAClosedVolumeHangs_volumeReturns_blockCanBeRecoveredAgain(
      String what, boolean ours) throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b =
          what.equals("close of open")
              ? replicas.rbw(StorageType.DISK)
              : replicas.finalized(StorageType.DISK);
      FsVolumeSpi disk = Volumes.replica(dataset, b).getVolume();
      String all = one.node().getConf().get(DIRS);
      FsVolumeReference reader = disk.obtainReference();
      Calls<?> removal = directories(one, one.directoriesWithout(disk));
      Await.until("it is closed", () -> !Volumes.of(dataset).contains(disk));
      ParkedIo.Parking renaming = park(io, OPERATION.MOVE, "recovery");
      Calls<?> recovery =
          call(
              "recovery",
              () ->
                  what.equals("recovery")
                      ? recover(dataset, b, 2000)
                      : dataset.recoverClose(b, 2000, Replicas.LENGTH));
      renaming.awaitAll();
      reader.close();

      returnAfter(one, removal, all, renaming, recovery);

      Await.until("it is back", () -> Volumes.replica(dataset, b) != null);
      ReplicaInfo now = Volumes.replica(dataset, b);
      assertThat(now.blockDataExists() && now.metadataExists()).as("%s", now).isTrue();
      recover(dataset, b, 3000);
    }
  }

  /** A creation is under way first; the recovery looks again when it has ended. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recoveryOfAReplicaJustCreatedHangs_volumeGoes_noEntryIsLeft(boolean ours) throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      boolean looked = false;
      while (!looked) {
        ExtendedBlock b = new Replicas(one, dir).block();
        ParkedIo.Parking creating = park(io, OPERATION.OPEN, "create");
        ParkedIo.Parking looking = park(io, OPERATION.EXISTS, "init");
        Calls<?> create =
            call(
                "create",
                () -> {
                  try (ReplicaHandler made =
                      dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
                    Replicas.fill(made.getReplica());
                  }
                  return null;
                });
        creating.awaitAll();
        FsVolumeSpi disk = Volumes.at(dataset, creating.directory());
        Calls<?> init = call("init", () -> init(dataset, b, 2000));
        if (ours) {
          while (one.operations().waiting() == 0 && !init.isDone()) {
            Thread.onSpinWait();
          }
        } else {
          init.waits();
        }
        creating.release();
        create.failure();
        Await.until("it has ended or looks", () -> init.isDone() || looking.full());
        looked = looking.full() || !ours; // ours waits 10 ms only, stock answers at once
        if (looked) {
          Calls<?> removal = directories(one, one.directoriesWithout(disk));
          endsSoon(removal);
          looking.release();
          init.failure();
          assertThat(one.failureOfRemoval(removal)).isNull();
          assertThat(Volumes.replica(dataset, b)).isNull();
        }
        looking.release();
      }
    }
  }

  /** It waits for the lock while the block is moved to the volume that goes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recoverCloseOfAMovedBlockHangs_itsVolumeDoesNotGo(boolean ours) throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi first = dataset.getVolume(b);
      FsVolumeSpi second =
          Volumes.of(dataset).stream()
              .filter(each -> each != first && each.getStorageType() == StorageType.DISK)
              .findFirst()
              .orElseThrow();
      ParkedIo.Parking reading = park(io, OPERATION.OPEN, "reader");
      Calls<?> reader =
          call(
              "reader",
              () -> {
                dataset.getTmpInputStreams(b, 0, 0).close();
                return null;
              });
      reading.awaitAll();
      ParkedIo.Parking renaming = park(io, OPERATION.MOVE, "close");
      Calls<?> close = call("close", () -> dataset.recoverClose(b, 2000, Replicas.LENGTH));
      assertThat(close.waits()).isTrue();
      dataset.moveBlockAcrossVolumes(b, second);
      reading.release();
      reader.failure();
      renaming.awaitAll();
      Calls<?> removal = directories(one, one.directoriesWithout(second));
      assertThat(endsSoon(removal)).isFalse();
      renaming.release();
      assertThat(close.failure()).isNull();
      assertThat(one.failureOfRemoval(removal)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void evictionHangs_memoryReturns_replicaOnTheDiskIsKnown(boolean ours) throws Exception {
    Configuration conf = conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one =
            quiet(
                OneDataNode.start(
                    dir, conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      memory.use(dataset);
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      FsVolumeSpi ram = dataset.getVolume(b);
      ParkedIo.Parking renaming = park(io, OPERATION.MOVE, "evict");
      Calls<?> eviction = call("evict", memory::evict);
      renaming.awaitAll();

      goAndReturn(one, ram, renaming, eviction);

      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderReplicaIsDeletedForANewOneAndHangs_volumeReturns_noEntryWithoutFiles(boolean ours)
      throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      ParkedIo.Parking deleting = park(io, OPERATION.DELETE, "create");
      ExtendedBlock newer = Replicas.at(b, 1001);
      Calls<?> create = // for a type there is none of: it fails
          call("create", () -> dataset.createRbw(StorageType.ARCHIVE, null, newer, false, 1001));
      deleting.awaitAll();

      goAndReturn(one, disk, deleting, create);

      ReplicaInfo now = Volumes.replica(dataset, b);
      assertThat(now == null || now.blockDataExists()).as("%s", now).isTrue();
    }
  }

  /** The copy is as good as what was copied, and may be the last one. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void moveHangsAtTheRename_itsSourceGoes_blockIsOnItsTarget(boolean fails, boolean ours)
      throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      ParkedIo.Parking renaming = park(io, OPERATION.MOVE, "move");
      Calls<?> move = call("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      renaming.awaitAll();
      Calls<?> removal =
          fails
              ? call("failure", () -> fail(dataset, disk))
              : directories(one, one.directoriesWithout(disk));
      endsSoon(removal);
      renaming.release();
      assertThat(move.failure()).isNull();
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(dataset.isValidBlock(b)).isTrue();
      assertThat(dataset.getVolume(b).getStorageType()).isEqualTo(StorageType.SSD);
    }
  }

  /** It has been read and is not in the map yet as the copy takes the replica's place. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void moveHangsAtTheRename_itsSourceReturns_blockIsValid(boolean ours) throws Exception {
    try (OneDataNode one = quiet(OneDataNode.start(dir, conf(ours)));
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      ExtendedBlock b = new Replicas(one, dir).finalized(StorageType.DISK);
      FsVolumeSpi disk = dataset.getVolume(b);
      String all = one.node().getConf().get(DIRS);
      ParkedIo.Parking renaming = park(io, OPERATION.MOVE, "move");
      Calls<?> move = call("move", () -> dataset.moveBlockAcrossStorage(b, StorageType.SSD, null));
      renaming.awaitAll();
      Calls<?> removal = directories(one, one.directoriesWithout(disk));
      Calls<?> back = null;
      if (endsSoon(removal)) {
        synchronized (dataset) { // in which what was read comes in
          back = directories(one, all);
          back.waits();
          renaming.release();
          endsSoon(move);
        }
      }
      renaming.release();
      move.failure(); // however it ends
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat((back == null ? directories(one, all) : back).failure()).isNull();
      assertThat(dataset.isValidBlock(b)).isTrue();
    }
  }

  /** As the DataNode after a check. */
  private static Void fail(FsDatasetSpi<?> dataset, FsVolumeSpi disk) {
    dataset.handleVolumeFailures(Set.of(disk));
    dataset.removeVolumes(List.of(disk.getStorageLocation()), false);
    return null;
  }
}
