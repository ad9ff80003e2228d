package io.evenkeel.mover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An internal block is reconstructed on another rack, and its DataNode comes back, on a rack of its
 * own and with the wrong storage type. Of the two stock's NameNode may delete only the one of the
 * rack that has more, and only the one of the wrong type: neither, for good.
 */
@Timeout(180)
class DoubledInternalBlockIT {
  private static final StorageType[] BOTH = {StorageType.DISK, StorageType.SSD};
  private static final StorageType[] SSD = {StorageType.SSD, StorageType.SSD};
  private static final String FILE = "/ec/f";
  private static final String EC = "XOR-2-1-1024k";

  @ParameterizedTest
  @Tag("once")
  @ValueSource(booleans = {true, false})
  void copyOfTheWrongTypeIsAloneOnItsRack_movedInItsDataNodeThenOneCopyGoes(
      boolean ours, @TempDir Path dir) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.blocksize", 4 << 20);
    // One that fails on a busy machine is tried again after that, else after five minutes.
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 5);
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(4)
            .racks(new String[] {"/a", "/b", "/b", "/c"})
            .storagesPerDatanode(2)
            .storageTypes(new StorageType[][] {BOTH, BOTH, SSD, BOTH})
            .build();
    mini.waitActive();
    try (Scene scene = new Scene(MoverCluster.of(mini))) {
      byte[] data = write(scene);
      scene.policy("/ec", "ALL_SSD");
      DataNodeProperties stopped = mini.stopDataNode(3);
      mini.setDataNodeDead(stopped.getDatanode().getDatanodeId());
      String other = mini.getDataNodes().get(2).getDatanodeUuid();
      Await.until("it is reconstructed", () -> holders(scene).contains(other));
      assertThat(scene.move("/ec").files(FileOutcome.MOVED)).isEqualTo(1);
      assertThat(mini.restartDataNode(stopped, true)).isTrue();
      Await.until("both copies are known", () -> holders(scene).size() == 4);

      if (ours) {
        assertThat(scene.move("/ec").listed().toString()).contains("moved");
      } else {
        int code =
            ToolRunner.run(scene.cluster().conf(), new Mover.Cli(), new String[] {"-p", "/ec"});
        assertThat(code).isZero();
        Await.until("one goes", () -> holders(scene).size() == 3);
      }

      assertThat(scene.types(FILE)).containsExactly(List.of("SSD", "SSD", "SSD"));
      assertThat(holders(scene)).as("on three racks").doesNotContain(other);
      assertThat(scene.cluster().read(FILE)).isEqualTo(data);
    }
  }

  private static List<String> holders(Scene scene) throws Exception {
    return scene.blocks(FILE).get(0).replicas().stream().map(r -> r.node()).toList();
  }

  private static byte[] write(Scene scene) throws Exception {
    scene.fs().enableErasureCodingPolicy(EC);
    scene.fs().mkdirs(new org.apache.hadoop.fs.Path("/ec"));
    scene.fs().setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/ec"), EC);
    byte[] data = new byte[(3 << 20) + 17];
    new Random(5).nextBytes(data);
    try (OutputStream out = scene.fs().create(new org.apache.hadoop.fs.Path(FILE))) {
      out.write(data);
    }
    return data;
  }
}
