package io.evenkeel.locking;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A replica in memory is appended to or recovered, which leaves the copy that was saved of it
 * without use. Stock evicts it nevertheless: the map has a replica then whose checksums are under
 * another name, or whose bytes are those of before. Stock runs beside where it is right.
 */
@Timeout(300)
class MemoryAppendIT {
  private static final long NEW = 1001;

  @TempDir private Path dir;

  private Memory memory;
  private OneDataNode one;
  private FsDatasetSpi<?> dataset;

  private void start(boolean ours, StorageType... types) throws IOException {
    start(OneDataNode.conf(ours), types);
  }

  private void start(Configuration conf, StorageType... types) throws IOException {
    memory = Memory.configure(conf);
    one = OneDataNode.start(dir, conf, types);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    dataset = one.dataset();
    memory.use(dataset);
  }

  @AfterEach
  void stop() throws Exception {
    try {
      one.close();
    } finally {
      memory.close();
    }
  }

  /** A replica in memory with a copy on a disk. */
  private ExtendedBlock savedOne() throws Exception {
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    memory.awaitSaved(b);
    return b;
  }

  private String directories() {
    return one.node().getConf().get(OneDataNode.DIRS);
  }

  private void directories(String all) throws Exception {
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
  }

  /** It is evicted once it was saved anew, and nothing is left of the copy saved before. */
  private void assertIsEvictedAtLast(ExtendedBlock b) throws Exception {
    assertThat(dataset.getVolume(b).isTransientStorage()).isTrue();
    assertThat(dataset.isValidBlock(b)).isTrue();
    memory.awaitSaved(b);
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    memory.evict();
    assertThat(dataset.getVolume(b).isTransientStorage()).isFalse();
    assertThat(dataset.isValidBlock(b)).isTrue();
    assertThat(new File(Volumes.replica(dataset, b).getMetadataURI())).exists();
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    try (Stream<Path> tree = Files.walk(dir)) {
      assertThat(tree.filter(each -> each.toString().contains("" + b.getBlockId()))).hasSize(2);
    }
    assertThat(memory.disagreements(one.pool())).isEmpty();
    assertThat(one.operations().liveLocks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void replicaIsAppendedTo_staysInMemoryUntilSavedAnew(int disks) throws Exception {
    StorageType[] types = {StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK};
    start(true, Arrays.copyOf(types, disks + 1));
    ExtendedBlock b = savedOne();
    try (ReplicaHandler writer = dataset.append(b, NEW, Replicas.LENGTH)) {
      memory.evict();
      assertThat(writer.getReplica().getReplicaInfo()).isSameAs(Volumes.replica(dataset, b));
    }
    dataset.finalizeBlock(Replicas.at(b, NEW), false);
    memory.evict();
    assertIsEvictedAtLast(Replicas.at(b, NEW));
  }

  /** The stamp of one that is finalized is raised, by a writer or a lease recovery. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stampIsRaised_staysInMemoryUntilSavedAnew(boolean lease) throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    if (lease) {
      RecoveringBlock recovering = new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEW);
      dataset.initReplicaRecovery(recovering);
      memory.evict();
      assertThat(dataset.getReplicaString(one.pool(), b.getBlockId())).contains("RUR");
      dataset.updateReplicaUnderRecovery(b, NEW, b.getBlockId(), Replicas.LENGTH);
    } else {
      dataset.recoverClose(b, NEW, Replicas.LENGTH);
    }
    memory.evict();
    assertIsEvictedAtLast(Replicas.at(b, NEW));
  }

  /** As after a stamp that was raised while another had the block. */
  @Test
  void evictionFindsAnOlderCopy_itIsSavedAnew() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    Volumes.replica(dataset, b).bumpReplicaGS(NEW);
    memory.evict();
    assertIsEvictedAtLast(Replicas.at(b, NEW));
  }

  /** Its first copy is made when it is appended to, and is done first or last. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void saveOfTheFormerStampEndsLate_isNotTakenForTheNewOne(int disks) throws Exception {
    StorageType[] types = {StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK};
    start(true, Arrays.copyOf(types, disks + 1));
    try (HangingIo io = HangingIo.of(one.node())) {
      AtomicReference<Thread> first = new AtomicReference<>();
      HangingIo.Hang former =
          io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> first.compareAndSet(null, thread));
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      former.awaitArrival();
      HangingIo.Hang later =
          io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> thread != first.get());
      dataset.append(b, NEW, Replicas.LENGTH).close();
      dataset.finalizeBlock(Replicas.at(b, NEW), false);
      if (disks == 2) {
        later.awaitArrival();
        former.release();
        Await.pause(1_000); // it fails, or ends
        memory.evict();
        assertThat(memory.knows(b)).isTrue();
        later.release();
      } else { // the second comes after the first, on the same thread
        former.release();
      }
      assertIsEvictedAtLast(Replicas.at(b, NEW));
    }
  }

  /** Its bytes were acknowledged; stock, too, takes the older ones instead. */
  @Test
  void diskWithAnOlderCopyReturns_theNewerReplicaInMemoryStays() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    FsVolumeSpi disk = memory.savedOn(b);
    String all = directories();
    directories(one.directoriesWithout(disk));
    dataset.append(b, NEW, Replicas.LENGTH).close();
    dataset.finalizeBlock(Replicas.at(b, NEW), false);
    directories(all);
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    Await.pause(500);
    assertIsEvictedAtLast(Replicas.at(b, NEW));
  }

  private void raise(ExtendedBlock b, long length) throws IOException {
    dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEW));
    dataset.updateReplicaUnderRecovery(b, NEW, b.getBlockId(), length);
  }

  /** By its new stamp the copy would be taken for that of the shorter one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recoveryCutsItAsItIsSaved_theCopyIsAsLongAsTheReplica(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      memory.awaitSaved(replicas.inMemory()); // the lazy writer sleeps now
      ExtendedBlock b = replicas.inMemory();
      HangingIo.Hang cut =
          io.hang(OPERATION.OPEN, (volume, thread) -> thread.getName().startsWith("recovery"));
      Calls<?> recovery =
          Calls.start(
              "recovery",
              () -> {
                raise(b, Replicas.LENGTH / 2);
                return null;
              });
      cut.awaitArrival();
      Await.pause(3_000); // it would be saved, with the new stamp
      cut.release();
      assertThat(recovery.failure()).isNull();
      memory.awaitSaved(b);
      memory.evict();
      Await.until(
          "on the disk", () -> !Volumes.replica(dataset, b).getVolume().isTransientStorage());
      File data = new File(Volumes.replica(dataset, b).getBlockURI());
      assertThat(data).hasSize(Volumes.replica(dataset, b).getNumBytes());
    }
  }

  /** Memory is empty then; the older copy is what there is, and the NameNode may ask for it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void untilItIsSavedAnew_itsOlderCopyStays(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      ExtendedBlock b = savedOne();
      File meta = memory.savedMeta(b);
      HangingIo.Hang saving = io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> true);
      raise(b, Replicas.LENGTH);
      if (ours) {
        saving.awaitArrival(); // stock does not save it anew
      }
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      assertThat(meta).exists();
      saving.release();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsDiskIsBehindWithDeletions_itIsSavedAnewNevertheless(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    FsVolumeSpi disk = Volumes.of(dataset, StorageType.DISK);
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, disk)) {
      dataset.append(b, NEW, Replicas.LENGTH).close();
      dataset.finalizeBlock(Replicas.at(b, NEW), false);
      memory.awaitSaved(b);
      memory.evict();
      assertThat(Volumes.replica(dataset, b).getVolume()).isSameAs(disk);
    }
  }

  /** It is of no use while memory is there, and all there is when the machine starts again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void appendedToAsItIsSavedFirst_theCopyStaysUntilTheNext(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      AtomicReference<Thread> saver = new AtomicReference<>();
      HangingIo.Hang saving =
          io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> saver.compareAndSet(null, thread));
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      saving.awaitArrival();
      dataset.append(b, NEW, Replicas.LENGTH).close();
      saving.release();
      Await.until("its data is saved", () -> saved(b).anyMatch(b.getBlockName()::equals));
      Await.pause(2_500); // where the copy failed since its files were renamed, it is made again
      assertThat(saved(b)).contains(b.getBlockName()).anyMatch(name -> name.endsWith(".meta"));
      dataset.finalizeBlock(Replicas.at(b, NEW), false);
      memory.awaitSaved(b);
      if (ours) { // of stock's that of the copy that failed stays
        String meta = b.getBlockName() + "_" + NEW + ".meta";
        Await.until(
            "one meta file",
            () -> saved(b).sorted().collect(toList()).equals(List.of(b.getBlockName(), meta)));
      }
      memory.evict();
      assertThat(dataset.isValidBlock(Replicas.at(b, NEW))).isTrue();
    }
  }

  private Stream<String> saved(ExtendedBlock b) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(dir)) {
      tree.filter(each -> each.toString().contains("lazypersist"))
          .map(each -> each.getFileName().toString())
          .filter(name -> name.startsWith(b.getBlockName()))
          .forEach(names::add);
    }
    return names.stream();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recoveryThatWouldCutItIsRefused_itsCopyStillCounts(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    Volumes.setFull(Volumes.of(dataset, StorageType.DISK), true);
    assertThatThrownBy(() -> dataset.updateReplicaUnderRecovery(b, NEW, b.getBlockId(), 512))
        .isInstanceOf(IOException.class);
    memory.evict();
    assertThat(dataset.getVolume(b).isTransientStorage()).isFalse();
  }

  /** Read as a replica, it would spoil the next one there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void diskReturnsBeforeWhatWasSavedThereIsDeleted_itIsNotThereAnyMore(boolean ours)
      throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.SSD, StorageType.DISK);
    ExtendedBlock b = savedOne();
    FsVolumeSpi disk = memory.savedOn(b);
    String all = directories();
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, disk)) {
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      Await.until("it is out of the map", () -> Volumes.replica(dataset, b) == null);
      directories(one.directoriesWithout(disk));
      directories(all);
      assertHasNothingOf(b, disk);
    }
  }

  private void assertHasNothingOf(ExtendedBlock b, FsVolumeSpi disk) throws IOException {
    try (Stream<Path> tree = Files.walk(Path.of(disk.getBaseURI()))) {
      assertThat(tree.filter(each -> each.getFileName().toString().startsWith(b.getBlockName())))
          .isEmpty();
    }
    assertThat(Volumes.replica(dataset, b)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void diskHasGoneAsWhatWasSavedThereIsDeleted_itDoesNotComeBack(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.SSD, StorageType.DISK);
    ExtendedBlock b = savedOne();
    FsVolumeSpi disk = memory.savedOn(b);
    String all = directories();
    directories(one.directoriesWithout(disk));
    dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
    Await.until("it is out of the map", () -> Volumes.replica(dataset, b) == null);
    directories(all);
    assertHasNothingOf(b, disk);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poolIsReadBeforeWhatWasSavedIsDeleted_itIsNotThereAnyMore(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    FsVolumeSpi disk = memory.savedOn(b);
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, disk)) {
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      Await.until("it is out of the map", () -> Volumes.replica(dataset, b) == null);
      dataset.shutdownBlockPool(one.pool());
      dataset.addBlockPool(one.pool(), one.node().getConf());
      assertHasNothingOf(b, disk);
    }
  }

  /** A start would put it over the replica that is there by then. Stock saves it once only. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void diskReturnsOnceItsReplicaWasSavedElsewhere_theOtherCopyGoes(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    File other = savedElsewhereAndBack(b, ours);
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(saved(b)).isEmpty();
    assertThat(dataset.isValidBlock(b)).isTrue();
    assertThat(dataset.getLength(b)).isEqualTo(Replicas.LENGTH);
    assertThat(other).doesNotExist();
  }

  /**
   * Its disk goes, so that it is saved on another, and returns.
   *
   * @return the data of the copy on the other disk
   */
  private File savedElsewhereAndBack(ExtendedBlock b, boolean ours) throws Exception {
    String all = saveOnTheOther(b, ours);
    File copy = ours ? memory.savedData(b) : new File(dir.toFile(), "none");
    directories(all);
    awaitOnDisk(b);
    return copy;
  }

  /** Its disk goes, so that it is saved on the other; returns the directories there were. */
  private String saveOnTheOther(ExtendedBlock b, boolean ours) throws Exception {
    memory.awaitSaved(b);
    FsVolumeSpi first = memory.savedOn(b);
    String all = directories();
    directories(one.directoriesWithout(first));
    memory.evict();
    if (ours) { // stock does not save it
      memory.awaitSaved(b);
      assertThat(memory.savedOn(b)).isNotSameAs(first);
    }
    return all;
  }

  private void awaitOnDisk(ExtendedBlock b) throws Exception {
    Await.until("on the disk", () -> !Volumes.replica(dataset, b).getVolume().isTransientStorage());
  }

  /** Its disk may have failed as it was saved there first. */
  @Test
  void diskReturnsWithAShorterCopy_theWholeOneElsewhereStays() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = savedOne();
    try (FileChannel data =
        FileChannel.open(memory.savedData(b).toPath(), StandardOpenOption.WRITE)) {
      data.truncate(Replicas.LENGTH / 2);
    }
    File whole = savedElsewhereAndBack(b, true);
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(whole).hasSize(Replicas.LENGTH);
  }

  /** It has gone once. */
  @Test
  void diskReturnsAndGoesBeforeTheOtherCopyIsDeleted_thatOneStays() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    String all = saveOnTheOther(b, true);
    String without = directories();
    File whole = memory.savedData(b);
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, memory.savedOn(b))) {
      directories(all);
      awaitOnDisk(b);
      directories(without);
      assertThat(Volumes.replica(dataset, b)).isNull();
    }
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(whole).exists();
  }

  /** Its volume is closed and waits for who uses it; the replica is still in the map. */
  @Test
  void diskIsBackAndIsBeingRemovedAsTheOtherCopyIsDeleted_thatOneStays() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    String all = saveOnTheOther(b, true);
    String without = directories();
    File whole = memory.savedData(b);
    Calls<?> removal;
    FsVolumeReference user;
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, memory.savedOn(b))) {
      directories(all);
      awaitOnDisk(b);
      FsVolumeSpi first = Volumes.replica(dataset, b).getVolume();
      user = first.obtainReference();
      removal = one.setDirectories(without);
      Await.until("it is closed", () -> Volumes.isClosed(first));
      assertThat(Volumes.replica(dataset, b)).isNotNull();
    }
    try (FsVolumeReference until = user) {
      assertThat(AsyncDeletions.await(dataset)).isTrue();
      assertThat(whole).exists();
    }
    assertThat(removal.failure()).isNull();
  }

  @Test
  void replicaIsInRecoveryAsTheOtherCopyIsDeleted_thatOneGoes() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    String all = saveOnTheOther(b, true);
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, memory.savedOn(b))) {
      directories(all);
      awaitOnDisk(b);
      dataset.initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, NEW));
    }
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(saved(b)).isEmpty();
  }

  /** The next start would put it over the replica. */
  @Test
  void replicaIsMovedWhereAnOlderCopyOfRemovedMemoryIs_theCopyGoes() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK, StorageType.SSD);
    Replicas replicas = new Replicas(one, dir);
    ExtendedBlock b = replicas.inMemory();
    memory.awaitSaved(b);
    FsVolumeSpi ram = Volumes.of(dataset, StorageType.RAM_DISK);
    directories(one.directoriesWithout(ram));
    replicas.finalized(StorageType.SSD, Replicas.at(b, NEW));
    assertThat(saved(b)).hasSize(2);
    FsVolumeSpi disk = Volumes.of(dataset, StorageType.DISK);
    dataset.moveBlockAcrossVolumes(Replicas.at(b, NEW), disk);
    assertThat(Volumes.replica(dataset, b).getVolume()).isSameAs(disk);
    assertThat(saved(b)).isEmpty();
  }

  /** Where it was, the copy has the same bytes; here the copy would be put over it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replicaIsMovedWhereItsOtherCopyIsToBeDeleted_isThereAndTheCopyGoes(boolean ours)
      throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    ExtendedBlock b = new Replicas(one, dir).inMemory();
    String all = saveOnTheOther(b, ours);
    FsVolumeSpi other = Volumes.of(dataset, StorageType.DISK);
    try (AsyncDeletions.Held held = AsyncDeletions.hold(dataset, other)) {
      directories(all);
      awaitOnDisk(b);
      dataset.moveBlockAcrossVolumes(b, other);
      assertThat(Volumes.replica(dataset, b).getVolume()).isSameAs(other);
      assertThat(saved(b)).isEmpty();
    }
  }

  /** It waits for no deletion that hangs there; stock has no such deletion. */
  @Test
  void replicaIsMovedWhereTheDeletionOfACopyHangs_isThere() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Configuration conf = OneDataNode.conf(true);
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 600_000);
    start(conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.SSD);
    try (Closeable ends = go::countDown) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = savedOne();
      memory.savedFileHangs(b, arrived, go);
      FsVolumeSpi ram = dataset.getVolume(b);
      directories(one.directoriesWithout(ram));
      replicas.finalized(StorageType.SSD, Replicas.at(b, NEW));
      memory.evict();
      arrived.await();
      FsVolumeSpi disk = Volumes.of(dataset, StorageType.DISK);
      Calls<?> move =
          Calls.start("move", () -> dataset.moveBlockAcrossVolumes(Replicas.at(b, NEW), disk));
      Await.until("it is moved", move::isDone);
      assertThat(move.failure()).isNull();
      assertThat(Volumes.replica(dataset, b).getVolume()).isSameAs(disk);

      File data = new File(Volumes.replica(dataset, b).getBlockURI());
      File meta = new File(Volumes.replica(dataset, b).getMetadataURI());
      assertThat(data.delete()).isTrue();
      dataset.checkAndUpdate(
          one.pool(),
          new ScanInfo(b.getBlockId(), data.getParentFile(), null, meta.getName(), disk));
      assertThat(dataset.contains(b)).as("once the scanner misses its data").isFalse();
    }
  }

  /** Its stamp was raised again meanwhile, and nothing newer is saved: its disk is full. */
  @Test
  void moveOutOfMemoryFails_itsOlderCopyStays() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      ExtendedBlock b = savedOne();
      FsVolumeSpi disk = Volumes.of(dataset, StorageType.DISK);
      Volumes.setFull(disk, true);
      raise(b, Replicas.LENGTH);
      HangingIo.Hang renaming =
          io.hang(OPERATION.MOVE, (volume, thread) -> thread.getName().equals("move"));
      Calls<?> move =
          Calls.start("move", () -> dataset.moveBlockAcrossVolumes(Replicas.at(b, NEW), disk));
      renaming.awaitArrival();
      dataset.recoverClose(Replicas.at(b, NEW), NEW + 1, Replicas.LENGTH);
      renaming.release();
      assertThat(move.failure()).isInstanceOf(IOException.class);
      assertThat(saved(b)).hasSize(2);
    }
  }

  /** Memory has gone meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void saveOfAnOlderStampEndsLast_theNewerCopyStays(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK, StorageType.SSD);
    ExtendedBlock b = savedOne();
    File newer = memory.savedMeta(b);
    FsVolumeSpi ram = dataset.getVolume(b);
    Volumes.of(dataset).forEach(each -> Volumes.setFull(each, true)); // it is not saved anew
    dataset.recoverClose(b, NEW, Replicas.LENGTH);
    directories(one.directoriesWithout(ram));
    FsVolumeSpi ssd = Volumes.of(dataset, StorageType.SSD);
    memory.savesLate(b, b.getGenerationStamp() - 1, ssd);
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    assertThat(newer).exists();
  }

  /** A copy that comes in with the same stamp may fail, and then what was saved is all there is. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replicaIsCreatedWhereACopyOfRemovedMemoryIs_theCopyGoesIfItIsOlder(boolean newer)
      throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK);
    Replicas replicas = new Replicas(one, dir);
    ExtendedBlock b = replicas.inMemory();
    memory.awaitSaved(b);
    FsVolumeSpi ram = Volumes.of(dataset, StorageType.RAM_DISK);
    directories(one.directoriesWithout(ram));
    if (newer) {
      replicas.finalized(StorageType.DISK, Replicas.at(b, NEW));
      assertThat(saved(b)).isEmpty();
    } else {
      dataset.createTemporary(StorageType.DISK, null, b, false).close();
      assertThat(saved(b)).hasSize(2);
    }
  }

  /** Memory has gone with the replica that has its bytes; the next start takes this copy. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copyEndsAsADiskWithAnOlderReplicaIsBack_itStays(boolean ours) throws Exception {
    start(ours, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      ExtendedBlock b = savedOne();
      String all = directories();
      String without = one.directoriesWithout(memory.savedOn(b));
      directories(without);
      HangingIo.Hang saving = io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> true);
      dataset.append(b, NEW, Replicas.LENGTH).close();
      dataset.finalizeBlock(Replicas.at(b, NEW), false);
      saving.awaitArrival();
      FsVolumeSpi ram = Volumes.of(dataset, StorageType.RAM_DISK);
      directories(less(without, ram));
      directories(less(all, ram));
      saving.release();
      Await.until("its data is saved", () -> saved(b).anyMatch(b.getBlockName()::equals));
      Await.pause(2_000); // it would be deleted
      assertThat(saved(b)).contains(b.getBlockName(), b.getBlockName() + "_" + NEW + ".meta");
    }
  }

  private static String less(String directories, FsVolumeSpi volume) {
    String path = new File(volume.getBaseURI()).getPath();
    return Stream.of(directories.split(",")).filter(d -> !d.contains(path)).collect(joining(","));
  }

  /** Until another disk in its place is added no other can be added or removed either. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletionHangsOnADiskThatWasReplaced_theNewOneIsAdded(boolean ours) throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(ours, StorageType.RAM_DISK, StorageType.SSD, StorageType.DISK);
    try (Closeable ends = go::countDown) {
      ExtendedBlock b = savedOne();
      FsVolumeSpi disk = memory.savedOn(b);
      String all = directories();
      memory.savedFileHangs(b, arrived, go);
      dataset.invalidate(one.pool(), new Block[] {b.getLocalBlock()});
      arrived.await();
      directories(one.directoriesWithout(disk));
      Path directory = Path.of(disk.getBaseURI());
      FileUtil.fullyDelete(directory.toFile());
      Files.createDirectories(directory);
      Calls<?> adding = one.setDirectories(all);
      Await.until("it is added", adding::isDone);
      assertThat(adding.failure()).isNull();
    }
  }

  /** Of more than one beside a block a start may take any. */
  @Test
  void stampIsRaisedAsEachCopyIsMade_oneMetaFileIsBesideTheBlock() throws Exception {
    start(true, StorageType.RAM_DISK, StorageType.DISK);
    try (HangingIo io = HangingIo.of(one.node())) {
      HangingIo.Hang first = io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> true);
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      first.awaitArrival();
      dataset.recoverClose(b, NEW, Replicas.LENGTH);
      HangingIo.Hang second = io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> true);
      first.release();
      second.awaitArrival();
      dataset.recoverClose(Replicas.at(b, NEW), NEW + 1, Replicas.LENGTH);
      HangingIo.Hang third = io.hang(OPERATION.NATIVE_COPY, (volume, thread) -> true);
      second.release();
      third.awaitArrival();
      long stamp = b.getGenerationStamp(); // the third one's meta file is there before its data
      assertThat(saved(b)).doesNotContain(b.getBlockName() + "_" + stamp + ".meta").hasSize(3);
      third.release();
      assertIsEvictedAtLast(Replicas.at(b, NEW + 1));
    }
  }
}
