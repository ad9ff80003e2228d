package io.evenkeel.volume.live;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
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
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/** A NameNode and one DataNode with several DISK volumes and a given policy. Not thread-safe. */
final class LiveDataNode implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;

  private static final Duration THINK_TIME = Duration.ofMillis(50);

  /** Stock's key for bytes that stay free on a volume; one block unless a test sets it. */
  static final String KEPT_FREE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private final Path own;
  private final Configuration conf = new HdfsConfiguration();
  private final MiniDFSCluster cluster;
  private final List<Path> directories;
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
    this(policy, newDirectories(volumes), settings);
  }

  /** As the other one, with volumes in these directories. */
  LiveDataNode(Class<?> policy, List<Path> directories, Map<String, String> settings)
      throws Exception {
    this.directories = directories;
    own = newDirectory();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.replication", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    settings.forEach(conf::set);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    if (policy != null) {
      conf.set("dfs.datanode.fsdataset.volume.choosing.policy", policy.getName());
    }
    // The mini cluster has set it to 0.
    conf.set(KEPT_FREE, settings.getOrDefault(KEPT_FREE, String.valueOf(BLOCK_BYTES)));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.set("dfs.datanode.data.dir", uris(directories));
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    this.volumes = volumes(dataNode());
    this.disk = SlowDisk.in(dataNode());
  }

  /** A directory for the data of tests that no other test uses. */
  static Path newDirectory() throws IOException {
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    return Files.createTempDirectory(base.toAbsolutePath(), "live");
  }

  private static List<Path> newDirectories(int count) throws IOException {
    Path base = newDirectory();
    List<Path> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(Files.createDirectory(base.resolve("volume" + i)));
    }
    return found;
  }

  private static String uris(List<Path> paths) {
    return paths.stream().map(path -> path.toUri().toString()).collect(Collectors.joining(","));
  }

  /** Starts a second DataNode with Hadoop's own policy and one volume of so many bytes. */
  void startSource(long capacity) throws IOException {
    Configuration source = new HdfsConfiguration(conf);
    source.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    source.set("dfs.heartbeat.interval", "1"); // so often it is told what to copy
    source.set("dfs.datanode.data.dir", uris(List.of(Files.createDirectory(own.resolve("other")))));
    cluster.startDataNodes(source, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    for (FsVolumeSpi volume : volumes(cluster.getDataNodes().get(1))) {
      ((FsVolumeImpl) volume).setCapacityForTesting(capacity);
    }
    DataNodeTestUtils.triggerHeartbeat(cluster.getDataNodes().get(1));
  }

  /** Stops the second DataNode. */
  void stopSource() {
    cluster.stopDataNode(1);
  }

  /** Has the NameNode forget the blocks it sent within two heartbeats, not within 20 minutes. */
  void forgetScheduled() throws Exception {
    DatanodeDescriptor node =
        cluster
            .getNameNode()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(dataNode().getDatanodeId());
    Field rolled = DatanodeDescriptor.class.getDeclaredField("lastBlocksScheduledRollTime");
    rolled.setAccessible(true);
    rolled.setLong(node, Long.MIN_VALUE / 2);
  }

  /** Most bytes that a volume in use has room for. */
  long mostRoom() throws IOException {
    long most = 0;
    for (FsVolumeSpi volume : volumes(dataNode())) {
      most = Math.max(most, volume.getAvailable());
    }
    return most;
  }

  /**
   * Removes a volume while the DataNode runs, by the method {@code dfsadmin -reconfig} comes to.
   * Hadoop's {@code reconfigureProperty} would hold the lock of the configuration while it waits
   * for writers, one of which may wait for that lock.
   */
  void remove(int index) throws Exception {
    List<Path> left = new ArrayList<>(directories);
    left.remove(index);
    dataNode().reconfigurePropertyImpl("dfs.datanode.data.dir", uris(left));
  }

  /** Gives the DataNode all volumes of its start again and waits until it offers these files. */
  void restore(Collection<String> files) throws Exception {
    dataNode().reconfigurePropertyImpl("dfs.datanode.data.dir", uris(directories));
    for (String file : files) {
      Await.until(file + " can be read", () -> replicas(file) > 0);
    }
  }

  /** Those of the files that are on both DataNodes. */
  List<String> replicated(Collection<String> files) throws IOException {
    List<String> found = new ArrayList<>();
    for (String file : files) {
      if (replicas(file) > 1) {
        found.add(file);
      }
    }
    return found;
  }

  /** Number of DataNodes with the one block of a file. */
  private int replicas(String file) throws IOException {
    List<LocatedBlock> blocks =
        fs().getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks();
    return blocks.get(0).getLocations().length;
  }

  Path directory(int index) {
    return directories.get(index);
  }

  private static List<FsVolumeSpi> volumes(DataNode node) throws IOException {
    List<FsVolumeSpi> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences references = node.getFSDataset().getFsVolumeReferences()) {
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

  /** Starts writers that go on until {@link Load#stop}, at a pace that leaves a machine idle. */
  Load startLoad(String dir, int writers) throws IOException {
    return startLoadOn(0, dir, writers, Integer.MAX_VALUE, THINK_TIME);
  }

  /** Has so many files written by so many writers and waits for them. */
  Load runLoad(String dir, int writers, int files) throws Exception {
    return runLoadOn(0, dir, writers, files);
  }

  /** As {@link #runLoad}, with blocks on that DataNode as long as it takes them. */
  Load runLoadOn(int dataNode, String dir, int writers, int files) throws Exception {
    Load load = startLoadOn(dataNode, dir, writers, files, Duration.ZERO);
    load.join();
    return load;
  }

  /** Starts writers of so many files with blocks on that DataNode as long as it takes them. */
  Load startLoadOn(int dataNode, String dir, int writers, int files, Duration thinkTime)
      throws IOException {
    InetSocketAddress target = cluster.getDataNodes().get(dataNode).getXferAddress();
    Load load = new Load(fs(), target, dir, writers, files, thinkTime);
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
