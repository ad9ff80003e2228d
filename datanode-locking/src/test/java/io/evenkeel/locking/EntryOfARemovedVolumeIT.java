package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Something comes into the map while its volume is removed. The removal takes out what it finds; an
 * entry that came later would be of a volume that is gone, and its block could not be read, deleted
 * or copied to this DataNode again.
 */
@Timeout(300)
class EntryOfARemovedVolumeIT {
  @TempDir Path dir;

  private OneDataNode start(Configuration conf, StorageType... types) throws Exception {
    OneDataNode one = OneDataNode.start(dir, conf, types);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    return one;
  }

  private static Void remove(OneDataNode one, FsVolumeSpi volume) throws Exception {
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
    return null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replicaIsEvictedFromMemoryToADiskThatGoes_noEntryIsLeft(boolean ours) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      memory.use(one.dataset());
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      ParkedIo.Parking renaming =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("evict"));
      Calls<?> eviction = Calls.start("evict", memory::evict);
      renaming.awaitAll();
      FsVolumeSpi disk = Volumes.at(one.dataset(), renaming.directory());

      Calls<?> removal = Calls.start("remove", () -> remove(one, disk));
      assertThat(removal.waits()).as("it waits for the eviction").isTrue();
      renaming.release();

      assertThat(eviction.failure()).isNull();
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(Volumes.references(disk)).isZero();
      assertThat(one.dataset().contains(b)).isFalse();
    }
  }

  /** Stock evicts it to the disk that is gone. */
  @Test
  void diskOfASavedReplicaHasGone_itIsSavedAgainAndThenEvicted() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK)) {
      memory.use(one.dataset());
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      remove(one, memory.savedOn(b));
      memory.evict();
      assertThat(one.dataset().getVolume(b).isTransientStorage()).isTrue();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      Await.until(
          "it was saved elsewhere and evicted",
          () -> {
            memory.evict();
            return !one.dataset().getVolume(b).isTransientStorage();
          });
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      one.dataset().getBlockInputStream(b, 0).close();
    }
  }

  /** It would be looked at by every eviction from then on. */
  @Test
  void memoryOfASavedReplicaHasGone_itIsForgottenByTheNextEviction() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    try (Memory memory = Memory.configure(conf);
        OneDataNode one = start(conf, StorageType.RAM_DISK, StorageType.DISK)) {
      memory.use(one.dataset());
      ExtendedBlock b = new Replicas(one, dir).inMemory();
      memory.awaitSaved(b);
      remove(one, one.dataset().getVolume(b));
      memory.evict();
      assertThat(memory.knows(b)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void scannerFindsAReplicaOnADiskThatGoes_noEntryIsLeft(boolean ours) throws Exception {
    try (OneDataNode one = start(OneDataNode.conf(ours), StorageType.DISK, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock known = replicas.finalized(StorageType.DISK);
      FsVolumeSpi disk = one.dataset().getVolume(known);
      ExtendedBlock found = replicas.block();
      FsVolumeSpi.ScanInfo scanned = copied(one, known, found, disk);

      ParkedIo.Parking looking =
          io.park(OPERATION.EXISTS, 1, thread -> thread.getName().equals("scan"));
      Calls<?> scan =
          Calls.start(
              "scan",
              () -> {
                one.dataset().checkAndUpdate(one.pool(), scanned);
                return null;
              });
      looking.awaitAll();
      Calls<?> removal = Calls.start("remove", () -> remove(one, disk));
      assertThat(removal.waits()).as("it waits for the scanner").isTrue();
      looking.release();

      assertThat(scan.failure()).isNull();
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(one.dataset().contains(found)).isFalse();
    }
  }

  /** Files of another block beside those of this one. */
  private static FsVolumeSpi.ScanInfo copied(
      OneDataNode one, ExtendedBlock known, ExtendedBlock found, FsVolumeSpi disk)
      throws Exception {
    BlockLocalPathInfo paths = one.dataset().getBlockLocalPathInfo(known);
    File data = new File(paths.getBlockPath());
    File directory = data.getParentFile();
    String name = "blk_" + found.getBlockId();
    String meta = name + "_" + found.getGenerationStamp() + ".meta";
    Files.copy(data.toPath(), directory.toPath().resolve(name));
    Files.copy(Path.of(paths.getMetaPath()), directory.toPath().resolve(meta));
    return new FsVolumeSpi.ScanInfo(found.getBlockId(), directory, name, meta, disk);
  }

  /**
   * A replica was moved after the scan to a disk that dies: the look for its file takes long, and
   * the NameNode must not be told of it for a storage that is gone by then. Stock 3.4 keeps such a
   * report, and all later ones with it.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void scannerLooksForAReplicaOnADiskThatGoes_laterFilesAreReported(boolean ours) throws Exception {
    moved(
        ours,
        (one, b, first) ->
            one.dataset()
                .checkAndUpdate(
                    one.pool(), new FsVolumeSpi.ScanInfo(b.getBlockId(), null, null, null, first)));
  }

  /** The same by a reader that misses the file where it was; stock 3.4 does not look again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readerMissesAReplicaOnADiskThatGoes_laterFilesAreReported(boolean ours) throws Exception {
    assumeTrue(ours || !System.getProperty("evenkeel.hadoop.version").startsWith("3.4"));
    moved(
        ours,
        (one, b, first) -> one.dataset().invalidateMissingBlock(one.pool(), b.getLocalBlock()));
  }

  private interface Look {
    void at(OneDataNode one, ExtendedBlock b, FsVolumeSpi first) throws IOException;
  }

  private void moved(boolean ours, Look look) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.heartbeat.interval", 1);
    try (OneDataNode one = OneDataNode.startWithNameNode(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      write(one, "/before");
      ExtendedBlock b =
          DFSTestUtil.getFirstBlock(one.fileSystem(), new org.apache.hadoop.fs.Path("/before"));
      FsVolumeSpi first = one.dataset().getVolume(b);
      FsVolumeSpi second = null;
      for (FsVolumeSpi each : Volumes.of(one.dataset())) {
        second = each != first && each.getStorageType() == StorageType.DISK ? each : second;
      }
      FsVolumeSpi dying = second;
      one.dataset().moveBlockAcrossVolumes(b, dying);
      Files.delete(Path.of(one.dataset().getBlockLocalPathInfo(b).getBlockPath())); // as EIO looks
      ParkedIo.Parking looking =
          io.park(
              OPERATION.EXISTS,
              1,
              thread ->
                  thread.getName().equals("look")
                      && Arrays.stream(thread.getStackTrace())
                          .anyMatch(frame -> frame.getMethodName().equals("blockDataExists")));
      Calls<?> looks =
          Calls.start(
              "look",
              () -> {
                look.at(one, b, first);
                return null;
              });
      looking.awaitAll();
      Calls<?> removal = Calls.start("remove", () -> remove(one, dying));
      removal.waits();
      looking.release();
      assertThat(looks.failure()).isNull();
      assertThat(one.failureOfRemoval(removal)).isNull();
      write(one, "/after"); // is closed when its block was reported
    }
  }

  private static void write(OneDataNode one, String file) throws IOException {
    DFSTestUtil.createFile(
        one.fileSystem(), new org.apache.hadoop.fs.Path(file), 1000, (short) 1, 1);
  }
}
