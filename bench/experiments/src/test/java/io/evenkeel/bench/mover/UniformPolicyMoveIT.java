package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.placement.UniformBlockPlacementPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The mover under our placement policy, which is in a module of its own. */
@Timeout(240)
class UniformPolicyMoveIT {
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 8;
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/d/f");

  /** The first three have DISK, the others ARCHIVE, in more places than a block has replicas. */
  private static final String[] RACKS = {
    "/r1/a", "/r1/b", "/r2/c", "/r1/a", "/r1/a", "/r1/b", "/r2/c", "/r2/d"
  };

  private static Configuration conf(Path dir) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.set("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    conf.set("dfs.block.replicator.classname", UniformBlockPlacementPolicy.class.getName());
    return conf;
  }

  private static MiniDFSCluster start(Configuration conf) throws IOException {
    StorageType[][] types = new StorageType[RACKS.length][1];
    for (int i = 0; i < RACKS.length; i++) {
      Arrays.fill(types[i], i < 3 ? StorageType.DISK : StorageType.ARCHIVE);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(RACKS.length)
            .racks(RACKS)
            .storagesPerDatanode(1)
            .storageTypes(types)
            .build();
    cluster.waitActive();
    return cluster;
  }

  @Test
  void nodeGroups_notTwoReplicasInOne(@TempDir Path dir) throws Exception {
    byte[] data = new byte[BLOCKS * BLOCK - 7];
    new Random(1).nextBytes(data);
    try (MiniDFSCluster cluster = start(conf(dir))) {
      DistributedFileSystem fs = cluster.getFileSystem();
      assertThat(cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy())
          .isInstanceOf(UniformBlockPlacementPolicy.class);
      try (FSDataOutputStream out = fs.create(FILE, (short) 3)) {
        out.write(data);
      }
      await("written", fs, "DISK");
      fs.setStoragePolicy(FILE.getParent(), "COLD");

      MoveReport report;
      try (FileMover mover = FileMover.open(new Configuration(cluster.getConfiguration(0)))) {
        report = mover.move(FILE.getParent()).get(120, TimeUnit.SECONDS);
      }

      assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
      assertThat(report.counts().remoteReplicas()).isEqualTo(3L * BLOCKS);
      await("moved", fs, "ARCHIVE");
      for (BlockLocation block : fs.getFileBlockLocations(FILE, 0, data.length)) {
        assertThat(places(block)).as("node groups of %s", block).hasSize(3);
      }
      try (FSDataInputStream in = fs.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
    }
  }

  /** The node groups, each with its rack, of the replicas of a block. */
  private static Set<String> places(BlockLocation block) throws IOException {
    Set<String> places = new HashSet<>();
    for (String path : block.getTopologyPaths()) {
      places.add(path.substring(0, path.lastIndexOf('/')));
    }
    return places;
  }

  /** Waits until the NameNode says that each block has three replicas, all on that type. */
  private static void await(String what, DistributedFileSystem fs, String type) throws Exception {
    StorageType[] wanted = new StorageType[3];
    Arrays.fill(wanted, StorageType.valueOf(type));
    Await.until(what, () -> types(fs).stream().allMatch(types -> Arrays.equals(types, wanted)));
  }

  private static List<StorageType[]> types(DistributedFileSystem fs) throws IOException {
    List<StorageType[]> seen = new ArrayList<>();
    for (BlockLocation block : fs.getFileBlockLocations(FILE, 0, Long.MAX_VALUE)) {
      seen.add(block.getStorageTypes());
    }
    return seen;
  }
}
