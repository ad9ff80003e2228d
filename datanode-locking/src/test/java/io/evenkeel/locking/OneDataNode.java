package io.evenkeel.locking;

import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A cluster of one DataNode with two SSD and two DISK volumes, for tests that ask its dataset. */
public final class OneDataNode implements AutoCloseable {
  /** The key of the directories. */
  public static final String DIRS = "dfs.datanode.data.dir";

  private final MiniDFSCluster cluster;

  private OneDataNode(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** Ours or stock's dataset, no background scans. */
  public static Configuration conf(boolean ours) {
    Configuration conf = new HdfsConfiguration();
    if (ours) {
      conf.set("dfs.datanode.fsdataset.factory", FineGrainedDatasetFactory.class.getName());
      conf.setBoolean("evenkeel.locking.check-order", true);
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

  public MiniDFSCluster cluster() {
    return cluster;
  }

  public DataNode node() {
    return cluster.getDataNodes().get(0);
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

  @Override
  public void close() {
    cluster.shutdown();
  }
}
