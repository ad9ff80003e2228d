package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.core.HostTopology;
import io.evenkeel.placement.namenode.DataNodeIndex;
import io.evenkeel.placement.namenode.NameNodePlacement;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who looks at all DataNodes of a cluster that is not small, and for how long. */
class IndexThreadTest {
  private static final String NAME = "evenkeel-placement-index";
  private static final int NODES = 600;

  private TestCluster cluster = TestCluster.flat();
  private final Watched watched = new Watched("/r0");

  /** A DataNode that notes who asks for its storages, and can break the thread that looks. */
  private static final class Watched extends DatanodeDescriptor {
    final Set<String> askedBy = ConcurrentHashMap.newKeySet();
    final AtomicInteger broken = new AtomicInteger();
    volatile Throwable fault;

    Watched(String location) {
      super(
          new DatanodeID("10.9.9.9", "watched", "uuid-watched", 9866, 9864, 9865, 9867), location);
    }

    @Override
    public DatanodeStorageInfo[] getStorageInfos() {
      String name = Thread.currentThread().getName();
      if (askedBy != null) { // the constructor of the superclass asks, too
        askedBy.add(name);
        if (fault != null && name.equals(NAME)) {
          broken.incrementAndGet();
          throw sneaky(fault);
        }
      }
      return super.getStorageInfos();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable fault) throws T {
      throw (T) fault;
    }
  }

  /** The watched DataNode is never chosen: it is decommissioned. */
  private UniformBlockPlacementPolicy start() {
    for (int i = 0; i < NODES; i++) {
      cluster.add("/r" + i % 20);
    }
    watched.setDecommissioned();
    cluster.topology.add(watched);
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index(); // the first look is the caller's
    watched.askedBy.clear();
    return ours;
  }

  private boolean verify(UniformBlockPlacementPolicy ours) {
    DatanodeInfo[] replicas = {cluster.nodes.get(0), cluster.nodes.get(1), cluster.nodes.get(2)};
    return ours.verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied();
  }

  @Test
  void manyDataNodes_oneComesOneGoesOneMoves_onlyTheThreadLooks() throws Exception {
    UniformBlockPlacementPolicy ours = start();
    DatanodeDescriptor comes = cluster.add("/r0");
    assertThat(verify(ours)).isTrue();
    DatanodeDescriptor goes = cluster.nodes.get(7);
    cluster.remove(goes);
    assertThat(verify(ours)).isTrue();
    DatanodeDescriptor moves = cluster.nodes.get(8);
    cluster.topology.remove(moves);
    moves.setNetworkLocation("/r0"); // to a new rack, callers would look as well
    cluster.topology.add(moves);
    Await.until(
        "all three are seen",
        () -> {
          assertThat(verify(ours)).isTrue();
          assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
          DataNodeIndex index = ours.index();
          HostTopology topology = index.engine().topology();
          return index.number(comes) >= 0
              && index.number(goes) < 0
              && index.number(moves) >= 0 // the thread may look while it is out of the topology
              && topology.rackOf(index.number(moves)) == topology.rackOf(index.number(comes));
        });
    assertThat(watched.askedBy).containsExactly(NAME);
  }

  @Test
  void fiveHundredComeBack_fewLooks() throws Exception {
    UniformBlockPlacementPolicy ours = start();
    long before = ours.nameNode().looks();
    for (int i = 0; i < 500; i++) {
      cluster.add("/r" + i % 20);
      assertThat(verify(ours)).isTrue();
      assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
    }
    Await.until("all are seen", () -> ours.index().size() == NODES + 501);
    assertThat(ours.nameNode().looks() - before)
        .as("they are at least 100 ms apart")
        .isLessThan(100);
    assertThat(watched.askedBy).containsExactly(NAME);
  }

  /** The only one with an SSD is replaced: the block gets on as with stock, the next finds it. */
  @Test
  void manyDataNodes_blockCannotBePlaced_isSeenSoon() throws Exception {
    cluster.add("/r0", StorageType.SSD);
    UniformBlockPlacementPolicy ours = start();
    cluster.remove(cluster.nodes.get(0));
    DatanodeDescriptor successor = cluster.add("/r1", StorageType.SSD);
    Await.until(
        "the successor is chosen",
        () -> {
          DatanodeStorageInfo[] targets =
              TestCluster.choose(ours, 3, null, TestCluster.storagePolicy("ONE_SSD"), List.of());
          assertThat(targets).hasSize(3);
          return TestCluster.nodesOf(targets).contains(successor);
        });
  }

  /** As at the start of a NameNode: who writes meanwhile gets targets, and not the few first. */
  @Test
  void manyRegisterAtOnce_blocksArePlacedOnThem() {
    UniformBlockPlacementPolicy ours = cluster.ours();
    cluster.add("/r0");
    assertThat(TestCluster.choose(ours, 3, null)).hasSize(1);
    for (int i = 1; i < NODES; i++) {
      cluster.add("/r" + i % 20);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
    }
    assertThat(ours.index().size()).isEqualTo(NODES);
  }

  /** Of those that are known only some take blocks, and others have come since the last look. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5})
  void manyDataNodes_tooFewFoundAndOthersHaveCome_areLookedAt(int healthy) {
    for (int i = 0; i < NODES; i++) {
      cluster.add("/r" + i % 20);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    cluster.nodes.subList(healthy, NODES).forEach(DatanodeDescriptor::setDecommissioned);
    for (int i = 0; i < 20; i++) {
      cluster.add("/r" + i % 20);
    }
    int wanted = healthy == 5 ? 9 : 3;
    BlockPlacementPolicy policy = wanted == 9 ? cluster.oursStriped() : ours;
    assertThat(TestCluster.choose(policy, wanted, null)).hasSize(wanted);
    assertThat(TestCluster.choose(cluster.stock(), wanted, null)).hasSize(wanted);
  }

  /** No SSD there is or comes; with each look another DataNode registers. */
  @Test
  void manyDataNodes_othersKeepComing_callLooksOnce() {
    UniformBlockPlacementPolicy ours = start();
    Thread caller = Thread.currentThread();
    int[] toCome = {1_000}; // some with each look
    cluster.topology.add(
        new DatanodeDescriptor(
            new DatanodeID("10.9.9.8", "gate", "uuid-gate", 9866, 9864, 9865, 9867), "/r0") {
          @Override
          public DatanodeStorageInfo[] getStorageInfos() {
            if (Thread.currentThread() == caller && toCome != null && toCome[0] > 0) {
              toCome[0]--;
              cluster.add("/r0");
            }
            return super.getStorageInfos();
          }
        });
    BlockStoragePolicy allSsd = TestCluster.storagePolicy("ALL_SSD");
    assertThat(TestCluster.choose(ours, 3, null, allSsd, List.of())).hasSize(3);
    assertThat(toCome[0]).as("not looked until they all were there").isGreaterThan(900);
  }

  /**
   * The NameNode judges all blocks when the first DataNode of a second rack comes, and only then.
   */
  @Test
  void manyDataNodes_secondRackComes_blocksOfOneRackAreMisplacedAtOnce() {
    for (int i = 0; i < NODES; i++) {
      cluster.add("/r0");
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(verify(ours)).isTrue();
    cluster.add("/r1");
    assertThat(verify(ours)).isFalse();
    DatanodeInfo[] replicas = {cluster.nodes.get(0), cluster.nodes.get(1), cluster.nodes.get(2)};
    assertThat(cluster.stock().verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied())
        .isFalse();
  }

  @Test
  void lookFails_placingGoesOnAndLooksGoOnAfterwards() throws Exception {
    UniformBlockPlacementPolicy ours = start();
    try (LogLines log = LogLines.of(NameNodePlacement.class)) {
      watched.fault = new IllegalStateException("a look");
      Await.until(
          "two looks failed",
          () -> {
            assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
            return watched.broken.get() > 2;
          });
      assertThat(log.at("ERROR")).hasSize(1);
    }
    long looks = ours.nameNode().looks();
    watched.fault = null;
    Await.until(
        "a look succeeds",
        () -> {
          assertThat(verify(ours)).isTrue();
          return ours.nameNode().looks() > looks;
        });
  }

  /** Waits for the time after which callers look themselves. */
  @Test
  @Tag("slow")
  void threadDies_callersLookNowAndThen() throws Exception {
    UniformBlockPlacementPolicy ours = start();
    watched.fault = new LinkageError("the thread");
    Await.until(
        "the thread is gone",
        () -> {
          assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
          return watched.broken.get() == 1;
        });
    watched.askedBy.clear();
    DatanodeDescriptor comes = cluster.add("/r0");
    Await.until(
        "the new one is seen",
        () -> {
          assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
          return ours.index().number(comes) >= 0;
        });
    assertThat(watched.askedBy).containsExactly(Thread.currentThread().getName());
  }

  private static Set<Thread> threads() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(thread -> !thread.getName().equals(NAME));
    return found;
  }

  @Test
  void policiesExchanged_stateAndThreadStay_andEndWithTheLastOne() throws Exception {
    Set<Thread> others = threads();
    cluster.add("/r0");
    UniformBlockPlacementPolicy before = cluster.ours();
    NameNodePlacement nameNode = before.nameNode();
    UniformBlockPlacementPolicy after = cluster.ours();
    UniformStripedBlockPlacementPolicy striped = cluster.oursStriped();
    assertThat(after.nameNode()).isSameAs(nameNode);
    assertThat(striped.nameNode()).isSameAs(nameNode);
    Set<Thread> ours = threads();
    ours.removeAll(others);
    ours.removeIf(thread -> !thread.isAlive());
    assertThat(ours).hasSize(1).allMatch(Thread::isDaemon);
    WeakReference<NameNodePlacement> left = new WeakReference<>(nameNode);
    nameNode = null;
    before = null;
    after = null;
    striped = null;
    // the topology stays, as when stock's policies took over
    Await.untilCollected(left);
    Await.until("the thread ends", () -> ours.stream().noneMatch(Thread::isAlive));
    assertThat(cluster.ours().index().size()).as("and comes again with others").isEqualTo(1);
  }
}
