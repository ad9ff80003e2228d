package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stock's verifyBlockPlacement with node groups does wrong, beside ours on the same nodes. */
@Timeout(300)
class VerifyDefectsTest {
  private static boolean satisfied(BlockPlacementPolicy policy, DatanodeInfo... replicas) {
    return policy.verifyBlockPlacement(replicas, replicas.length).isPlacementPolicySatisfied();
  }

  private static Map<DatanodeDescriptor, String> locations(TestCluster cluster) {
    Map<DatanodeDescriptor, String> locations = new HashMap<>();
    cluster.nodes.forEach(n -> locations.put(n, n.getNetworkLocation()));
    return locations;
  }

  private static long moved(TestCluster cluster, Map<DatanodeDescriptor, String> before) {
    return cluster.nodes.stream()
        .filter(n -> !before.get(n).equals(n.getNetworkLocation()))
        .count();
  }

  /** Two storages of one DataNode: stock leaves the rack as the location, and then breaks on it. */
  @Test
  void sameDataNodeTwice_onlyStockRewritesItsLocation() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    Map<DatanodeDescriptor, String> before = locations(cluster);
    DatanodeDescriptor first = cluster.nodes.get(0);
    DatanodeInfo[] replicas = {first, cluster.nodes.get(2), first};

    BlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 3; i++) {
      assertThat(satisfied(ours, replicas)).as("two hosts for three replicas").isFalse();
    }
    assertThat(moved(cluster, before)).isZero();

    BlockPlacementPolicy stock = cluster.stock();
    stock.verifyBlockPlacement(replicas, 3);
    assertThat(first.getNetworkLocation()).as("by stock").isEqualTo("/r0");
    Throwable second = catchThrowable(() -> stock.verifyBlockPlacement(replicas, 3));
    assertThat(second).isInstanceOf(StringIndexOutOfBoundsException.class);
  }

  @Test
  void verify_doesNotTouchADescriptor() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    List<String> written = new ArrayList<>();
    DatanodeInfo[] watched = new DatanodeInfo[2];
    for (int i = 0; i < 2; i++) {
      DatanodeDescriptor node = cluster.nodes.get(2 * i);
      watched[i] = new Watched(node, node.getNetworkLocation(), written);
    }
    assertThat(satisfied(cluster.ours(), watched)).isTrue();
    assertThat(written).as("by ours").isEmpty();
    assertThat(satisfied(cluster.stock(), watched)).isTrue();
    assertThat(written).as("by stock").containsExactly("/r0", "/r1", "/r0/h0", "/r1/h2");
  }

  /** Notes who moves it. */
  private static final class Watched extends DatanodeDescriptor {
    private final List<String> written;

    Watched(DatanodeDescriptor like, String location, List<String> written) {
      super(like, location);
      this.written = written;
    }

    @Override
    public void setNetworkLocation(String location) {
      super.setNetworkLocation(location);
      if (written != null) {
        written.add(location);
      }
    }
  }

  @Test
  void twoVerifiers_inParallel_onlyStockDamagesLocations() throws Exception {
    assertThat(damagedBy(TestCluster.withNodeGroups(4, 4, 2), true, 20_000)).isZero();
    // chance decides when: a clash is certain within a few runs
    long damaged = 0;
    for (int run = 0; run < 20 && damaged == 0; run++) {
      damaged = damagedBy(TestCluster.withNodeGroups(4, 4, 2), false, 20_000);
    }
    assertThat(damaged).as("by stock").isPositive();
  }

  @Test
  @Tag("slow")
  void twoVerifiers_hundredThousandEach_onlyStockDamagesLocations() throws Exception {
    assertThat(damagedBy(TestCluster.withNodeGroups(4, 4, 2), true, 100_000)).isZero();
    assertThat(damagedBy(TestCluster.withNodeGroups(4, 4, 2), false, 100_000)).isPositive();
  }

  private static long damagedBy(TestCluster cluster, boolean ours, int times) throws Exception {
    BlockPlacementPolicy policy = ours ? cluster.ours() : cluster.stock();
    Map<DatanodeDescriptor, String> before = locations(cluster);
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<Integer>> verifiers = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      verifiers.add(
          threads.submit(
              () -> {
                start.await();
                return failuresOf(policy, cluster, times);
              }));
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(4, TimeUnit.MINUTES)).isTrue();
    int failures = verifiers.get(0).get() + verifiers.get(1).get();
    if (ours) {
      assertThat(failures).as("exceptions").isZero();
    }
    return moved(cluster, before);
  }

  private static int failuresOf(BlockPlacementPolicy policy, TestCluster cluster, int times) {
    int failures = 0;
    for (int i = 0; i < times; i++) {
      int at = ThreadLocalRandom.current().nextInt(cluster.nodes.size());
      DatanodeInfo[] replicas = new DatanodeInfo[3];
      for (int r = 0; r < 3; r++) {
        replicas[r] = cluster.nodes.get((at + 9 * r) % cluster.nodes.size());
      }
      try {
        policy.verifyBlockPlacement(replicas, 3);
      } catch (RuntimeException e) {
        failures++; // stock on a location it has destroyed
      }
    }
    return failures;
  }

  @Test
  void sameNodeGroupNames_inTwoRacks_onlyStockTakesThemForOne() {
    TestCluster cluster = TestCluster.withNodeGroups();
    for (String location : List.of("/r0/h0", "/r0/h1", "/r1/h0", "/r1/h1")) {
      cluster.add(location);
    }
    DatanodeInfo[] good = {cluster.nodes.get(0), cluster.nodes.get(2), cluster.nodes.get(3)};
    assertThat(satisfied(cluster.stock(), good)).isFalse();
    assertThat(satisfied(cluster.ours(), good)).isTrue();
    DatanodeDescriptor sibling = cluster.add("/r0/h0");
    DatanodeInfo[] bad = {cluster.nodes.get(0), sibling, cluster.nodes.get(2)};
    assertThat(satisfied(cluster.ours(), bad)).isFalse();
    assertThat(cluster.ours().verifyBlockPlacement(bad, 3).getErrorDescription())
        .contains("2 host(s) in 2 rack(s)", "1 more host");
  }

  /** What stock placed itself, it calls wrong every other time when names repeat. */
  @Test
  void ownPlacements_withRepeatedNames_areSatisfiedWithOursOnly() {
    TestCluster cluster = TestCluster.withNodeGroups();
    for (int i = 0; i < 16; i++) {
      cluster.add("/r" + i / 8 + "/h" + i % 4);
    }
    assertThat(rejected(cluster, cluster.stock())).isBetween(350, 650);
    assertThat(rejected(cluster, cluster.ours())).isZero();
  }

  private static int rejected(TestCluster cluster, BlockPlacementPolicy policy) {
    int rejected = 0;
    for (int i = 0; i < 1000; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % cluster.nodes.size());
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(policy, 3, writer));
      assertThat(TestCluster.locations(nodes)).hasSize(3);
      rejected += satisfied(policy, nodes.toArray(new DatanodeInfo[0])) ? 0 : 1;
    }
    return rejected;
  }

  @Test
  void fewerNodeGroupsThanReplicas_onlyStockIsNeverSatisfied() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 1, 3);
    DatanodeInfo[] best = {cluster.nodes.get(0), cluster.nodes.get(3), cluster.nodes.get(4)};
    assertThat(satisfied(cluster.stock(), best)).isFalse();
    assertThat(satisfied(cluster.ours(), best)).isTrue();
    DatanodeInfo[] oneHost = {cluster.nodes.get(0), cluster.nodes.get(1), cluster.nodes.get(2)};
    assertThat(satisfied(cluster.ours(), oneHost)).as("the other host is free").isFalse();
  }

  @Test
  void fewerNodeGroupsThanReplicas_onlyStockPlacesTooFew() {
    TestCluster cluster = TestCluster.withNodeGroups(1, 2, 3);
    BlockPlacementPolicy stock = cluster.stock();
    BlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 50; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % 6);
      assertThat(TestCluster.choose(stock, 3, writer)).hasSize(2);
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(ours, 3, writer));
      assertThat(nodes).doesNotHaveDuplicates().hasSize(3);
      assertThat(TestCluster.locations(nodes)).hasSize(2);
    }
  }

  @Test
  void nullReplicas_areNoError() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    assertThatCode(() -> cluster.ours().verifyBlockPlacement(null, 3)).doesNotThrowAnyException();
    assertThat(cluster.ours().verifyBlockPlacement(null, 3).isPlacementPolicySatisfied()).isFalse();
  }

  /** One verifier beside a chooser makes stock place blocks short or in one rack. */
  @Test
  void verifierBesideChooser_oursBreaksNoRule() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    BlockPlacementPolicy ours = cluster.ours();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Integer> verifier = thread.submit(() -> failuresOf(ours, cluster, 50_000));
    int wrong = 0;
    for (int i = 0; i < 20_000 || !verifier.isDone(); i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(ours, 3, cluster.nodes.get(i % 12)));
      wrong +=
          TestCluster.locations(nodes).size() == 3 && TestCluster.racks(nodes).size() == 2 ? 0 : 1;
    }
    thread.shutdown();
    assertThat(verifier.get()).isZero();
    assertThat(wrong).isZero();
  }
}
