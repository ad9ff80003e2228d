package io.evenkeel.bench.jmh;

import io.evenkeel.bench.runtime.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** The volumes of a DataNode in this JVM. Confined to one thread. */
final class RealVolumes implements AutoCloseable {
  private final Path dir;
  private final MiniDFSCluster cluster;

  private RealVolumes(Path dir, MiniDFSCluster cluster) {
    this.dir = dir;
    this.cluster = cluster;
  }

  /** Starts a NameNode and a DataNode with so many DISK volumes. */
  static RealVolumes start(int count) throws IOException {
    Path dir = Files.createTempDirectory("volumes");
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    List<String> dirs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dirs.add(Files.createDirectory(dir.resolve("volume" + i)).toUri().toString());
    }
    conf.set("dfs.datanode.data.dir", String.join(",", dirs));
    conf.set("dfs.datanode.data.dir.perm", "755");
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    return new RealVolumes(dir, cluster);
  }

  List<FsVolumeSpi> list() throws IOException {
    List<FsVolumeSpi> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences references =
        cluster.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
      references.forEach(found::add);
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    Trees.delete(dir);
  }
}
