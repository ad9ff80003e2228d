package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RS-3-2: five internal blocks of which any three are enough. */
@Tag("slow")
@Timeout(300)
class StripedClusterIT {
  private static final String CODE = "RS-3-2-1024k";
  private static final int UNITS = 5;
  private static final int PARITY = 2;
  private static final int CELL = 1024 * 1024;

  /** Three full stripes: every group has all of its internal blocks. */
  private static final int SIZE = 9 * CELL;

  private static Shape shape(int racks, int hosts, int vms) {
    return new Shape(racks, hosts, vms)
        .set("dfs.blocksize", 2 * CELL)
        .set("dfs.namenode.safemode.replication.min", 1)
        .set("dfs.namenode.ec.system.default.policy", CODE);
  }

  private static TestFiles striped(TestCluster cluster, int count) throws Exception {
    TestFiles files = written(cluster, count);
    awaitUnits(cluster, "all units reported");
    return files;
  }

  private static TestFiles written(TestCluster cluster, int count) throws Exception {
    cluster.fs().enableErasureCodingPolicy(CODE);
    cluster.fs().setErasureCodingPolicy(new Path("/"), CODE);
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", count, SIZE);
    return files;
  }

  private static void awaitUnits(TestCluster cluster, String what) throws Exception {
    Await.until(
        what, Duration.ofSeconds(120), () -> cluster.survey().without(UNITS) == 0, cluster::survey);
  }

  @Test
  void moreHostsThanUnits_noHostHasTwo_andALostHostIsMadeGood() throws Exception {
    try (TestCluster cluster = shape(2, 3, 2).ours()) {
      TestFiles files = striped(cluster, 10);
      assertThat(cluster.survey().blocks()).isEqualTo(20);
      assertThat(cluster.survey().onOneHost()).isZero();
      lose(cluster, files, "n2");
      assertThat(cluster.survey().onOneHost()).isZero();
      files.check();
    }
  }

  @Test
  void fewerHostsThanUnits_atMostTwoOnAHost_andALostHostIsMadeGood() throws Exception {
    try (TestCluster cluster = shape(1, 4, 2).ours()) {
      TestFiles files = striped(cluster, 8);
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(2).isLessThanOrEqualTo(PARITY);
      lose(cluster, files, "n2");
      // three hosts with two DataNodes each are left
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(2);
      files.check();
    }
  }

  private static void lose(TestCluster cluster, TestFiles files, String host) throws Exception {
    cluster.kill(host);
    files.check(); // from the units left
    Await.until(
        "the loss is seen", Duration.ofSeconds(60), () -> cluster.dead() == 2, cluster::dead);
    awaitUnits(cluster, "reconstruction ends");
    assertThat(Tools.fsck(cluster.clientConf(), "/")).contains("is HEALTHY");
  }

  /**
   * The stock class for node groups gives no more internal blocks than there are hosts, for good.
   */
  @Test
  void fewerHostsThanUnits_stockWithNodeGroup_leavesEveryGroupShort() throws Exception {
    Shape shape = shape(1, 4, 2);
    Shape.ourKeys(true).forEach(shape::set);
    String stock =
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup";
    shape.set(Shape.REPLICATOR, stock).set(Shape.EC_REPLICATOR, stock);
    try (TestCluster cluster = shape.stock()) {
      written(cluster, 4);
      Await.until(
          "four units",
          Duration.ofSeconds(60),
          () -> cluster.survey().without(UNITS - 1) == 0,
          () -> "not");
      Settled.value("reconstruction", 8, () -> cluster.survey().without(UNITS));
      assertThat(cluster.survey().without(UNITS)).isEqualTo(8);
    }
  }
}
