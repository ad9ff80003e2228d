package io.evenkeel.locking.stress;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.checker.DatasetVolumeChecker;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/**
 * One DataNode with two DISK and two SSD volumes that serves two block pools, whose dataset is
 * driven directly. Blocks {@code 2n} and {@code 2n + 1} of a run are one block id, in either pool.
 */
final class StressDataNode implements AutoCloseable {
  /** Storage types by the index a {@link Step} uses. */
  static final StorageType[] TYPES = {StorageType.DISK, StorageType.SSD};

  /** Index into {@link #TYPES} of each volume. */
  static final int[] TYPE_OF_VOLUME = {0, 0, 1, 1};

  private static final int POOLS = 2;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
  private static final String DIRS = "dfs.datanode.data.dir";

  private final MiniDFSCluster cluster;
  private final List<File> roots = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final SlowDisks disks = new SlowDisks();
  private final FsDatasetSpi<?> dataset;
  private final List<String> pools = new ArrayList<>();

  /**
   * Starts NameNode and DataNode.
   *
   * @param base where all directories go
   * @param given may name the dataset's factory; nothing else is needed
   */
  StressDataNode(Path base, Configuration given) throws IOException {
    Configuration conf = new Configuration(given);
    for (int type : TYPE_OF_VOLUME) {
      Path root = Files.createDirectories(base.resolve("volume" + roots.size()));
      roots.add(root.toFile());
      names.add("[" + TYPES[type] + "]" + root.toUri());
    }
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, base.resolve("name").toString());
    conf.set(DIRS, String.join(",", names));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.set("dfs.datanode.directoryscan.interval", "-1");
    conf.set("dfs.datanode.scan.period.hours", "-1");
    conf.set("dfs.datanode.xceiver.stop.timeout.millis", "4000");
    conf.set("dfs.datanode.failed.volumes.tolerated", "1");
    conf.set("dfs.datanode.disk.check.min.gap", "0");
    cluster =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(POOLS))
            .numDataNodes(0)
            .build();
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    dataset = cluster.getDataNodes().get(0).getFSDataset();
    for (int i = 0; i < POOLS; i++) {
      pools.add(cluster.getNamesystem(i).getBlockPoolId());
    }
    // The NameNode knows none of these blocks and would have moved ones deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cluster.getDataNodes().get(0), true);
    slowDown();
  }

  private void slowDown() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        field(FileIoProvider.class, "faultInjectorEventHook")
            .set(volume.getFileIoProvider(), disks);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  FsDatasetSpi<?> dataset() {
    return dataset;
  }

  SlowDisks disks() {
    return disks;
  }

  ExtendedBlock block(long id, long length, long gs) {
    return new ExtendedBlock(pool(id), blockId(id), length, gs);
  }

  /** The pool of a run's block. */
  String pool(long id) {
    return pools.get((int) (id % POOLS));
  }

  /** What HDFS calls a run's block. */
  long blockId(long id) {
    return id - id % POOLS;
  }

  /** The map's entry, null for none. */
  @SuppressWarnings("deprecation")
  ReplicaInfo replica(long id) {
    return (ReplicaInfo) dataset.getReplica(pool(id), blockId(id));
  }

  /** Keeps the volume of a block's replica from going away until closed; null for no replica. */
  FsVolumeReference hold(long id) throws IOException {
    ReplicaInfo replica = replica(id);
    return replica == null ? null : replica.getVolume().obtainReference();
  }

  int volumes() {
    return roots.size();
  }

  /** The directory of a block's pool on a volume. */
  File poolDirectory(int volume, long id) {
    return new File(roots.get(volume), "current/" + pool(id));
  }

  /** Index of a volume, -1 when it is none of ours. */
  int indexOf(FsVolumeSpi volume) {
    File root = new File(volume.getStorageLocation().getUri());
    return roots.indexOf(root);
  }

  /** The live volume of an index. */
  FsVolumeSpi volume(int index) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (indexOf(volume) == index) {
          return volume;
        }
      }
    }
    throw new IOException("no volume " + index);
  }

  /** Takes a volume away as an operator does ({@code dfsadmin -reconfig}), with all its blocks. */
  void removeVolume(int index) throws ReconfigurationException {
    List<String> rest = new ArrayList<>(names);
    rest.remove(index);
    reconfigure(rest);
  }

  /** Breaks the disk of a volume, and lets the DataNode find that out. */
  void failVolume(int index) throws IOException {
    DataNode dataNode = cluster.getDataNodes().get(0);
    FsVolumeSpi volume = volume(index);
    breakDisk(roots.get(index));
    long start = System.nanoTime();
    long deadline = start + TimeUnit.MINUTES.toNanos(3);
    long nextCheck = start;
    while (isThere(index) || isConfigured(dataNode, index)) {
      if (System.nanoTime() - nextCheck >= 0 && isThere(index)) {
        // Not once: one that is under way already, since some call failed, may have looked before.
        dataNode.checkDiskErrorAsync(volume);
        nextCheck += TimeUnit.SECONDS.toNanos(1);
      }
      if (System.nanoTime() - deadline > 0) {
        String how = isThere(index) ? " is in use, " : " is gone, ";
        int held = ((FsVolumeImpl) volume).getReferenceCount();
        throw new IllegalStateException("STALL: the failed " + volume + how + held + " references");
      }
      Await.pauseUninterruptibly(BETWEEN_LOOKS);
    }
    awaitChecks(dataNode, deadline);
  }

  /** Moves the directory of a volume away and puts a file in its place. */
  private static void breakDisk(File root) throws IOException {
    try {
      DataNodeTestUtils.injectDataDirFailure(root);
    } catch (IOException e) {
      if (!new File(root.getPath() + ".origin").isDirectory()) {
        throw e;
      }
      boolean done = root.isFile();
      for (int attempt = 0; !done && attempt < 100; attempt++) {
        FileUtil.fullyDelete(root); // a call under way has made directories there in between
        try {
          done = root.createNewFile();
        } catch (IOException again) {
          e.addSuppressed(again);
        }
      }
      if (!done) {
        throw e;
      }
    }
  }

  private boolean isConfigured(DataNode dataNode, int index) {
    return dataNode.getConf().get(DIRS).contains(roots.get(index).getPath());
  }

  /**
   * Waits for the checks of a failed volume. Failed calls have checks of their own; each that finds
   * the disk broken looks every 5 s whether the volume is still used ({@code
   * FsVolumeList#waitVolumeRemoved}) and then removes what stands at its location by that time,
   * also a volume that was put back meanwhile, with its blocks ({@code
   * DataNode#handleVolumeFailures}). None of them is missed here: a volume that is gone is not
   * checked again, and all references to it were given back, a check's own one inside the task that
   * is waited for.
   */
  private static void awaitChecks(DataNode dataNode, long deadline) {
    ThreadPoolExecutor results;
    try {
      Object checker = field(DataNode.class, "volumeChecker").get(dataNode);
      String name = "checkVolumeResultHandlerExecutorService";
      results = (ThreadPoolExecutor) field(DatasetVolumeChecker.class, name).get(checker);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    while (results.getActiveCount() > 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("STALL: checks of a failed volume do not end");
      }
      Await.pauseUninterruptibly(BETWEEN_LOOKS);
    }
  }

  private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private boolean isThere(int index) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (indexOf(volume) == index) {
          return true;
        }
      }
      return false;
    }
  }

  /** Nothing is left of the blocks a volume had that was removed or failed. */
  void emptyVolume(int index) throws IOException {
    DataNodeTestUtils.restoreDataDirFromFailure(roots.get(index));
    FileUtil.fullyDeleteContents(roots.get(index));
  }

  /** Puts an empty disk where {@link #removeVolume} or {@link #failVolume} took one away. */
  void returnVolume(int index) throws IOException, ReconfigurationException {
    emptyVolume(index);
    reconfigure(names);
    if (!isThere(index)) {
      throw new IllegalStateException("volume " + index + " did not come back");
    }
    slowDown();
  }

  private void reconfigure(List<String> directories) throws ReconfigurationException {
    cluster.getDataNodes().get(0).reconfigurePropertyImpl(DIRS, String.join(",", directories));
  }

  /**
   * Waits until all deletions ordered so far have ended; answers false after 30 s. The dataset's
   * count of them would not do: {@link AsyncDeletions}.
   */
  boolean awaitDeletions() {
    try {
      return AsyncDeletions.await(dataset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
