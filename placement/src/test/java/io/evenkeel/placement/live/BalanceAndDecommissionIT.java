package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator does to a cluster that is in use, with node groups. */
@Tag("slow")
@Timeout(300)
class BalanceAndDecommissionIT {
  private static final int SIZE = 3 * Shape.BLOCK;
  private static final long MB = 1024 * 1024;

  /** Hosts n1 and n4 have a quarter of the room of the others, and as many blocks. */
  private static Shape uneven() {
    return new Shape(2, 3, 2)
        .capacity("n1", 4 * MB)
        .capacity("n2", 16 * MB)
        .capacity("n3", 16 * MB)
        .capacity("n4", 4 * MB)
        .capacity("n5", 16 * MB)
        .capacity("n6", 16 * MB);
  }

  /** The cluster of a test. */
  TestCluster start(Shape shape) throws Exception {
    return shape.ours();
  }

  /** Exactly as {@code hdfs balancer} does: also its check that the policy is a known one. */
  @Test
  void balancerCommand_nodeGroups_evensOutAndKeepsTheRules() throws Exception {
    try (TestCluster cluster = start(uneven())) {
      TestFiles files = unbalanced(cluster);
      double before = fullest(cluster);
      int code = Tools.balancer(cluster.clientConf(), "-threshold", "5");
      assertThat(code).as("exit code").isZero();
      balanced(cluster, files, before);
    }
  }

  @Test
  void balancerEmbedded_nodeGroups_evensOutAndKeepsTheRules() throws Exception {
    try (TestCluster cluster = start(uneven())) {
      TestFiles files = unbalanced(cluster);
      double before = fullest(cluster);
      assertThat(Tools.balancerRun(cluster.clientConf(), List.of(cluster.uri()))).isZero();
      balanced(cluster, files, before);
    }
  }

  private static TestFiles unbalanced(TestCluster cluster) throws Exception {
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", 45, SIZE);
    awaitGood(cluster, "all replicas reported");
    cluster.mini().triggerHeartbeats();
    return files;
  }

  private static void balanced(TestCluster cluster, TestFiles files, double before)
      throws Exception {
    Settled.value("deletions", 3, () -> pendingDeletions(cluster));
    awaitGood(cluster, "balanced by the rules");
    cluster.mini().triggerHeartbeats();
    assertThat(fullest(cluster)).as("fullest DataNode, %%").isLessThan(before - 10);
    assertThat(Tools.fsck(cluster.clientConf(), "/"))
        .contains("is HEALTHY")
        .containsPattern("Mis-replicated blocks:\\s+0 ");
    files.check();
  }

  private static long pendingDeletions(TestCluster cluster) {
    var manager = cluster.mini().getNamesystem(0).getBlockManager();
    return manager.getPendingDeletionBlocksCount() + manager.getExcessBlocksCount();
  }

  private static double fullest(TestCluster cluster) throws IOException {
    double most = 0;
    for (DatanodeInfo node : cluster.fs().getClient().datanodeReport(DatanodeReportType.LIVE)) {
      most = Math.max(most, 100.0 * node.getDfsUsed() / node.getCapacity());
    }
    return most;
  }

  @Test
  void mover_toSsd_keepsTheRules() throws Exception {
    try (TestCluster cluster =
        new Shape(2, 2, 2).storage(StorageType.DISK, StorageType.SSD).ours()) {
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f", 10, SIZE);
      awaitGood(cluster, "all replicas reported");
      assertThat(types(cluster, files)).containsExactly(StorageType.DISK);
      cluster.fs().setStoragePolicy(new Path("/"), "ALL_SSD");
      assertThat(Tools.mover(cluster.clientConf(), "-p", "/")).as("exit code").isZero();
      Await.until(
          "all on SSD",
          Duration.ofSeconds(60),
          () -> types(cluster, files).equals(Set.of(StorageType.SSD)),
          () -> types(cluster, files));
      awaitGood(cluster, "moved by the rules");
      files.check();
    }
  }

  private static Set<StorageType> types(TestCluster cluster, TestFiles files) throws IOException {
    Set<StorageType> types = new HashSet<>();
    for (int i = 0; i < files.count(); i++) {
      for (LocatedBlock block :
          cluster.fs().getClient().getLocatedBlocks("/f" + i, 0).getLocatedBlocks()) {
        Collections.addAll(types, block.getStorageTypes());
      }
    }
    return types;
  }

  @Test
  void decommission_moreHostsThanReplicas_reachesItsEndAndNothingIsShared() throws Exception {
    try (TestCluster cluster = start(new Shape(2, 2, 2))) {
      TestFiles files = written(cluster);
      leave(cluster, "n2", AdminStates.DECOMMISSIONED);
      awaitGood(cluster, "the host's replicas are elsewhere");
      assertThat(cluster.survey().onOneHost()).isZero();
      back(cluster, "n2");
      files.check();
    }
  }

  /** Afterwards every block has two replicas on one of the two hosts left. */
  @Test
  void decommission_asManyHostsAsReplicas_reachesItsEnd() throws Exception {
    try (TestCluster cluster = start(new Shape(1, 3, 2))) {
      TestFiles files = written(cluster);
      leave(cluster, "n2", AdminStates.DECOMMISSIONED);
      assertThat(cluster.survey().notExact()).as("replicas").isZero();
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(2);
      files.write("/g", 5, SIZE);
      files.check();
      back(cluster, "n2");
      cluster.lookAgain(0);
      Await.until(
          "hosts are apart again",
          Duration.ofSeconds(60),
          () -> cluster.survey().onOneHost() + cluster.survey().notExact() == 0,
          cluster::survey);
      Settled.value("copies", 5, cluster::copies);
      assertThat(cluster.survey().onOneHost()).isZero();
      files.check();
    }
  }

  /** The replicas left on the decommissioned host do not hide that the others share one. */
  @Test
  void decommission_whileAHostIsInMaintenance_isMendedWhenThatIsBack() throws Exception {
    try (TestCluster cluster = start(new Shape(1, 4, 2))) {
      TestFiles files = written(cluster);
      leave(cluster, "n4", AdminStates.IN_MAINTENANCE);
      leave(cluster, "n3", AdminStates.DECOMMISSIONED);
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(2);
      cluster.admin("n4", AdminStates.NORMAL);
      Await.until(
          "in service",
          Duration.ofSeconds(30),
          () -> cluster.in("n4", AdminStates.NORMAL),
          cluster::survey);
      Await.pause(2000); // the policy looks at the state of DataNodes every second
      cluster.lookAgain(0);
      Await.until(
          "hosts are apart again",
          Duration.ofSeconds(60),
          () -> cluster.survey().onOneHost() + cluster.survey().notExact() == 0,
          cluster::survey);
      files.check();
    }
  }

  /**
   * The replicas of a host in maintenance are made good elsewhere when the site wants all three.
   */
  @Test
  void maintenance_ofAHost_startsAndEnds() throws Exception {
    try (TestCluster cluster =
        start(new Shape(2, 2, 2).set("dfs.namenode.maintenance.replication.min", 3))) {
      TestFiles files = written(cluster);
      leave(cluster, "n3", AdminStates.IN_MAINTENANCE);
      assertThat(cluster.survey().onOneHost()).isZero();
      cluster.kill("n3");
      files.write("/g", 5, SIZE);
      files.check();
      Await.until(
          "the host is seen as gone",
          Duration.ofSeconds(60),
          () -> cluster.dead() == 2,
          cluster::dead);
      awaitGood(cluster, "beside the host in maintenance");
      cluster.admin("n3", AdminStates.NORMAL);
      Settled.value("copies", 5, cluster::copies);
      awaitGood(cluster, "after maintenance");
      files.check();
    }
  }

  /** Nothing is copied for a short maintenance, and nothing is copied or lost when it ends. */
  @Test
  void maintenance_withOneReplicaRequired_costsNoCopies() throws Exception {
    try (TestCluster cluster = start(new Shape(2, 2, 2))) {
      TestFiles files = written(cluster);
      long copies = cluster.copies();
      leave(cluster, "n3", AdminStates.IN_MAINTENANCE);
      files.check();
      assertThat(Settled.value("copies", 3, cluster::copies)).isEqualTo(copies);
      back(cluster, "n3");
      assertThat(cluster.copies()).isEqualTo(copies);
      files.check();
    }
  }

  private static TestFiles written(TestCluster cluster) throws Exception {
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", 20, SIZE);
    Await.until(
        "all reported",
        Duration.ofSeconds(30),
        () -> cluster.survey().notExact() == 0,
        cluster::survey);
    assertThat(cluster.survey().onOneHost()).isZero();
    return files;
  }

  private static void leave(TestCluster cluster, String host, AdminStates state) throws Exception {
    cluster.admin(host, state);
    Await.until(
        host + " reaches " + state,
        Duration.ofSeconds(90),
        () -> cluster.in(host, state),
        cluster::survey);
  }

  /** In service again; what there is too much is deleted, and nothing goes to and fro. */
  private static void back(TestCluster cluster, String host) throws Exception {
    cluster.admin(host, AdminStates.NORMAL);
    Await.until(
        "in service",
        Duration.ofSeconds(30),
        () -> cluster.in(host, AdminStates.NORMAL),
        () -> host);
    Settled.value("copies", 4, cluster::copies);
    Await.until(
        "no excess",
        Duration.ofSeconds(60),
        () -> cluster.survey().notExact() == 0,
        cluster::survey);
  }

  private static void awaitGood(TestCluster cluster, String what) throws Exception {
    Await.until(what, Duration.ofSeconds(90), () -> cluster.survey().good(), cluster::survey);
  }
}
