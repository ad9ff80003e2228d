package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.NodeView;
import io.evenkeel.mover.core.plan.NodeView.Use;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.hdfs.HdfsConnection;
import io.evenkeel.mover.hdfs.HdfsNamespace;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four DataNodes have the type that is asked for, and one of them should be given nothing: three
 * others suffice. Five blocks make it sure that one chosen like the others would be chosen.
 */
@Timeout(180)
class PoorTargetsIT {
  private static final List<String> ARCHIVE3 = List.of("ARCHIVE", "ARCHIVE", "ARCHIVE");

  private static Path excluded;
  private static Scene scene;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    excluded = Files.createFile(dir.resolve("exclude"));
    Configuration conf = MoverCluster.conf(dir);
    conf.set("dfs.hosts.exclude", excluded.toString());
    conf.setInt("dfs.namenode.decommission.interval", 1);
    conf.setLong("dfs.namenode.stale.datanode.interval", 3_000);
    scene = Scene.of(conf, DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE, ARCHIVE);
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  private static void write(String directory) throws Exception {
    scene.cluster().write(directory + "/f", 5 * B, 3);
    scene.policy(directory, "COLD");
  }

  private static DataNode node(int index) {
    return scene.cluster().mini().getDataNodes().get(index);
  }

  private static DatanodeInfo reported(DataNode node) throws Exception {
    return Arrays.stream(scene.fs().getDataNodeStats(DatanodeReportType.ALL))
        .filter(info -> info.getDatanodeUuid().equals(node.getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  private static void assertNoneOn(DataNode node, String file) throws Exception {
    for (BlockView block : scene.blocks(file)) {
      assertThat(block.replicas()).extracting(Replica::node).doesNotContain(node.getDatanodeUuid());
    }
  }

  private static void exclude(DataNode... nodes) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (DataNode node : nodes) {
      lines.append(node.getDatanodeId().getXferAddr()).append('\n');
    }
    Files.writeString(excluded, lines);
    scene
        .cluster()
        .mini()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .refreshNodes(scene.cluster().conf());
  }

  /**
   * By the exclude file, as an operator does it, a DataNode with replicas as well: HDFS makes
   * others for those, and never deletes them, also not when it is decommissioned.
   */
  @Test
  void decommissioningDataNodes_getNoneAndTheirReplicasAreNobodysExcess() throws Exception {
    write("/left");
    DataNode target = node(6);
    DataNode holder = node(0);
    exclude(target, holder);
    try {
      Await.until(
          "the NameNode knows", () -> reported(holder).getAdminState() != AdminStates.NORMAL);

      assertThat(scene.move("/left").files(FileOutcome.MOVED)).isEqualTo(1);

      Await.until("the NameNode has made others", () -> reported(holder).isDecommissioned());
      Await.until("types", () -> scene.types("/left/f").equals(List.of(ARCHIVE3)));
      assertNoneOn(target, "/left/f");
      assertNoneOn(holder, "/left/f");
      assertThat(located(holder)).isEqualTo(5);
      assertThat(scene.move("/left").files(FileOutcome.SATISFIED)).isEqualTo(1);
    } finally {
      exclude();
    }
  }

  /** How many blocks of the file the NameNode says it holds. */
  private static long located(DataNode node) throws Exception {
    String address = node.getDatanodeId().getXferAddr();
    return Arrays.stream(
            scene.fs().getFileBlockLocations(new org.apache.hadoop.fs.Path("/left/f"), 0, 5L * B))
        .filter(block -> List.of(assertDoesNotThrow(block::getNames)).contains(address))
        .count();
  }

  /** It is last choice for a client that knows the cluster's interval, without the NameNode. */
  @Test
  void staleDataNode_getsNoneWhileThereAreOthers() throws Exception {
    write("/stale");
    DataNode silent = node(6);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(silent, true);
    try {
      Await.until(
          "it is stale",
          () -> reported(node(5)).getLastUpdate() - reported(silent).getLastUpdate() > 3_000);

      MoveReport report = scene.move("/stale");

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      assertThat(scene.types("/stale/f")).containsExactly(ARCHIVE3);
      assertNoneOn(silent, "/stale/f");
    } finally {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(silent, false);
    }
  }

  /**
   * The NameNode finds a slow DataNode by its address, of which all have one here: so there is just
   * one. The first report is taken without asking who is slow, to keep to few calls.
   */
  @Test
  void slowDataNode_isLastChoiceFromTheSecondReportOn(@TempDir Path dir) throws Exception {
    assumeTrue(
        Arrays.stream(ClientProtocol.class.getMethods())
            .anyMatch(method -> method.getName().equals("getSlowDatanodeReport")),
        "3.1 does not tell");
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
    try (Scene one = Scene.of(conf, DISK);
        HdfsConnection connection = one.cluster().connect()) {
      HdfsNamespace namespace = new HdfsNamespace(connection);
      sayThatItIsSlow(one);

      assertThat(namespace.cluster().nodes()).extracting(NodeView::use).containsOnly(Use.TARGET);
      assertThat(namespace.cluster().nodes())
          .extracting(NodeView::use)
          .containsOnly(Use.LAST_CHOICE);
    }
  }

  /** A report of another DataNode; 3.1 has nothing of what this needs. */
  private static void sayThatItIsSlow(Scene one) throws Exception {
    DatanodeManager nodes =
        one.cluster().mini().getNamesystem().getBlockManager().getDatanodeManager();
    Object tracker = DatanodeManager.class.getMethod("getSlowPeerTracker").invoke(nodes);
    Class<?> latency = Class.forName("org.apache.hadoop.hdfs.server.protocol.OutlierMetrics");
    Class<?> d = Double.class;
    Object bad = latency.getConstructor(d, d, d, d).newInstance(1.0, 1.0, 5.0, 900.0);
    tracker
        .getClass()
        .getMethod("addReport", String.class, String.class, latency)
        .invoke(tracker, "127.0.0.1:1", "127.0.0.1:2", bad);
  }
}
