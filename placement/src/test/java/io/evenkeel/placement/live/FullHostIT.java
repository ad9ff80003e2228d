package io.evenkeel.placement.live;

import io.evenkeel.common.testing.Await;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A host is retired while another, n4, has some room left that is none for the blocks there are: it
 * comes to its end, as with stock.
 */
@Tag("slow")
@Timeout(300)
class FullHostIT {
  private static final String KEPT_FREE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static final int MIB = 1 << 20;

  private static Shape shape() {
    return new Shape(2, 2, 2)
        .capacity("n1", 64L * MIB)
        .capacity("n2", 64L * MIB)
        .capacity("n3", 64L * MIB)
        .capacity("n4", MIB / 2)
        .set("dfs.namenode.reconstruction.pending.timeout-sec", 3);
  }

  @Test
  void hostHasRoomForSmallerBlocks_reachesItsEnd() throws Exception {
    try (TestCluster cluster = shape().ours()) {
      for (int i = 0; i < 5; i++) {
        try (OutputStream out =
            cluster.fs().create(new Path("/f" + i), true, 4096, (short) 3, MIB)) {
          out.write(new byte[MIB]);
        }
      }
      retire(cluster);
    }
  }

  /** So full DataNodes get by themselves; they refuse what the NameNode finds room for. */
  @Test
  void hostKeepsItsRestFree_reachesItsEnd() throws Exception {
    try (TestCluster cluster = shape().ours()) {
      cluster.restart(Map.of(KEPT_FREE, String.valueOf(MIB)));
      for (DataNode node : cluster.mini().getDataNodes()) {
        Object policy = field(field(node.getFSDataset(), "volumes"), "blockChooser");
        Assumptions.assumeTrue(policy instanceof Configurable, "needs Hadoop 3.4 or later");
        Configuration conf = new Configuration(node.getConf());
        conf.setLong(KEPT_FREE, MIB);
        ((Configurable) policy).setConf(conf);
      }
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f", 5, Shape.BLOCK);
      retire(cluster);
      files.check();
    }
  }

  private static Object field(Object of, String name) throws Exception {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  private static void retire(TestCluster cluster) throws Exception {
    Await.until(
        "all reported",
        Duration.ofSeconds(30),
        () -> cluster.survey().notExact() == 0,
        cluster::survey);
    cluster.admin("n2", AdminStates.DECOMMISSIONED);
    Await.until(
        "n2 is decommissioned",
        Duration.ofSeconds(90),
        () -> cluster.in("n2", AdminStates.DECOMMISSIONED),
        cluster::survey);
    Settled.value("copies", 3, cluster::copies);
  }
}
