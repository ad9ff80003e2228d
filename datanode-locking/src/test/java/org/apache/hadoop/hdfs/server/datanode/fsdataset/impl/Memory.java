package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.nativeio.NativeIO;

/** The replicas a dataset has in memory, and what becomes of them. For one test at a time. */
public final class Memory implements AutoCloseable {
  private static final long BYTES = 1 << 20;

  private final NativeIO.POSIX.CacheManipulator before = NativeIO.POSIX.getCacheManipulator();
  private FsDatasetImpl dataset;

  private Memory() {}

  /** Lets a DataNode of this configuration have replicas in memory, without native code. */
  public static Memory configure(Configuration conf) {
    Memory memory = new Memory();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    conf.setLong("dfs.datanode.max.locked.memory", BYTES);
    conf.setInt("dfs.datanode.lazywriter.interval.sec", 1);
    conf.set("dfs.datanode.ram.disk.replica.tracker", Tracker.class.getName());
    return memory;
  }

  /** Takes the dataset that was started so. */
  public void use(FsDatasetSpi<?> started) {
    dataset = (FsDatasetImpl) started;
  }

  private Tracker tracker() {
    RamDiskReplicaTracker tracker = dataset.ramDiskReplicaTracker;
    return (Tracker)
        (tracker instanceof LockedMemoryReplicas
            ? ((LockedMemoryReplicas) tracker).configured()
            : tracker);
  }

  /**
   * Waits until a replica has a copy on a disk and who recorded it has given its block back, so
   * that it may be evicted.
   */
  public void awaitSaved(ExtendedBlock b) throws Exception {
    Await.until(
        b + " is saved",
        () ->
            tracker().getReplica(b.getBlockPoolId(), b.getBlockId()).getIsPersisted()
                && nobodyHas(b));
  }

  private boolean nobodyHas(ExtendedBlock b) {
    if (!(dataset instanceof FineGrainedDataset)) {
      return true;
    }
    Operations operations = ((FineGrainedDataset) dataset).operations();
    try (Operation probe =
        operations.begin(OperationKind.CACHE, b.getBlockPoolId(), b.getBlockId())) {
      if (!probe.tryLock(0)) {
        return false;
      }
      probe.unlock();
      return true;
    }
  }

  /** The disk a replica was saved on. */
  public FsVolumeSpi savedOn(ExtendedBlock b) {
    return tracker().getReplica(b.getBlockPoolId(), b.getBlockId()).getLazyPersistVolume();
  }

  /** Where the replica's data will be on the disk it was saved on when it is evicted. */
  public File placeOnDisk(ExtendedBlock b) throws IOException {
    File dir = ((FsVolumeImpl) savedOn(b)).getFinalizedDir(b.getBlockPoolId());
    return new File(DatanodeUtil.idToBlockDir(dir, b.getBlockId()), b.getBlockName());
  }

  /** The saved file of its checksums. */
  public File savedMeta(ExtendedBlock b) {
    return tracker().getReplica(b.getBlockPoolId(), b.getBlockId()).getSavedMetaFile();
  }

  /** The saved file of its data. */
  public File savedData(ExtendedBlock b) {
    return tracker().getReplica(b.getBlockPoolId(), b.getBlockId()).getSavedBlockFile();
  }

  /** Whether the dataset has it down as one in memory. */
  public boolean knows(ExtendedBlock b) {
    return tracker().getReplica(b.getBlockPoolId(), b.getBlockId()) != null;
  }

  /**
   * Waits until all replicas are saved and nobody uses a volume, then looks for what map and disks
   * disagree on.
   *
   * @return what is wrong, in words: a replica that is not finalized, whose volume has gone or
   *     whose files are missing, and one in memory that is not down as such or the other way round
   */
  public List<String> disagreements(String pool) throws Exception {
    Await.until("all is saved", () -> dataset.ramDiskReplicaTracker.numReplicasNotPersisted() == 0);
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      Await.until(
          "nobody uses " + volume,
          () -> volume.getReferenceCount() + volume.getReservedForReplicas() == 0);
    }
    List<String> wrong = new ArrayList<>();
    dataset.volumeMap.replicas(pool, all -> all.forEachRemaining(each -> look(pool, each, wrong)));
    return wrong;
  }

  private void look(String pool, ReplicaInfo replica, List<String> wrong) {
    ReplicaState state = replica.getState();
    if (state != ReplicaState.FINALIZED && state != ReplicaState.RWR) {
      wrong.add("being written: " + replica);
    } else if (!dataset.getVolumeList().contains(replica.getVolume())) {
      wrong.add("on a volume that has gone: " + replica);
    } else if (!replica.blockDataExists() || !replica.metadataExists()) {
      wrong.add("without files: " + replica);
    }
    boolean known = tracker().getReplica(pool, replica.getBlockId()) != null;
    if (known != replica.getVolume().isTransientStorage()) {
      wrong.add((known ? "down as one in memory: " : "in memory and not down as such: ") + replica);
    }
  }

  /** A copy with that stamp, which was begun long ago, is done. */
  public void savesLate(ExtendedBlock b, long stamp, FsVolumeSpi disk) throws IOException {
    FsVolumeImpl volume = (FsVolumeImpl) disk;
    File saved = volume.getLazyPersistDir(b.getBlockPoolId());
    File data = new File(DatanodeUtil.idToBlockDir(saved, b.getBlockId()), b.getBlockName());
    File meta = new File(data.getParentFile(), b.getBlockName() + "_" + stamp + ".meta");
    Files.createDirectories(data.getParentFile().toPath());
    Files.createFile(data.toPath());
    Files.createFile(meta.toPath());
    dataset.onCompleteLazyPersist(
        b.getBlockPoolId(), b.getBlockId(), 0, new File[] {meta, data}, volume);
  }

  /** Lets the deletion of the file saved on a disk wait, as a disk does that hangs. */
  public void savedFileHangs(ExtendedBlock b, CountDownLatch arrived, CountDownLatch go) {
    RamDiskReplicaTracker.RamDiskReplica replica =
        tracker().getReplica(b.getBlockPoolId(), b.getBlockId());
    File data = replica.getSavedBlockFile();
    File hung = new HungFile(data.getPath(), arrived, go);
    replica.recordSavedBlockFiles(new File[] {replica.getSavedMetaFile(), hung});
  }

  private static final class HungFile extends File {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch arrived;
    private final transient CountDownLatch go;

    HungFile(String path, CountDownLatch arrived, CountDownLatch go) {
      super(path);
      this.arrived = arrived;
      this.go = go;
    }

    @Override
    public boolean delete() {
      arrived.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.delete();
    }
  }

  /** Makes room as for a replica that needs all of the memory. */
  public Void evict() {
    dataset.evictLazyPersistBlocks(BYTES + 1);
    return null;
  }

  /** Once the eviction has looked a replica up, another thread has it forgotten. */
  public void forgetsBetween(ExtendedBlock b) {
    tracker().forgotten = b;
  }

  /** Waits until it is forgotten. */
  public void awaitForgotten() throws InterruptedException {
    tracker().forgetting.join();
  }

  @Override
  public void close() {
    NativeIO.POSIX.setCacheManipulator(before);
  }

  /** Stock's, which can let somebody in between two calls. */
  public static final class Tracker extends RamDiskReplicaLruTracker {
    private volatile ExtendedBlock forgotten;
    private volatile Thread forgetting;

    /** Made by the dataset. */
    public Tracker() {}

    @Override
    RamDiskReplica getReplica(String pool, long blockId) {
      RamDiskReplica found = super.getReplica(pool, blockId);
      ExtendedBlock armed = forgotten;
      if (armed != null && armed.getBlockId() == blockId) {
        forgotten = null;
        forgetting = new Thread(() -> discardReplica(pool, blockId, false));
        forgetting.start();
        while (forgetting.isAlive() && forgetting.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
      return found;
    }
  }

  /** Nothing more has room in memory. */
  public static void useUp(FsDatasetSpi<?> dataset) {
    FsDatasetCache cache = ((FsDatasetImpl) dataset).cacheManager;
    long page = cache.getOsPageSize();
    while (cache.reserve(page) > 0) {
      assertThat(cache.getCacheUsed()).isPositive();
    }
  }
}
