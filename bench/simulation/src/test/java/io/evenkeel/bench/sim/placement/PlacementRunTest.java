package io.evenkeel.bench.sim.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.PlacementScenario.Missing;
import io.evenkeel.bench.sim.placement.PlacementScenario.Order;
import io.evenkeel.bench.sim.placement.PlacementScenario.Writers;
import io.evenkeel.bench.sim.placement.Shape.Disks;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

class PlacementRunTest {
  private static final Shape SHAPE = Shape.of(4, 2, 4);
  private static final Load LOAD = Load.of(1_600);

  private static PlacementResult stock(PlacementScenario scenario) throws Exception {
    return PlacementRun.run(scenario, Candidate.STOCK_NODE_GROUPS, 1);
  }

  private static PlacementScenario scenario(Load load) {
    return PlacementScenario.of("test", SHAPE, load);
  }

  @Test
  void run_stockWithNodeGroups_placesAllAndKeepsItsRules() throws Exception {
    PlacementResult result = stock(scenario(LOAD));
    assertThat(result.replicas().mean()).isEqualTo(3 * 1_600 / 32.0);
    assertThat(result.replicas().mostOverMean()).isBetween(1.001, 1.5);
    assertThat(result.inFlight().mean()).isBetween(1.34, 3.5);
    assertThat(result.inFlight().p99()).isGreaterThan(result.inFlight().mean());
    assertThat(result.scatterWidth()).isBetween(20.0, 28.0);
    assertThat(result.violations()).isEqualTo(Violations.NONE);
  }

  @Test
  void run_stockOnPlainRacks_putsReplicasOnOneHost() throws Exception {
    PlacementResult result = PlacementRun.run(scenario(LOAD), Candidate.STOCK_PLAIN, 1);
    // Three of the seven others on the second replica's rack are on its host.
    assertThat(result.violations().sameHost() / 1_600.0).isCloseTo(3 / 7.0, within(0.08));
    assertThat(result.violations().oneRack() + result.violations().tooFew()).isZero();
  }

  @Test
  void run_stockWithNodeGroupsForRacks_putsTwoReplicasOfEachBlockOnOneHost() throws Exception {
    PlacementResult result = PlacementRun.run(scenario(LOAD), Candidate.STOCK_HALF_ENABLED, 1);
    assertThat(result.violations().sameHost()).isEqualTo(1_600);
  }

  @Test
  void conf_keysOfItsOwn_winOverWhatThePolicyNeeds() {
    assertThat(Candidate.STOCK_HALF_ENABLED.dfsTopology()).isTrue();
    assertThat(Candidate.STOCK_NODE_GROUPS.dfsTopology()).isFalse();
    Candidate tuned = Candidate.STOCK_PLAIN.with(Map.of("x", "1"));
    assertThat(tuned.conf().get("x")).isEqualTo("1");
    assertThat(tuned.label()).isEqualTo("Default");
  }

  @Test
  void run_oneReplicaLocally_isExactlyEven() throws Exception {
    PlacementResult result = stock(scenario(LOAD.replicas(1)));
    assertThat(result.replicas()).isEqualTo(new PlacementResult.Replicas(50, 50, 50));
    assertThat(result.inFlight()).isEqualTo(new PlacementResult.Ratio(1, 1));
    assertThat(result.scatterWidth()).isZero();
  }

  @Test
  void run_oneReplicaFromOutsideOrInRandomOrder_isNot() throws Exception {
    Load one = LOAD.replicas(1);
    assertThat(stock(scenario(one.by(Writers.OFF_CLUSTER))).replicas().mostOverMean())
        .isGreaterThan(1.05);
    assertThat(stock(scenario(one.in(Order.RANDOM))).replicas().mostOverMean()).isGreaterThan(1.05);
  }

  @Test
  void run_fourReplicas_showsThatStockCapsNodeGroupsInsteadOfRacks() throws Exception {
    PlacementScenario four =
        PlacementScenario.of("test", Shape.of(4, 10, 1), Load.of(500).replicas(4));
    assertThat(stock(four).violations().rackCap()).isPositive();
    assertThat(PlacementRun.run(four, Candidate.STOCK_PLAIN, 1).violations().rackCap()).isZero();
  }

  @Test
  void run_moreReplicasThanHosts_isTooFew() throws Exception {
    PlacementScenario few = PlacementScenario.of("test", Shape.of(1, 2, 4), Load.of(20));
    assertThat(stock(few).violations()).isEqualTo(new Violations(0, 0, 0, 20));
  }

  @Test
  void run_missingDataNodes_getNothing() throws Exception {
    for (boolean decommissioning : new boolean[] {false, true}) {
      for (boolean drawn : new boolean[] {false, true}) {
        Change missing = Change.missing(new Missing(4, drawn, decommissioning));
        PlacementResult result = stock(scenario(LOAD).with(missing));
        assertThat(result.replicas().mean()).as("all on 24").isEqualTo(3 * 1_600 / 24.0);
        assertThat(result.violations().tooFew()).isZero();
      }
    }
  }

  @Test
  void run_joiningDataNodes_getTheirShareFromThenOn() throws Exception {
    PlacementResult result = stock(scenario(LOAD).with(Change.joining(4)));
    assertThat(result.replicas().least()).isBetween(40L, 110L);
    assertThat(result.replicas().mean()).isEqualTo(150);
  }

  @Test
  void run_restartsAndTwoNameNodesAndHeartbeats_placeAll() throws Exception {
    for (Change change :
        List.of(
            Change.resetEvery(300),
            Change.nameNodes(2),
            Change.reporting(1),
            Change.reporting(10),
            Change.reporting(1000))) {
      PlacementResult result = stock(scenario(LOAD).with(change));
      assertThat(result.replicas().mean()).isEqualTo(150);
      assertThat(result.violations()).isEqualTo(Violations.NONE);
    }
  }

  @Test
  void choose_oneSsd_takesIt() throws Exception {
    Shape shape = SHAPE.with(new Disks(List.of(2), false, 4));
    RealCluster cluster = new RealCluster(Candidate.STOCK_NODE_GROUPS, shape.places(), "ONE_SSD");
    DatanodeStorageInfo[] storages = cluster.choose(cluster.dataNode(0), 3, null);
    assertThat(storages).hasSize(3);
    assertThat(storages)
        .extracting(DatanodeStorageInfo::getStorageType)
        .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK, StorageType.DISK);
  }

  @Test
  void scheduled_untilReceived_isCountedByTheNameNode() throws Exception {
    RealCluster cluster = new RealCluster(Candidate.STOCK_NODE_GROUPS, SHAPE.places(), "HOT");
    DatanodeStorageInfo[] storages = cluster.choose(cluster.dataNode(5), 3, null);
    assertThat(cluster.index(storages[0])).as("local").isEqualTo(5);
    cluster.scheduled(storages);
    cluster.scheduled(storages);
    assertThat(cluster.blocksScheduled(5)).isEqualTo(2);
    cluster.received(storages);
    for (int dataNode : cluster.indexes(storages)) {
      assertThat(cluster.blocksScheduled(dataNode)).isEqualTo(1);
    }
  }

  @Test
  void heartbeats_loadAndReplicas_reachTheDescriptor() throws Exception {
    RealCluster cluster = new RealCluster(Candidate.STOCK_PLAIN, SHAPE.places(), "HOT");
    long before = cluster.dataNode(3).getRemaining();
    int[] transfers = new int[32];
    long[] replicas = new long[32];
    transfers[3] = 4;
    replicas[3] = 10;
    cluster.heartbeats(transfers, replicas);
    assertThat(cluster.dataNode(3).getXceiverCount()).isEqualTo(4);
    assertThat(cluster.dataNode(3).getRemaining()).isEqualTo(before - 10 * RealCluster.BLOCK);
    assertThat(cluster.dataNode(3).getCapacity()).isEqualTo(before);
  }

  @Test
  void plainRacks_dataNodesOfAHost_shareAnAddress() throws Exception {
    RealCluster plain = new RealCluster(Candidate.STOCK_PLAIN, SHAPE.places(), "HOT");
    assertThat(plain.dataNode(0).getIpAddr()).isEqualTo(plain.dataNode(3).getIpAddr());
    assertThat(plain.dataNode(0).getIpAddr()).isNotEqualTo(plain.dataNode(4).getIpAddr());
    RealCluster groups = new RealCluster(Candidate.STOCK_NODE_GROUPS, SHAPE.places(), "HOT");
    assertThat(groups.dataNode(0).getIpAddr()).isNotEqualTo(groups.dataNode(3).getIpAddr());
  }

  @Test
  void candidate_notOnTheClassPath_isSeen() {
    Candidate nobody = new Candidate("io.evenkeel.NoSuchPolicy", true);
    assertThat(nobody.present()).isFalse();
    assertThat(Candidate.STOCK_PLAIN.present()).isTrue();
    assertThatThrownBy(() -> PlacementRun.run(scenario(LOAD), nobody, 1))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
