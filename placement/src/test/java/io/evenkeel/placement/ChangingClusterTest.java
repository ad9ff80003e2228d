package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.placement.namenode.DataNodeIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DataNodes that come, go and move while blocks are placed. */
@Timeout(300)
class ChangingClusterTest {
  private static final int THREADS = 8;

  private static List<DatanodeDescriptor> choose(BlockPlacementPolicy policy, int replicas) {
    return TestCluster.nodesOf(TestCluster.choose(policy, replicas, null));
  }

  @Test
  void newDataNode_isUsedAtOnceAndNotFlooded() {
    TestCluster cluster = TestCluster.withNodeGroups(3, 3, 1);
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 300; i++) {
      choose(ours, 3);
    }
    DatanodeDescriptor added = cluster.add("/r0/h9");
    int blocks = 0;
    for (int i = 0; i < 100; i++) {
      blocks += choose(ours, 3).contains(added) ? 1 : 0;
    }
    assertThat(blocks).as("30 is its share").isBetween(20, 40);
  }

  @Test
  void removedDataNode_isNotChosen() {
    TestCluster cluster = TestCluster.withNodeGroups(3, 3, 1);
    UniformBlockPlacementPolicy ours = cluster.ours();
    choose(ours, 3);
    DatanodeDescriptor gone = cluster.nodes.get(4);
    cluster.remove(gone);
    for (int i = 0; i < 50; i++) {
      assertThat(choose(ours, 3)).hasSize(3).doesNotContain(gone);
    }
  }

  /** The caller has the namesystem's lock, and must come out whatever is wrong. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // it would not end
  void topologyThatDeniesItsDataNodes_theChoiceEnds() {
    TestCluster cluster = TestCluster.denying();
    for (int i = 0; i < 6; i++) {
      cluster.add("/r" + i % 2 + "/h" + i);
    }
    assertThat(choose(cluster.ours(), 3)).isEmpty();
  }

  /** One goes and one comes: the number of DataNodes tells nothing. */
  @Test
  void replacedDataNode_isNotChosenAndItsSuccessorSoonIs() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    UniformBlockPlacementPolicy ours = cluster.ours();
    choose(ours, 4);
    DatanodeDescriptor gone = cluster.nodes.get(3);
    cluster.remove(gone);
    DatanodeDescriptor successor = cluster.add("/r1/new");
    Await.until(
        "the successor is chosen",
        () -> {
          List<DatanodeDescriptor> nodes = choose(ours, 4);
          assertThat(nodes).doesNotContain(gone);
          return nodes.contains(successor);
        });
  }

  /** Whatever was looked at a moment ago, a choice that comes out short looks again. */
  @Test
  void replacedDataNode_thatIsNeeded_isUsedAtOnce() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(choose(ours, 4)).hasSize(4);
    cluster.remove(cluster.nodes.get(3));
    DatanodeDescriptor successor = cluster.add("/r1/new");
    assertThat(choose(ours, 4)).hasSize(4).contains(successor);
  }

  /**
   * A leaf that is no DataNode makes the counts differ for ever; nothing has changed all the same.
   */
  @Test
  void leafThatIsNoDataNode_doesNotMakeEveryChoiceLookAgain() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 1);
    UniformBlockPlacementPolicy ours = cluster.ours();
    DataNodeIndex before = ours.index();
    cluster.topology.add(new NodeBase("client", "/r0/h0"));
    assertThat(choose(ours, 4)).hasSize(4);
    long looks = ours.nameNode().looks();
    for (int i = 0; i < 2_000; i++) {
      assertThat(choose(ours, 4)).hasSize(4);
    }
    assertThat(ours.nameNode().looks() - looks).as("but now and then").isLessThan(1_000);
    assertThat(ours.index()).as("the same DataNodes").isSameAs(before);
    cluster.add("/r1/new");
    assertThat(ours.index()).as("a DataNode more").isNotSameAs(before);
  }

  /** As when a DataNode registers again after its mapping was corrected. */
  @Test
  void movedDataNode_isSoonWhereItStands() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    DatanodeDescriptor moved = cluster.nodes.get(1);
    DatanodeInfo[] replicas = {cluster.nodes.get(0), moved, cluster.nodes.get(2)};
    assertThat(ours.verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied()).isFalse();
    cluster.topology.remove(moved);
    moved.setNetworkLocation("/r1/h9");
    cluster.topology.add(moved);
    assertThat(ours.verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied()).isTrue();
    Await.until(
        "it is seen to have moved",
        () -> ours.index().engine().topology().hosts() == 5 && ours.index().number(moved) >= 0);
    for (int i = 0; i < 100; i++) {
      List<DatanodeDescriptor> nodes = choose(ours, 5);
      assertThat(TestCluster.locations(nodes)).hasSize(5);
    }
  }

  @Test
  void eightThreads_whileDataNodesComeAndGo_breakNoRule() throws Exception {
    run(4_000);
  }

  @Test
  @Tag("slow")
  void eightThreads_aMillionReplicas_breakNoRule() throws Exception {
    run(42_000);
  }

  private static void run(int blocksPerThread) throws Exception {
    for (boolean groups : new boolean[] {true, false}) {
      TestCluster cluster =
          groups ? TestCluster.withNodeGroups(4, 4, 3) : TestCluster.flat(4, 4, 3);
      // the first DataNode of each host stays, so every rule can be kept
      UniformBlockPlacementPolicy replicated = cluster.ours();
      UniformStripedBlockPlacementPolicy striped = cluster.oursStriped();
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
      List<DatanodeDescriptor> all = List.copyOf(cluster.nodes);
      Future<Integer> changes = threads.submit(() -> change(cluster, all, done));
      List<Future<Integer>> writers = new ArrayList<>();
      Map<String, Integer> wrong = new ConcurrentHashMap<>();
      for (int t = 0; t < THREADS; t++) {
        BlockPlacementPolicy policy = t % 4 == 3 ? striped : replicated;
        int replicas = t % 4 == 3 ? 9 : 3;
        writers.add(threads.submit(() -> write(policy, replicas, all, blocksPerThread, wrong)));
      }
      int blocks = 0;
      for (Future<Integer> writer : writers) {
        blocks += writer.get(); // throws what the policy threw
      }
      done.set(true);
      assertThat(changes.get()).as("changes").isPositive();
      threads.shutdown();
      assertThat(blocks).isEqualTo(THREADS * blocksPerThread);
      assertThat(wrong).isEmpty();
    }
  }

  private static int write(
      BlockPlacementPolicy policy,
      int replicas,
      List<DatanodeDescriptor> writers,
      int blocks,
      Map<String, Integer> wrong)
      throws InterruptedException {
    for (int i = 0; i < blocks; i++) {
      DatanodeDescriptor writer = writers.get(ThreadLocalRandom.current().nextInt(writers.size()));
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(policy, replicas, writer));
      count(wrong, "short", nodes.size() < replicas);
      boolean groups = nodes.get(0).getNetworkLocation().indexOf('/', 1) > 0;
      int hosts =
          groups ? TestCluster.locations(nodes).size() : TestCluster.addresses(nodes).size();
      count(wrong, "shared host", hosts < nodes.size());
      count(wrong, "one rack", TestCluster.racks(nodes).size() < 2);
      count(wrong, "rack limit", TestCluster.mostInOneRack(nodes) > (replicas == 3 ? 2 : 3));
      DatanodeInfo[] found = nodes.toArray(new DatanodeInfo[0]);
      count(wrong, "not satisfied", !isSatisfied(policy, found));
    }
    return blocks;
  }

  /** A replica that is leaving does not count, so ask again while one may be. */
  private static boolean isSatisfied(BlockPlacementPolicy policy, DatanodeInfo[] found)
      throws InterruptedException {
    for (int tries = 0; tries < 50; tries++) {
      if (policy.verifyBlockPlacement(found, 2).isPlacementPolicySatisfied()) {
        return true;
      }
      Await.pause(1);
    }
    return false;
  }

  private static void count(Map<String, Integer> wrong, String what, boolean is) {
    if (is) {
      wrong.merge(what, 1, Integer::sum);
    }
  }

  /** Removes, adds, retires and fills DataNodes other than the first of each host. */
  private static int change(TestCluster cluster, List<DatanodeDescriptor> all, AtomicBoolean done)
      throws InterruptedException {
    int changes = 0;
    while (!done.get()) {
      int at = ThreadLocalRandom.current().nextInt(all.size() / 3) * 3;
      DatanodeDescriptor comes = all.get(at + 1);
      DatanodeDescriptor leaves = all.get(at + 2);
      cluster.topology.remove(comes);
      leaves.startDecommission();
      Await.pause(1);
      TestCluster.heartbeat(leaves, 0, 0, StorageType.DISK);
      cluster.topology.add(comes);
      Await.pause(1);
      leaves.stopDecommission();
      TestCluster.heartbeat(leaves, 100 * TestCluster.GIB, 0, StorageType.DISK);
      changes += 4;
    }
    return changes;
  }

  /**
   * The NameNode looks at all blocks once, when the first DataNode of a second rack registers; its
   * storages come with the heartbeat after that.
   */
  @Test
  void firstOfASecondRack_storagesNotKnownYet_blocksOfTheOtherAreMisplaced() {
    TestCluster cluster = TestCluster.flat(1, 3, 1);
    BlockPlacementPolicy ours = cluster.ours();
    DatanodeInfo[] block = cluster.nodes.toArray(new DatanodeInfo[0]);
    assertThat(ours.verifyBlockPlacement(block, 3).isPlacementPolicySatisfied()).isTrue();
    cluster.add("/r1", "10.0.0.9", new StorageType[0]);
    for (BlockPlacementPolicy policy : List.of(cluster.stock(), ours)) {
      assertThat(policy.verifyBlockPlacement(block, 3).isPlacementPolicySatisfied()).isFalse();
    }
  }

  /** One goes and one comes: the number of DataNodes tells nothing. */
  @Test
  void replacedByTheFirstOfASecondRack_blocksOfTheOtherAreMisplacedAtOnce() {
    for (boolean groups : new boolean[] {true, false}) {
      TestCluster cluster =
          groups ? TestCluster.withNodeGroups(1, 4, 1) : TestCluster.flat(1, 4, 1);
      BlockPlacementPolicy ours = cluster.ours();
      DatanodeInfo[] block = cluster.nodes.subList(0, 3).toArray(new DatanodeInfo[0]);
      assertThat(ours.verifyBlockPlacement(block, 3).isPlacementPolicySatisfied()).isTrue();
      cluster.remove(cluster.nodes.get(3));
      cluster.add(groups ? "/r1/h9" : "/r1", "10.0.0.9", StorageType.DISK);
      for (BlockPlacementPolicy policy : List.of(cluster.stock(), ours)) {
        assertThat(policy.verifyBlockPlacement(block, 3).isPlacementPolicySatisfied()).isFalse();
      }
    }
  }

  @Test
  void movedOntoAnotherHost_noBlockSharesItMeanwhile() {
    for (int run = 0; run < 20; run++) {
      TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
      BlockPlacementPolicy ours = cluster.ours();
      choose(ours, 3);
      move(cluster, cluster.nodes.get(1), "/r1/h2");
      for (int i = 0; i < 10; i++) {
        assertThat(TestCluster.locations(choose(ours, 3))).hasSize(3);
      }
    }
  }

  private static void move(TestCluster cluster, DatanodeDescriptor node, String location) {
    cluster.topology.remove(node);
    node.setNetworkLocation(location);
    cluster.topology.add(node);
  }

  /** A block has a replica there; with so many DataNodes no choice waits for a look at all. */
  @Test
  void dataNodeOfALargeClusterIsBack_itsHostAndRackAreNotUsedAgain() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(10, 30, 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    BlockPlacementPolicy stock = cluster.stock();
    choose(ours, 3);
    DatanodeDescriptor back = cluster.nodes.get(0);
    DatanodeDescriptor onItsHost = cluster.nodes.get(1);
    DatanodeDescriptor inItsRack = cluster.nodes.get(2);
    DatanodeDescriptor elsewhere = cluster.nodes.get(100);
    Set<DatanodeDescriptor> excluded = new HashSet<>(cluster.nodes);
    excluded.removeAll(List.of(onItsHost, inItsRack, elsewhere));
    int asked = 0;
    for (int run = 0; run < 10; run++) {
      cluster.topology.remove(back);
      Await.until(
          "it is seen to have gone",
          () -> {
            choose(ours, 3);
            return ours.nameNode().latest().number(back) < 0;
          });
      cluster.topology.add(back);
      for (int i = 0; i < 10 && ours.nameNode().latest().number(back) < 0; i++) {
        asked++;
        for (BlockPlacementPolicy policy : List.of(stock, ours)) {
          assertThat(
                  TestCluster.nodesOf(
                      TestCluster.chooseMore(policy, 1, null, List.of(back), excluded)))
              .containsExactly(elsewhere);
        }
      }
    }
    assertThat(asked).isPositive();
  }

  /** A machine in maintenance that is switched off: after ten minutes the topology has it not. */
  @Test
  void replicaInMaintenanceIsOnADeadDataNode_itsHostComesLast() {
    for (boolean dead : new boolean[] {false, true}) {
      for (int run = 0; run < 20; run++) {
        TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
        UniformBlockPlacementPolicy ours = cluster.ours();
        DatanodeDescriptor away = cluster.nodes.get(0);
        away.startMaintenance();
        away.setInMaintenance();
        if (dead) {
          away.setAlive(false);
          cluster.topology.remove(away);
        }
        List<DatanodeDescriptor> there = List.of(cluster.nodes.get(4), cluster.nodes.get(6));
        List<DatanodeDescriptor> excluded = new ArrayList<>(there);
        excluded.add(away);
        assertThat(TestCluster.nodesOf(TestCluster.chooseMore(ours, 1, null, there, excluded)))
            .as("dead: " + dead)
            .doesNotContain(cluster.nodes.get(1));
      }
    }
  }

  /** Of 600 DataNodes in 20 racks the first six have room; then six others. */
  @Test
  void fewDataNodesHaveRoom_andThenOthers_blocksAreWrittenAsWithStock() {
    for (boolean isOurs : new boolean[] {false, true}) {
      TestCluster cluster = TestCluster.flat();
      for (int i = 0; i < 600; i++) {
        setRoom(cluster.add("/r" + i % 20), i < 6);
      }
      BlockPlacementPolicy policy = isOurs ? cluster.ours() : cluster.stock();
      for (int i = 0; i < 20; i++) {
        assertThat(choose(policy, 3)).hasSize(3);
      }
      for (int i = 0; i < 6; i++) {
        setRoom(cluster.nodes.get(i), false);
        setRoom(cluster.nodes.get(300 + i), true);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(choose(policy, 3)).as("at once").hasSize(3);
      }
    }
  }

  private static void setRoom(DatanodeDescriptor node, boolean hasRoom) {
    long free = hasRoom ? 100 * TestCluster.GIB : 1000;
    TestCluster.heartbeat(node, free, 0, StorageType.DISK);
  }
}
