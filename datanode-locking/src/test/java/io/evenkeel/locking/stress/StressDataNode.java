package io.evenkeel.locking.stress;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.metrics.FSDatasetMBean;

/** One DataNode with two DISK and two SSD volumes, whose dataset is driven directly. */
final class StressDataNode implements AutoCloseable {
  /** Storage types by the index a {@link Step} uses. */
  static final StorageType[] TYPES = {StorageType.DISK, StorageType.SSD};

  /** Index into {@link #TYPES} of each volume. */
  static final int[] TYPE_OF_VOLUME = {0, 0, 1, 1};

  private final MiniDFSCluster cluster;
  private final List<File> roots = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final SlowDisks disks = new SlowDisks();
  private final FsDatasetSpi<?> dataset;
  private final String pool;

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
    conf.set("dfs.datanode.data.dir", String.join(",", names));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.set("dfs.datanode.directoryscan.interval", "-1");
    conf.set("dfs.datanode.scan.period.hours", "-1");
    conf.set("dfs.datanode.xceiver.stop.timeout.millis", "4000");
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    dataset = cluster.getDataNodes().get(0).getFSDataset();
    pool = cluster.getNamesystem().getBlockPoolId();
    // The NameNode knows none of these blocks and would have moved ones deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cluster.getDataNodes().get(0), true);
    slowDown();
  }

  private void slowDown() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
        hook.setAccessible(true);
        hook.set(volume.getFileIoProvider(), disks);
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
    return new ExtendedBlock(pool, id, length, gs);
  }

  String pool() {
    return pool;
  }

  int volumes() {
    return roots.size();
  }

  /** The directory of the block pool on a volume. */
  File poolDirectory(int volume) {
    return new File(roots.get(volume), "current/" + pool);
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

  /** Puts an empty disk where {@link #removeVolume} took one away. */
  void returnVolume(int index) throws ReconfigurationException {
    FileUtil.fullyDeleteContents(roots.get(index));
    reconfigure(names);
  }

  private void reconfigure(List<String> directories) throws ReconfigurationException {
    cluster
        .getDataNodes()
        .get(0)
        .reconfigurePropertyImpl("dfs.datanode.data.dir", String.join(",", directories));
  }

  /** Waits until no deletion is under way; answers false after 30 s. */
  boolean awaitDeletions() {
    FSDatasetMBean bean = (FSDatasetMBean) dataset;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (bean.getPendingAsyncDeletions() > 0) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(200_000);
    }
    return true;
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
