package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hosts are retired from a storage type that fewer hosts have than a block has replicas: it comes
 * to its end, as with stock, and nothing is asked of hosts with other types.
 */
@Timeout(300)
class TieredDecommissionIT {
  private static final String CODE = "RS-3-2-1024k";
  private static final int UNITS = 5;
  private static final int CELL = 1024 * 1024;
  private static final StorageType[] ARCHIVE = {StorageType.ARCHIVE, StorageType.ARCHIVE};
  private static final StorageType[] BOTH = {StorageType.DISK, StorageType.ARCHIVE};

  /** Six hosts with two DataNodes each, of which n1, n2 and n4 have other volumes than DISK. */
  private static Shape shape(StorageType... others) {
    return new Shape(2, 3, 2)
        .storage(StorageType.DISK, StorageType.DISK)
        .storage("n1", others)
        .storage("n2", others)
        .storage("n4", others);
  }

  /** Writes files under that policy and retires n2. */
  private static void retire(TestCluster cluster, String policy) throws Exception {
    cluster.fs().setStoragePolicy(new Path("/"), policy);
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", 5, Shape.BLOCK);
    Await.until(
        "all reported",
        Duration.ofSeconds(30),
        () -> cluster.survey().notExact() == 0,
        cluster::survey);
    leave(cluster);
    assertThat(cluster.survey().mostOnOneHost()).isLessThanOrEqualTo(2);
    files.check();
  }

  private static void leave(TestCluster cluster) throws Exception {
    cluster.admin("n2", AdminStates.DECOMMISSIONED);
    Await.until(
        "n2 is decommissioned",
        Duration.ofSeconds(90),
        () -> cluster.in("n2", AdminStates.DECOMMISSIONED),
        cluster::survey);
    Settled.value("copies", 3, cluster::copies);
  }

  @Test
  void cold_twoHostsOfArchiveLeft_reachesItsEnd() throws Exception {
    try (TestCluster cluster = shape(ARCHIVE).ours()) {
      retire(cluster, "COLD");
    }
  }

  @Test
  @Tag("slow")
  void cold_twoHostsOfArchiveLeft_reachesItsEndWithStock() throws Exception {
    try (TestCluster cluster = shape(ARCHIVE).plainRacks().stock()) {
      retire(cluster, "COLD");
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"COLD", "WARM", "HOT"})
  void policy_someDataNodesHaveBothTypes_reachesItsEnd(String policy) throws Exception {
    try (TestCluster cluster = shape(BOTH).ours()) {
      retire(cluster, policy);
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"COLD", "WARM", "HOT"})
  void policy_allDataNodesHaveBothTypes_reachesItsEndOnHostsOfTheirOwn(String policy)
      throws Exception {
    try (TestCluster cluster = new Shape(2, 3, 2).storage(BOTH).ours()) {
      retire(cluster, policy);
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(1);
    }
  }

  /** DISK is on n1 and n3 when n2 has left, and SSD on n1 and n4: which has a replica on n1? */
  @Test
  @Tag("slow") // COLD asks the same in every run
  void hot_oneOfTwoHostsWithDisksHasSsdsToo_reachesItsEnd() throws Exception {
    Shape shape =
        new Shape(2, 2, 2)
            .storage(StorageType.DISK, StorageType.DISK)
            .storage("n1", StorageType.DISK, StorageType.SSD)
            .storage("n4", StorageType.SSD, StorageType.SSD);
    try (TestCluster cluster = shape.ours()) {
      retire(cluster, "HOT");
    }
  }

  /** Internal blocks of five on three hosts of ARCHIVE, though there are seven hosts. */
  @Test
  @Tag("slow")
  void erasureCoded_fewerHostsOfArchiveThanUnits_reachesItsEnd() throws Exception {
    Shape shape =
        new Shape(2, 4, 2)
            .storage(StorageType.DISK, StorageType.DISK)
            .set("dfs.blocksize", 2 * CELL)
            .set("dfs.namenode.safemode.replication.min", 1);
    for (String host : new String[] {"n1", "n2", "n5", "n6"}) {
      shape.storage(host, ARCHIVE);
    }
    try (TestCluster cluster = shape.ours()) {
      cluster.fs().setStoragePolicy(new Path("/"), "COLD");
      cluster.fs().enableErasureCodingPolicy(CODE);
      cluster.fs().setErasureCodingPolicy(new Path("/"), CODE);
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f", 5, 3 * CELL);
      Await.until(
          "all units reported",
          Duration.ofSeconds(60),
          () -> cluster.survey().without(UNITS) == 0,
          cluster::survey);
      leave(cluster);
      assertThat(cluster.survey().without(UNITS)).isZero();
      files.check();
    }
  }
}
