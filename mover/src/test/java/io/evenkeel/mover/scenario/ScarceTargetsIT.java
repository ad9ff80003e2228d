package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stock's scenarios in which targets are few, full, leaving or badly placed. */
@Timeout(240)
class ScarceTargetsIT {
  private static Scene sevenNodes;

  @TempDir private Path dir;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    sevenNodes = Scene.of(MoverCluster.conf(dir), DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE, SSD);
  }

  @AfterAll
  static void stop() {
    sevenNodes.close();
  }

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
    try (Scene scene = Scene.of(conf(), DISK)) {
      scene.cluster().write("/d/f", B, 1);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.NO_TARGET)).isEqualTo(1);
      assertThat(reason(report)).contains("no live DataNode has ARCHIVE");
      // the policy's fallback is for writing; a mover asks for what the policy names
      scene.policy("/d", "ONE_SSD");
      assertThat(reason(scene.move("/d"))).contains("no live DataNode has SSD");
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK"));
    }
  }

  @Test
  void fewerDataNodesOfTheTypeThanReplicas_partial() throws Exception {
    Scene scene = sevenNodes;
    byte[] data = scene.cluster().write("/fewer/f", 2 * B, 3);
    DataNodeProperties stopped = stop(with(ARCHIVE).get(0));
    try {
      scene.policy("/fewer", "COLD");

      MoveReport report = scene.move("/fewer");

      assertThat(report.files(FileOutcome.PARTIAL)).as(report.listed().toString()).isEqualTo(1);
      assertThat(report.counts().remoteReplicas()).isEqualTo(4);
      assertThat(reason(report)).contains("ARCHIVE");
      assertThat(scene.types("/fewer/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "DISK"));
      scene.policy("/fewer", "ONE_SSD");
      assertThat(scene.move("/fewer").files(FileOutcome.MOVED)).isEqualTo(1);
      assertThat(scene.types("/fewer/f")).containsExactly(List.of("DISK", "DISK", "SSD"));
      assertThat(scene.cluster().read("/fewer/f")).isEqualTo(data);
    } finally {
      start(stopped);
    }
  }

  /** The NameNode counts it as dead at once. */
  private static DataNodeProperties stop(DataNode node) throws Exception {
    MiniDFSCluster mini = sevenNodes.cluster().mini();
    DataNodeProperties stopped = mini.stopDataNode(node.getDatanodeId().getXferAddr());
    mini.setDataNodeDead(stopped.getDatanode().getDatanodeId());
    Await.until( // one that a test before started again may come in just now
        "six are live",
        () -> sevenNodes.fs().getDataNodeStats(DatanodeReportType.LIVE).length == 6);
    return stopped;
  }

  private static void start(DataNodeProperties stopped) throws Exception {
    MiniDFSCluster mini = sevenNodes.cluster().mini();
    assertThat(mini.restartDataNode(stopped, true)).isTrue();
    mini.waitActive();
  }

  @Test
  void noRoomOnTheType_saidAndNothingMoved() throws Exception {
    long big = 64L << 20;
    StorageType[] types = {DISK, SSD, ARCHIVE};
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf())
            .numDataNodes(1)
            .storagesPerDatanode(3)
            .storageTypes(types)
            .storageCapacities(new long[] {big, B / 2, B / 2})
            .build();
    mini.waitActive();
    try (Scene scene = new Scene(MoverCluster.of(mini))) {
      byte[] data = scene.cluster().write("/d/f", 2 * B, 1);
      for (String policy : List.of("ALL_SSD", "COLD")) {
        scene.policy("/d", policy);

        MoveReport report = scene.move("/d");

        assertThat(report.files(FileOutcome.NO_TARGET)).as(report.toString()).isEqualTo(1);
        assertThat(reason(report)).contains(policy.equals("COLD") ? "ARCHIVE" : "SSD");
        assertThat(reason(report)).containsPattern("space|room|full");
      }
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK"));
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);
    }
  }

  /** Which of the DataNodes have a volume of that type. */
  private static List<DataNode> with(StorageType type) throws IOException {
    List<DataNode> with = new ArrayList<>();
    for (DataNode node : sevenNodes.cluster().mini().getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        if (volumes.get(0).getStorageType() == type) {
          with.add(node);
        }
      }
    }
    return with;
  }

  @Test
  void leavingDataNode_isNoTarget() throws Exception {
    Scene scene = sevenNodes;
    DatanodeManager nodes =
        scene.cluster().mini().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor leaving = nodes.getDatanode(with(ARCHIVE).get(0).getDatanodeUuid());
    scene.cluster().write("/leaving/f", 2 * B, 3);
    scene.policy("/leaving", "COLD");
    leaving.startDecommission();
    try {
      MoveReport report = scene.move("/leaving");

      assertThat(report.files(FileOutcome.PARTIAL)).as(report.listed().toString()).isEqualTo(1);
      for (BlockView block : scene.blocks("/leaving/f")) {
        assertThat(block.replicas())
            .extracting(Replica::node)
            .doesNotContain(leaving.getDatanodeUuid());
      }
    } finally {
      leaving.stopDecommission();
    }
    assertThat(scene.move("/leaving").files(FileOutcome.MOVED)).isEqualTo(1);
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
      types[i] = new StorageType[] {i < 3 ? DISK : ARCHIVE};
    }
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(racks.length)
            .racks(racks)
            .storagesPerDatanode(1)
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

  /**
   * Two DataNodes with the type are in one upgrade domain. Of a block with replicas on both the
   * NameNode deletes neither the replica that was to go nor any other.
   */
  @Test
  void upgradeDomains_notTwoReplicasInOne() throws Exception {
    Configuration conf = conf();
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain");
    String[] domains = {"a", "b", "c", "a", "a", "b", "c"};
    try (Scene scene = Scene.of(conf, DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE, ARCHIVE)) {
      MiniDFSCluster mini = scene.cluster().mini();
      DatanodeManager nodes = mini.getNamesystem().getBlockManager().getDatanodeManager();
      for (int i = 0; i < domains.length; i++) {
        String uuid = mini.getDataNodes().get(i).getDatanodeUuid();
        nodes.getDatanode(uuid).setUpgradeDomain(domains[i]);
      }
      for (String directory : List.of("/ours", "/stock")) {
        scene.cluster().write(directory + "/f", 4 * B, 3);
        scene.policy(directory, "COLD");
      }

      MoveReport report = scene.move("/ours");
      int stock =
          ToolRunner.run(scene.cluster().conf(), new Mover.Cli(), new String[] {"-p", "/stock"});

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      assertThat(stock).isZero();
      for (String file : List.of("/ours/f", "/stock/f")) {
        for (BlockView block : scene.blocks(file)) {
          assertThat(block.replicas()).extracting(Replica::type).containsOnly("ARCHIVE");
          assertThat(block.replicas())
              .extracting(replica -> nodes.getDatanode(replica.node()).getUpgradeDomain())
              .containsExactlyInAnyOrder("a", "b", "c");
        }
      }
    }
  }

  @Test
  void deadDataNode_whatIsLeftIsMoved() throws Exception {
    Scene scene = sevenNodes;
    byte[] data = scene.cluster().write("/dead/f", B, 3);
    DataNodeProperties stopped = stop(with(DISK).get(0));
    try {
      scene.policy("/dead", "COLD");

      MoveReport report = scene.move("/dead");

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      // the NameNode may have made the third anew meanwhile
      assertThat(scene.types("/dead/f").get(0)).hasSizeBetween(2, 3).containsOnly("ARCHIVE");
      assertThat(scene.cluster().read("/dead/f")).isEqualTo(data);
    } finally {
      start(stopped);
    }
  }

  @Test
  void silentlyCorruptReplica_isNotCopiedAndMadeAnewFromAGoodOne() throws Exception {
    Scene scene = sevenNodes;
    byte[] data = scene.cluster().write("/corrupt/f", B, 3);
    ExtendedBlock block = DFSTestUtil.getFirstBlock(scene.fs(), path("/corrupt/f"));
    Files.write(file(with(DISK).get(1), block), new byte[B]);
    scene.policy("/corrupt", "COLD");

    MoveReport report = scene.move("/corrupt");

    Await.until(
        "three replicas, all on ARCHIVE",
        () -> scene.types("/corrupt/f").equals(List.of(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"))));
    for (DataNode node : with(ARCHIVE)) {
      assertThat(file(node, block)).hasBinaryContent(data);
    }
    assertThat(scene.cluster().read("/corrupt/f")).isEqualTo(data);
    assertThat(report.fileCount()).isEqualTo(1);
  }

  private static Path file(DataNode node, ExtendedBlock block) {
    MiniDFSCluster mini = sevenNodes.cluster().mini();
    return mini.getBlockFile(mini.getDataNodes().indexOf(node), block).toPath();
  }
}
