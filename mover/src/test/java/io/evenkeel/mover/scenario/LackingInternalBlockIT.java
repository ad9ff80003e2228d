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
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An erasure coded file of which a DataNode is dead, and no other can take its internal block. */
@Timeout(180)
class LackingInternalBlockIT {
  @Test
  void group_lacksOneOfItsInternalBlocks_theOthersMovedAndItWhenItIsBack(@TempDir Path dir)
      throws Exception {
    try (Scene scene =
        Scene.each(MoverCluster.conf(dir), 3, StorageType.DISK, StorageType.ARCHIVE)) {
      MiniDFSCluster mini = scene.cluster().mini();
      String ec = "XOR-2-1-1024k";
      scene.fs().enableErasureCodingPolicy(ec);
      scene.fs().mkdirs(new org.apache.hadoop.fs.Path("/ec"));
      scene.fs().setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/ec"), ec);
      byte[] data = new byte[(3 << 20) + 17];
      new Random(5).nextBytes(data);
      try (OutputStream out =
          scene
              .fs()
              .create(new org.apache.hadoop.fs.Path("/ec/f"), true, 4096, (short) 1, 4L << 20)) {
        out.write(data);
      }
      scene.policy("/ec", "COLD");
      String lost = mini.getDataNodes().get(1).getDatanodeId().getXferAddr();
      DataNodeProperties stopped = mini.stopDataNode(1);
      mini.setDataNodeDead(stopped.getDatanode().getDatanodeId());

      MoveReport report = scene.move("/ec");

      assertThat(report.listed()).as(lost).hasSize(1);
      assertThat(report.counts().replicas()).as("%s", report.listed()).isEqualTo(groups(scene, 2));
      assertThat(report.files(FileOutcome.MOVED)).as("%s", report.listed()).isEqualTo(1);
      assertThat(report.listed().get(0).reason()).contains("2 of 3 internal blocks");
      assertThat(ExitRule.of(report)).isEqualTo(ExitCode.OK);
      assertThat(scene.types("/ec/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE"));
      assertThat(scene.cluster().read("/ec/f")).isEqualTo(data);

      assertThat(mini.restartDataNode(stopped, true)).isTrue();
      Await.until("it is back", () -> scene.blocks("/ec/f").get(0).replicas().size() == 3);
      assertThat(scene.move("/ec").counts().replicas()).isEqualTo(groups(scene, 1));
      assertThat(scene.types("/ec/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      assertThat(scene.cluster().read("/ec/f")).isEqualTo(data);
    }
  }

  private static long groups(Scene scene, int each) throws Exception {
    return (long) each * scene.blocks("/ec/f").size();
  }
}
