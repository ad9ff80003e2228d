package io.evenkeel.volume.live;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A NameNode and one DataNode with several DISK volumes and a given policy. Not thread-safe. */
final class LiveDataNode implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;

  /** Stock's key for bytes that stay free on a volume; one block unless a test sets it. */
  static final String KEPT_FREE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private final Path own;
  private final Configuration conf = new HdfsConfiguration();
  private final MiniDFSCluster cluster;
  private final List<Path> directories = new ArrayList<>();
  private final List<FsVolumeSpi> volumes;
  private final List<Load> loads = new ArrayList<>();
  private final SlowDisk disk;

  /**
   * Starts both.
   *
   * @param policy null for Hadoop's default
   * @param settings further keys
   */
  LiveDataNode(Class<?> policy, int volumes, Map<String, String> settings) throws Exception {
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    own = Files.createTempDirectory(base.toAbsolutePath(), "live");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.replication", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    settings.forEach(conf::set);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    if (policy != null) {
      conf.set("dfs.datanode.fsdataset.volume.choosing.policy", policy.getName());
    }
    conf.setIfUnset(KEPT_FREE, String.valueOf(BLOCK_BYTES));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.set("dfs.datanode.data.dir", dataDirs(volumes));
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    this.volumes = volumes();
    this.disk = SlowDisk.in(dataNode());
  }

  private String dataDirs(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      directories.add(Files.createDirectory(own.resolve("volume" + i)));
    }
    return uris(directories);
  }

  private static String uris(List<Path> paths) {
    return paths.stream().map(path -> path.toUri().toString()).collect(Collectors.joining(","));
  }

  /** Starts a second DataNode with one volume and Hadoop's own policy. */
  void startSource() throws IOException {
    Configuration source = new HdfsConfiguration(conf);
    source.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    source.set("dfs.datanode.data.dir", uris(List.of(Files.createDirectory(own.resolve("other")))));
    cluster.startDataNodes(source, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
  }

  /** Removes a volume while the DataNode runs, as an operator does. */
  void remove(int index) throws Exception {
    List<Path> left = new ArrayList<>(directories);
    left.remove(index);
    dataNode().reconfigureProperty("dfs.datanode.data.dir", uris(left));
  }

  /** Gives the DataNode all volumes of its start again and waits until it offers these files. */
  void restore(Collection<String> files) throws Exception {
    dataNode().reconfigureProperty("dfs.datanode.data.dir", uris(directories));
    for (String file : files) {
      Await.until(
          file + " can be read",
          () ->
              fs().getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
                  .allMatch(block -> block.getLocations().length > 0));
    }
  }

  Path directory(int index) {
    return directories.get(index);
  }

  private List<FsVolumeSpi> volumes() throws IOException {
    List<FsVolumeSpi> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences references =
        dataNode().getFSDataset().getFsVolumeReferences()) {
      references.forEach(found::add);
    }
    return found;
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  DataNode dataNode() {
    return cluster.getDataNodes().get(0);
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** The volumes there were at start, in the DataNode's order. */
  FsVolumeSpi volume(int index) {
    return volumes.get(index);
  }

  SlowDisk disk() {
    return disk;
  }

  /** Number of the files' blocks on each of the volumes there were at start. */
  int[] blocksPerVolume(Collection<String> files) throws IOException {
    int[] counts = new int[volumes.size()];
    for (String file : files) {
      for (LocatedBlock block :
          fs().getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        counts[volumes.indexOf(dataNode().getFSDataset().getVolume(block.getBlock()))]++;
      }
    }
    return counts;
  }

  /** Starts writers that go on until {@link Load#stop}. */
  Load startLoad(String dir, int writers) throws IOException {
    return startLoadOn(0, dir, writers, Integer.MAX_VALUE);
  }

  /** Has so many files written by so many writers and waits for them. */
  Load runLoad(String dir, int writers, int files) throws Exception {
    return runLoadOn(0, dir, writers, files);
  }

  /** As {@link #runLoad}, with blocks on that DataNode as long as it takes them. */
  Load runLoadOn(int dataNode, String dir, int writers, int files) throws Exception {
    Load load = startLoadOn(dataNode, dir, writers, files);
    load.join();
    return load;
  }

  /** Starts writers of so many files with blocks on that DataNode as long as it takes them. */
  Load startLoadOn(int dataNode, String dir, int writers, int files) throws IOException {
    InetSocketAddress target = cluster.getDataNodes().get(dataNode).getXferAddress();
    Load load = new Load(fs(), target, dir, writers, files);
    loads.add(load);
    return load;
  }

  @Override
  public void close() {
    loads.forEach(Load::stop);
    disk.heal();
    cluster.shutdown();
  }
}
