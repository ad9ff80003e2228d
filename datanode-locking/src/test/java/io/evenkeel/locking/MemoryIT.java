package io.evenkeel.locking;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas in memory, beside deletions and disks that hang; stock where it is right. */
@Timeout(300)
class MemoryIT {
  @TempDir private Path dir;

  /** Takes the first volume; lets a test act when the lazy writer asks. */
  public static final class Hooked implements VolumeChoosingPolicy<FsVolumeSpi> {
    private static volatile Runnable hook;
    private static volatile FsVolumeSpi chosen;

    @Override
    public FsVolumeSpi chooseVolume(List<FsVolumeSpi> volumes, long size, String storageId)
        throws IOException {
      if (volumes.isEmpty()) {
        throw new DiskOutOfSpaceException("No more available volumes");
      }
      FsVolumeSpi volume = volumes.get(0);
      Runnable armed = hook;
      if (armed != null && !volume.isTransientStorage() && asksTheLazyWriter()) {
        hook = null;
        chosen = volume;
        armed.run();
      }
      return volume;
    }

    private static boolean asksTheLazyWriter() {
      return Arrays.stream(Thread.currentThread().getStackTrace())
          .anyMatch(frame -> frame.getMethodName().equals("saveNextReplica"));
    }
  }

  private OneDataNode start(Configuration conf, Memory memory) throws Exception {
    OneDataNode one =
        OneDataNode.start(dir, conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    // The NameNode knows none of these blocks and would have them deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    memory.use(one.dataset());
    return one;
  }

  /** Nothing is down as a replica in memory before the first one of the pool is finalized. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void firstOfItsPoolIsReadWhileItIsWritten_stockThrows(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      ExtendedBlock b = new Replicas(one, dir).writtenInMemory();
      Calls<?> read =
          Calls.start(
              "read",
              () -> {
                one.dataset().getBlockInputStream(b, 0).close();
                return null;
              });
      if (ours) {
        assertThat(read.failure()).isNull();
      } else {
        assertThat(read.failure()).isInstanceOf(NullPointerException.class);
      }
    }
  }

  private static void delete(OneDataNode one, ExtendedBlock b) throws IOException {
    one.dataset().invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
  }

  /** The lazy writer has a reference to the disk, which nobody gave back in ours. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replicaIsDeletedWhileADiskIsChosenForIt_diskCanBeRemoved(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", Hooked.class.getName());
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      CountDownLatch made = new CountDownLatch(1);
      CountDownLatch deleted = new CountDownLatch(1);
      ExtendedBlock[] block = new ExtendedBlock[1];
      Hooked.hook =
          () -> {
            try {
              made.await();
              delete(one, block[0]);
              if (ours) { // in stock it waits for the lock of the pool
                Await.until("it is forgotten", () -> !memory.knows(block[0]));
              }
            } catch (Exception e) {
              throw new IllegalStateException(e);
            } finally {
              deleted.countDown();
            }
          };
      block[0] = new Replicas(one, dir).inMemory();
      made.countDown();
      deleted.await();
      FsVolumeSpi disk = Hooked.chosen;
      Await.until("no reference is left", () -> Volumes.references(disk) == 0);
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(disk));
      assertThat(Volumes.of(one.dataset()).contains(disk)).isFalse();
      assertThat(one.dataset().contains(block[0])).isFalse();
    }
  }

  /** Stock's closing waits for the choice, ours does not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poolIsClosedWhileADiskIsChosenForItsReplica_diskIsNotUsedAfterwards(boolean ours)
      throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", Hooked.class.getName());
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      CountDownLatch chosen = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Hooked.hook =
          () -> {
            chosen.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      new Replicas(one, dir).inMemory();
      chosen.await();
      Step closing = Step.start("closing", () -> one.dataset().shutdownBlockPool(one.pool()));
      assertThat(closing.waitsForLock()).isEqualTo(!ours);
      go.countDown();
      closing.end();
      FsVolumeSpi disk = Hooked.chosen;
      Await.until("no reference is left", () -> Volumes.references(disk) == 0);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(disk));
      assertThat(Volumes.of(one.dataset()).contains(disk)).isFalse();
    }
  }

  /** Stock evicts three a time, ours too: the one in use is passed over. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theReplicaUsedLeastLatelyIsInUse_othersAreEvicted(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      List<ExtendedBlock> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(replicas.inMemory());
        memory.awaitSaved(all.get(i));
      }
      ParkedIo.Parking reading =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("reader"));
      Calls<?> reader =
          Calls.start(
              "reader",
              () -> {
                one.dataset().getTmpInputStreams(all.get(0), 0, 0).close();
                return null;
              });
      reading.awaitAll();
      Calls<?> eviction = Calls.start("evict", memory::evict);
      assertThat(eviction.failure()).isNull();
      long evicted =
          all.stream()
              .skip(1)
              .filter(b -> !one.dataset().getVolume(b).isTransientStorage())
              .count();
      assertThat(evicted).isGreaterThanOrEqualTo(2);
      reading.release();
      Throwable failure = reader.failure();
      if (ours) { // stock takes the files away under the reader
        assertThat(failure).isNull();
        memory.evict();
        memory.evict();
        assertThat(all).noneMatch(b -> one.dataset().getVolume(b).isTransientStorage());
        assertThat(all).allMatch(one.dataset()::isValidBlock);
        assertThat(one.operations().liveLocks()).isZero();
      }
    }
  }

  /** The saved copy is a replica on its disk then, and nothing is left to be saved or evicted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void diskWithTheSavedCopyGoesAndReturns_replicaInMemoryIsForgotten(boolean ours)
      throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      FsVolumeSpi disk = memory.savedOn(b);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(disk));
      assertThat(memory.knows(b)).isTrue();
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      Await.until( // with ours by the volume's own thread
          "the saved copy is taken",
          () ->
              Volumes.replica(one.dataset(), b)
                  .getVolume()
                  .getStorageID()
                  .equals(disk.getStorageID()));
      Await.until("it is forgotten", () -> !memory.knows(b));
      assertThat(memory.disagreements(one.pool())).isEmpty();
    }
  }

  /** As after a crash of a DataNode, both copies are read, and the one on the disk is taken. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poolIsReadAnew_replicaInMemoryThatWasSavedIsForgotten(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      one.dataset().shutdownBlockPool(one.pool());
      // what was listed at the end is put over what another volume has, by the order of threads
      for (FsVolumeSpi volume : Volumes.of(one.dataset())) {
        try (Stream<Path> tree = Files.walk(Paths.get(volume.getBaseURI()))) {
          for (Path list : tree.filter(p -> p.endsWith("replicas")).collect(toList())) {
            Files.delete(list);
          }
        }
      }
      one.dataset().addBlockPool(one.pool(), conf);
      assertThat(Volumes.replica(one.dataset(), b).getVolume().isTransientStorage()).isFalse();
      assertThat(memory.knows(b)).isFalse();
    }
  }

  /**
   * Another file is where the replica's file is to come, as that of an earlier replica may be after
   * its disk came back. Stock forgets the replica, which then stays in memory for good.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void evictionFails_replicaIsEvictedLaterWithOurs(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.inMemory();
      memory.awaitSaved(b);
      File place = memory.placeOnDisk(b);
      Files.createDirectories(place.getParentFile().toPath());
      Files.createFile(place.toPath());

      memory.evict();

      assertThat(one.dataset().getVolume(b).isTransientStorage()).isTrue();
      assertThat(memory.knows(b)).isEqualTo(ours);
      Files.delete(place.toPath());
      memory.evict();
      assertThat(one.dataset().getVolume(b).isTransientStorage()).isEqualTo(!ours);
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      if (ours) {
        assertThat(replicas.files(b)).hasSize(1);
        assertThat(one.operations().liveLocks()).isZero();
      }
    }
  }

  /** Its saved data is moved, its saved checksums cannot be: it is saved anew. */
  @Test
  void evictionFailsHalfWay_replicaIsSavedAnewAndEvictedWithOurs() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = replicas.inMemory();
      memory.awaitSaved(b);
      File place = memory.placeOnDisk(b);
      File inTheWay = new File(place.getParentFile(), memory.savedMeta(b).getName());
      Files.createDirectories(place.getParentFile().toPath());
      Files.createFile(inTheWay.toPath());

      memory.evict();

      assertThat(place).exists();
      assertThat(memory.knows(b)).isTrue();
      memory.awaitSaved(b);
      Files.delete(inTheWay.toPath());
      Files.delete(place.toPath());
      memory.evict();
      assertThat(one.dataset().getVolume(b).isTransientStorage()).isFalse();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
    }
  }

  /** In stock the record of all replicas in memory is locked meanwhile. */
  @Test
  void savedFileIsDeletedOnADiskThatHangs_otherReplicasInMemoryAreReadAndWritten()
      throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, memory)) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock deleted = replicas.inMemory();
      ExtendedBlock other = replicas.inMemory();
      memory.awaitSaved(deleted);
      memory.awaitSaved(other);
      CountDownLatch hangs = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      memory.savedFileHangs(deleted, hangs, go);
      delete(one, deleted);
      hangs.await();
      Calls<?> read =
          Calls.start(
              "read",
              () -> {
                one.dataset().getBlockInputStream(other, 0).close();
                return null;
              });
      Calls<?> write = Calls.start("write", replicas::inMemory);
      assertThat(read.failure()).isNull();
      assertThat(write.failure()).isNull();
      go.countDown();
      assertThat(AsyncDeletions.await(one.dataset())).isTrue();
      assertThat(replicas.files(deleted)).isEmpty();
    }
  }
}
