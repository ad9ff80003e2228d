package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.cli.ExitRule;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files written with favored nodes: three DataNodes have DISK and SSD, three ARCHIVE only. */
@Timeout(180)
class PinnedIT {
  private static MiniDFSCluster mini;
  private static Scene scene;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    StorageType[] fast = {DISK, SSD};
    StorageType[] slow = {ARCHIVE, ARCHIVE};
    mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(6)
            .storageTypes(new StorageType[][] {fast, fast, fast, slow, slow, slow})
            .build();
    mini.waitActive();
    scene = new Scene(MoverCluster.of(mini));
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  /** Three replicas, of which so many are on favored nodes: the client has those pinned. */
  private static byte[] write(String file, int favored) throws IOException {
    InetSocketAddress[] nodes = new InetSocketAddress[favored];
    for (int i = 0; i < favored; i++) {
      DatanodeID id = mini.getDataNodes().get(i).getDatanodeId();
      // the client compares names, so no other name of the address may be looked up
      nodes[i] = InetSocketAddress.createUnresolved(id.getHostName(), id.getXferPort());
    }
    byte[] data = new byte[3 * B];
    new Random(favored).nextBytes(data);
    try (OutputStream out =
        scene
            .fs()
            .create(
                new org.apache.hadoop.fs.Path(file),
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) 3,
                B,
                null,
                nodes)) {
      out.write(data);
    }
    return data;
  }

  /** Whether the replicas of the first block are pinned on those of the fast DataNodes. */
  private static List<Boolean> pins(String file) throws IOException {
    ExtendedBlock block =
        DFSTestUtil.getFirstBlock(scene.fs(), new org.apache.hadoop.fs.Path(file));
    List<Boolean> pins = new ArrayList<>();
    for (DataNode node : mini.getDataNodes().subList(0, 3)) {
      pins.add(node.getFSDataset().getPinning(block));
    }
    return pins;
  }

  /** Stock's own move inside a DataNode is a copy of the file without its sticky bit. */
  @Test
  void typeInTheSameDataNode_movedAndHdfsForgetsThePin() throws Exception {
    byte[] data = write("/local/f", 3);
    assertThat(pins("/local/f")).containsExactly(true, true, true);
    scene.policy("/local", "ALL_SSD");

    MoveReport report = scene.move("/local");

    assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
    assertThat(report.counts().localReplicas()).isEqualTo(9);
    assertThat(report.counts().remoteReplicas()).isZero();
    assertThat(pins("/local/f")).containsExactly(false, false, false);
    assertThat(scene.cluster().read("/local/f")).isEqualTo(data);
  }

  @Test
  void typeOnOtherDataNodesOnly_pinnedAndSaid() throws Exception {
    write("/other/f", 3);
    scene.policy("/other", "COLD");

    MoveReport report = scene.move("/other");

    assertThat(report.files(FileOutcome.PINNED)).as(report.listed().toString()).isEqualTo(1);
    assertThat(report.listed().get(0).reason()).contains("3 replicas are pinned");
    assertThat(ExitRule.of(report)).isEqualTo(ExitCode.FINDING);
    assertThat(report.counts().replicas()).isZero();
    assertThat(scene.types("/other/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
    assertThat(pins("/other/f")).containsExactly(true, true, true);
  }

  /** Only the DataNode that sends the bytes looks at the pin, and any holder could send them. */
  @Test
  void oneOfThreeFavored_thatOneStaysAndTheOthersLeave() throws Exception {
    byte[] data = write("/one/f", 1);
    assertThat(pins("/one/f")).containsExactly(true, false, false);
    scene.policy("/one", "COLD");

    MoveReport report = scene.move("/one");

    assertThat(report.files(FileOutcome.PARTIAL)).as(report.listed().toString()).isEqualTo(1);
    assertThat(report.listed().get(0).reason()).contains("1 replica is pinned");
    assertThat(report.counts().remoteReplicas()).isEqualTo(6);
    assertThat(scene.types("/one/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "DISK"));
    String favored = mini.getDataNodes().get(0).getDatanodeUuid();
    for (BlockView block : scene.blocks("/one/f")) {
      assertThat(block.replicas())
          .filteredOn(replica -> replica.type().equals("DISK"))
          .extracting(Replica::node)
          .containsExactly(favored);
    }
    assertThat(scene.cluster().read("/one/f")).isEqualTo(data);
  }
}
