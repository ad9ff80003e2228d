package io.evenkeel.locking;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.apache.hadoop.util.Time;

/**
 * A DataNode with two SSD and two DISK volumes, for tests that ask its dataset. Those started with
 * {@link #start} share a NameNode, which is most of what a cluster costs: it has no part in such a
 * test, and never orders a DataNode to delete the blocks it does not know.
 */
public final class OneDataNode implements AutoCloseable {
  /** The key of the directories. */
  public static final String DIRS = "dfs.datanode.data.dir";

  // Runs until the JVM ends; guarded by the class.
  private static MiniDFSCluster shared;

  private final MiniDFSCluster cluster;
  private final DataNode node;

  private OneDataNode(MiniDFSCluster cluster) {
    this.cluster = cluster;
    this.node = cluster.getDataNodes().get(cluster.getDataNodes().size() - 1);
  }

  /** Ours or stock's dataset, no background scans. */
  public static Configuration conf(boolean ours) {
    Configuration conf = new HdfsConfiguration();
    if (ours) {
      conf.set("dfs.datanode.fsdataset.factory", FineGrainedDatasetFactory.class.getName());
    }
    conf.setInt("dfs.datanode.directoryscan.interval", -1);
    conf.setInt("dfs.datanode.scan.period.hours", -1);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.blocksize", 1 << 20);
    return conf;
  }

  /** Starts it below {@code dir}, with two volumes of SSD and two of DISK. */
  public static OneDataNode start(Path dir, Configuration conf) throws IOException {
    return start(dir, conf, StorageType.SSD, StorageType.SSD, StorageType.DISK, StorageType.DISK);
  }

  /** Starts it below {@code dir}, with a volume of each of these types. */
  static OneDataNode start(Path dir, Configuration conf, StorageType... types) throws IOException {
    List<String> volumes = new ArrayList<>();
    for (StorageType type : types) {
      Path volume = dir.resolve("volume" + volumes.size());
      volumes.add("[" + type + "]" + volume.toUri());
      Files.createDirectories(volume);
    }
    conf.set(DIRS, String.join(",", volumes));
    synchronized (OneDataNode.class) {
      MiniDFSCluster cluster = shared();
      conf.set(FileSystem.FS_DEFAULT_NAME_KEY, cluster.getURI().toString());
      cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
      return new OneDataNode(cluster);
    }
  }

  private static MiniDFSCluster shared() throws IOException {
    if (shared == null) {
      Path base = Path.of(System.getProperty("test.build.data", "target/data")).toAbsolutePath();
      Path own = Files.createTempDirectory(Files.createDirectories(base), "shared");
      Configuration conf = conf(false);
      conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
      conf.setLong("dfs.namenode.startup.delay.block.deletion.sec", 86_400);
      shared = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    }
    return shared;
  }

  /** Starts it with a NameNode of its own, for tests that use files. */
  static OneDataNode startWithNameNode(Path dir, Configuration conf) throws IOException {
    StorageType[] types = {StorageType.SSD, StorageType.SSD, StorageType.DISK, StorageType.DISK};
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(1)
            .storagesPerDatanode(types.length)
            .storageTypes(types)
            .build();
    cluster.waitActive();
    return new OneDataNode(cluster);
  }

  /** The cluster of a DataNode with a NameNode of its own. */
  public MiniDFSCluster cluster() {
    return cluster;
  }

  public DataNode node() {
    return node;
  }

  public FsDatasetSpi<?> dataset() {
    return node().getFSDataset();
  }

  public String pool() {
    return cluster.getNamesystem().getBlockPoolId();
  }

  public DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }

  /** The operations of our dataset. */
  public Operations operations() {
    return locks().operations();
  }

  /** The lock manager of our dataset. */
  public BlockLockManager locks() {
    return (BlockLockManager) node().getDataSetLockManager();
  }

  /** The DataNode's directories but that of a volume, as its key takes them. */
  public String directoriesWithout(FsVolumeSpi volume) {
    return Arrays.stream(node().getConf().get(DIRS).split(","))
        .filter(each -> !each.contains(new File(volume.getBaseURI()).getPath()))
        .collect(Collectors.joining(","));
  }

  /** Adds and removes volumes, by a thread of its own. */
  Calls<?> setDirectories(String directories) {
    return Calls.start(
        "directories",
        () -> {
          node().reconfigurePropertyImpl(DIRS, directories);
          return null;
        });
  }

  /**
   * The exception the removal of a volume ended with, null for none. Stock looks every five seconds
   * whether the volume is still used; here as soon as it waits.
   */
  Throwable failureOfRemoval(Calls<?> removal) throws Exception {
    while (!removal.isDone()) {
      Volumes.haveRemovalsLook(dataset());
      Await.pause(20);
    }
    return removal.failure();
  }

  @Override
  public void close() {
    synchronized (OneDataNode.class) {
      if (cluster == shared) {
        cluster.stopDataNode(cluster.getDataNodes().indexOf(node));
        forget();
      } else {
        cluster.shutdown();
      }
    }
  }

  /** Has the shared NameNode take it for dead at once: the next one is waited for by number. */
  private void forget() {
    try {
      cluster
          .getNamesystem()
          .getBlockManager()
          .getDatanodeManager()
          .getDatanode(node.getDatanodeId())
          .setLastUpdateMonotonic(Time.monotonicNow() - TimeUnit.HOURS.toMillis(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
