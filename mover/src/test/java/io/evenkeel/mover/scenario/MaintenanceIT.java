package io.evenkeel.mover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.cli.ExitRule;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode in maintenance holds a replica the NameNode does not show; it comes back on the wrong
 * storage type, so a file that has one is not satisfied before.
 */
@Timeout(180)
class MaintenanceIT {
  private static final String FILE = "/d/f";

  @Test
  void dataNodeThatRuns_pendingUntilItsReplicaIsBackAndMoved(@TempDir Path dir) throws Exception {
    check(dir, false, false);
  }

  @Test
  @Tag("slow") // differs in what the NameNode is asked only
  void dataNodeThatIsStopped_pendingUntilItsReplicaIsBackAndMoved(@TempDir Path dir)
      throws Exception {
    check(dir, false, true);
  }

  /** Stock 3.4.3 takes one internal block for another there (HDFS-17599). */
  @Test
  @Tag("slow") // the same by another path
  void erasureCoded_pendingUntilTheInternalBlockIsBackAndMoved(@TempDir Path dir) throws Exception {
    check(dir, true, false);
  }

  private static void check(Path dir, boolean striped, boolean stopped) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.namenode.decommission.interval", 1);
    try (Scene scene = Scene.each(conf, 5, StorageType.DISK, StorageType.ARCHIVE)) {
      byte[] data = write(scene, striped);
      scene.policy("/d", "COLD");
      MiniDFSCluster mini = scene.cluster().mini();
      String holder = scene.blocks(FILE).get(0).replicas().get(0).node();
      DatanodeDescriptor node = descriptor(mini, holder);
      admin(mini).startMaintenance(node, Long.MAX_VALUE);
      Await.until("it is in maintenance", node::isInMaintenance);
      DataNodeProperties down = null;
      if (stopped) {
        down = mini.stopDataNode(node.getXferAddr());
        mini.setDataNodeDead(node);
        Await.until(
            "it is dead", () -> scene.fs().getDataNodeStats(DatanodeReportType.DEAD).length == 1);
      }
      Await.until("it is not shown", () -> scene.blocks(FILE).get(0).replicas().size() == 2);

      MoveReport report = scene.move("/d");

      assertThat(report.counts().replicas()).as("%s", report.listed()).isEqualTo(2);
      assertThat(report.files()).isEqualTo(Map.of(FileOutcome.PARTIAL, 1L));
      assertThat(report.listed().get(0).reason())
          .contains(striped ? "2 of 3 internal blocks" : "2 replicas of 3")
          .contains("DataNodes are in maintenance");
      assertThat(ExitRule.of(report)).isEqualTo(ExitCode.FINDING);
      assertThat(scene.move("/d").files()).isEqualTo(Map.of(FileOutcome.PENDING_REPLICATION, 1L));
      assertThat(scene.cluster().read(FILE)).isEqualTo(data);

      if (down != null) {
        mini.restartDataNode(down, true);
        mini.waitActive();
      }
      admin(mini).stopMaintenance(descriptor(mini, holder));
      Await.until("it is shown again", () -> scene.blocks(FILE).get(0).replicas().size() == 3);
      assertThat(scene.move("/d").files()).isEqualTo(Map.of(FileOutcome.MOVED, 1L));
      assertThat(scene.types(FILE)).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      assertThat(scene.cluster().read(FILE)).isEqualTo(data);
    }
  }

  private static byte[] write(Scene scene, boolean striped) throws Exception {
    if (!striped) {
      return scene.cluster().write(FILE, 1000, 3);
    }
    String policy = "XOR-2-1-1024k";
    scene.fs().enableErasureCodingPolicy(policy);
    scene.fs().mkdirs(new org.apache.hadoop.fs.Path("/d"));
    scene.fs().setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/d"), policy);
    byte[] data = new byte[2 << 20];
    new Random(3).nextBytes(data);
    try (OutputStream out =
        scene.fs().create(new org.apache.hadoop.fs.Path(FILE), true, 4096, (short) 1, 4L << 20)) {
      out.write(data);
    }
    return data;
  }

  private static DatanodeDescriptor descriptor(MiniDFSCluster mini, String uuid) {
    return mini.getNamesystem().getBlockManager().getDatanodeManager().getDatanode(uuid);
  }

  private static DatanodeAdminManager admin(MiniDFSCluster mini) {
    return mini.getNamesystem().getBlockManager().getDatanodeManager().getDatanodeAdminManager();
  }
}
