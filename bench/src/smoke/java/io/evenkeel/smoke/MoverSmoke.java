package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three DataNodes, each with a DISK and an SSD. */
@Timeout(600)
class MoverSmoke {
  private static final int SIZE = 5 * Smoke.BLOCK + 1;

  private MiniDFSCluster cluster;

  @BeforeEach
  void start() throws Exception {
    StorageType[] types = {StorageType.DISK, StorageType.SSD};
    cluster =
        new MiniDFSCluster.Builder(Smoke.conf("mover"))
            .numDataNodes(3)
            .storagesPerDatanode(types.length)
            .storageTypes(types)
            .build();
    cluster.waitActive();
  }

  @AfterEach
  void stop() {
    cluster.shutdown();
  }

  @Test
  void move_policyChanged_everyReplicaOnTheNewType() throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    Smoke.write(fs, "/d/a", SIZE, 3);
    Smoke.write(fs, "/d/b", SIZE, 2);
    DFSTestUtil.waitReplication(fs, Smoke.path("/d/a"), (short) 3);
    DFSTestUtil.waitReplication(fs, Smoke.path("/d/b"), (short) 2);
    assertReplicas("/d/a", 3, StorageType.DISK);
    fs.setStoragePolicy(Smoke.path("/d"), "ALL_SSD");
    try (FileMover mover = open()) {
      Smoke.assertActive("mover", "io.evenkeel.mover.FileMover");
      MoveReport report = mover.move(Smoke.path("/d")).get(120, TimeUnit.SECONDS);
      assertThat(report.isSatisfied()).as(report.toString()).isTrue();
      assertThat(report.files(FileOutcome.MOVED)).isEqualTo(2);
    }
    assertReplicas("/d/a", 3, StorageType.SSD);
    assertReplicas("/d/b", 2, StorageType.SSD);
    Smoke.assertReads(fs, "/d/a", SIZE);
    Smoke.assertReads(fs, "/d/b", SIZE);
  }

  @Test
  void rename_intoADirectoryOfAnotherPolicy_replicasFollow() throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.mkdirs(Smoke.path("/fast"));
    fs.setStoragePolicy(Smoke.path("/fast"), "ALL_SSD");
    Smoke.write(fs, "/a", SIZE, 3);
    DFSTestUtil.waitReplication(fs, Smoke.path("/a"), (short) 3);
    try (FileMover mover = open()) {
      MoveReport report =
          mover.rename(Smoke.path("/a"), Smoke.path("/fast/a")).get(120, TimeUnit.SECONDS);
      assertThat(report.isSatisfied()).as(report.toString()).isTrue();
    }
    assertThat(fs.exists(Smoke.path("/a"))).isFalse();
    assertReplicas("/fast/a", 3, StorageType.SSD);
  }

  private FileMover open() throws Exception {
    return FileMover.open(new Configuration(cluster.getConfiguration(0)), cluster.getURI(0));
  }

  private void assertReplicas(String name, int replicas, StorageType type) throws Exception {
    List<LocatedBlock> blocks =
        cluster
            .getFileSystem()
            .getClient()
            .getLocatedBlocks(name, 0, Long.MAX_VALUE)
            .getLocatedBlocks();
    assertThat(blocks).hasSize(6);
    for (LocatedBlock block : blocks) {
      assertThat(block.getStorageTypes()).hasSize(replicas).containsOnly(type);
    }
  }
}
