package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.InternalDataNodeTestUtils;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stock's scenarios in which targets are few, full, pinned, leaving or badly placed. */
@Timeout(240)
class ScarceTargetsIT {
  @TempDir private Path dir;

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private Configuration conf() {
    return MoverCluster.conf(dir);
  }

  private static String reason(MoveReport report) {
    return report.listed().get(0).reason();
  }

  @Test
  void noDataNodeHasTheType_noTargetNamesIt() throws Exception {
    try (Scene scene = Scene.of(conf(), DISK, DISK, DISK)) {
      scene.cluster().write("/d/f", B, 3);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.NO_TARGET)).isEqualTo(1);
      assertThat(reason(report)).contains("no live DataNode has ARCHIVE");
      // the policy's fallback is for writing; a mover asks for what the policy names
      scene.policy("/d", "ONE_SSD");
      assertThat(reason(scene.move("/d"))).contains("no live DataNode has SSD");
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
    }
  }

  @Test
  void fewerDataNodesOfTheTypeThanReplicas_partial() throws Exception {
    try (Scene scene = Scene.of(conf(), DISK, DISK, DISK, ARCHIVE, ARCHIVE, SSD)) {
      byte[] data = scene.cluster().write("/d/f", 2 * B, 3);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.PARTIAL)).as(report.listed().toString()).isEqualTo(1);
      assertThat(report.counts().remoteReplicas()).isEqualTo(4);
      assertThat(reason(report)).contains("ARCHIVE");
      assertThat(scene.types("/d/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "DISK"));
      scene.policy("/d", "ONE_SSD");
      assertThat(scene.move("/d").files(FileOutcome.MOVED)).isEqualTo(1);
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK", "DISK", "SSD"));
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
    }
  }

  @Test
  void noRoomOnTheType_saidAndNothingMoved() throws Exception {
    long big = 64L << 20;
    StorageType[] types = {DISK, SSD, ARCHIVE};
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf())
            .numDataNodes(3)
            .storagesPerDatanode(3)
            .storageTypes(types)
            .storageCapacities(new long[] {big, B / 2, B / 2})
            .build();
    mini.waitActive();
    try (Scene scene = new Scene(MoverCluster.of(mini))) {
      byte[] data = scene.cluster().write("/d/f", 2 * B, 3);
      for (String policy : List.of("ALL_SSD", "COLD")) {
        scene.policy("/d", policy);

        MoveReport report = scene.move("/d");

        assertThat(report.files(FileOutcome.NO_TARGET)).as(report.toString()).isEqualTo(1);
        assertThat(reason(report)).contains(policy.equals("COLD") ? "ARCHIVE" : "SSD");
        assertThat(reason(report)).containsPattern("space|room|full");
      }
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
    }
  }

  @Test
  void pinnedReplicas_reportedAsPinned() throws Exception {
    assumeFalse(
        VersionInfo.getVersion().startsWith("3.1."),
        "Hadoop's helper needs Mockito 1; PinnedIT runs there");
    try (Scene scene = Scene.of(conf(), DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE)) {
      scene.cluster().write("/d/f", B, 3);
      for (DataNode node : scene.cluster().mini().getDataNodes()) {
        InternalDataNodeTestUtils.mockDatanodeBlkPinning(node, true);
      }
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.PINNED)).as(report.listed().toString()).isEqualTo(1);
      assertThat(reason(report)).contains("3 replicas are pinned");
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
    }
  }

  @Test
  void leavingDataNode_isNoTarget() throws Exception {
    try (Scene scene = Scene.of(conf(), DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE)) {
      DatanodeManager nodes =
          scene.cluster().mini().getNamesystem().getBlockManager().getDatanodeManager();
      DatanodeDescriptor leaving =
          nodes.getDatanode(scene.cluster().mini().getDataNodes().get(5).getDatanodeUuid());
      scene.cluster().write("/d/f", 2 * B, 3);
      scene.policy("/d", "COLD");
      leaving.startDecommission();

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.PARTIAL)).as(report.listed().toString()).isEqualTo(1);
      for (BlockView block : scene.blocks("/d/f")) {
        assertThat(block.replicas())
            .extracting(Replica::node)
            .doesNotContain(leaving.getDatanodeUuid());
      }
      leaving.stopDecommission();
      assertThat(scene.move("/d").files(FileOutcome.MOVED)).isEqualTo(1);
    }
  }

  @Test
  void nodeGroups_notTwoReplicasInOne() throws Exception {
    Configuration conf = conf();
    conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    conf.set("net.topology.nodegroup.aware", "true");
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup");
    String[] racks = {"/r1/a", "/r1/b", "/r2/c", "/r1/a", "/r1/a", "/r1/b", "/r2/c", "/r2/d"};
    StorageType[][] types = new StorageType[racks.length][];
    for (int i = 0; i < racks.length; i++) {
      StorageType type = i < 3 ? DISK : ARCHIVE;
      types[i] = new StorageType[] {type, type};
    }
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(racks.length)
            .racks(racks)
            .storageTypes(types)
            .build();
    mini.waitActive();
    try (Scene scene = new Scene(MoverCluster.of(mini))) {
      byte[] data = scene.cluster().write("/d/f", 4 * B, 3);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
      DatanodeManager nodes = mini.getNamesystem().getBlockManager().getDatanodeManager();
      for (BlockView block : scene.blocks("/d/f")) {
        Set<String> groups = new HashSet<>();
        for (Replica replica : block.replicas()) {
          assertThat(replica.type()).isEqualTo("ARCHIVE");
          groups.add(nodes.getDatanode(replica.node()).getNetworkLocation());
        }
        assertThat(groups).hasSize(3);
      }
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
    }
  }

  @Test
  void deadDataNode_whatIsLeftIsMoved() throws Exception {
    Configuration conf = conf();
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
    try (Scene scene = Scene.of(conf, DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE)) {
      byte[] data = scene.cluster().write("/d/f", B, 3);
      scene.cluster().mini().stopDataNode(0);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (scene.cluster().fs().getDataNodeStats(DatanodeReportType.LIVE).length > 5) {
        assertThat(System.nanoTime()).as("the NameNode notices").isLessThan(end);
        Thread.sleep(100);
      }
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      // the NameNode may have made the third anew meanwhile
      assertThat(scene.types("/d/f").get(0)).hasSizeBetween(2, 3).containsOnly("ARCHIVE");
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
    }
  }

  @Test
  void silentlyCorruptReplica_isNotCopiedAndMadeAnewFromAGoodOne() throws Exception {
    try (Scene scene = Scene.of(conf(), DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE)) {
      byte[] data = scene.cluster().write("/d/f", B, 3);
      ExtendedBlock block = DFSTestUtil.getFirstBlock(scene.fs(), path("/d/f"));
      Files.write(scene.cluster().mini().getBlockFile(1, block).toPath(), new byte[B]);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      Scene.await(
          "three replicas, all on ARCHIVE",
          () -> scene.types("/d/f").equals(List.of(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"))));
      for (int node = 3; node < 6; node++) { // all that have ARCHIVE
        assertThat(scene.cluster().mini().getBlockFile(node, block)).hasBinaryContent(data);
      }
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
      assertThat(report.fileCount()).isEqualTo(1);
    }
  }
}
