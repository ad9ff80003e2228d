package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.namenode.DataNodeIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

/** Policies of one NameNode whose keys differ: its own decides, and the others read. */
class IndexOwnerTest {
  private static final String HOST_KEY = "evenkeel.placement.host-key";

  private final TestCluster cluster = TestCluster.flat();

  /** DataNodes 2 n and 2 n + 1 are on the machine with address n. */
  IndexOwnerTest() {
    for (int i = 0; i < 12; i++) {
      cluster.add("/r" + i % 4 / 2, "10.0.0." + i / 2, StorageType.DISK);
    }
  }

  /** As {@code hdfs fsck} has the NameNode create it for each run. */
  private UniformBlockPlacementPolicy fsck() {
    return PlacementTesting.start(
        new UniformBlockPlacementPolicy(), cluster.conf, null, cluster.topology, cluster.hosts);
  }

  private boolean satisfied(BlockPlacementPolicy policy, int... replicas) {
    DatanodeInfo[] nodes = new DatanodeInfo[replicas.length];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = cluster.nodes.get(replicas[i]);
    }
    return policy.verifyBlockPlacement(nodes, nodes.length).isPlacementPolicySatisfied();
  }

  @Test
  void fsck_keysChangedSince_judgesByThoseOfTheNameNodeAndRebuildsNothing() {
    UniformBlockPlacementPolicy nameNode = cluster.ours();
    TestCluster.choose(nameNode, 3, null);
    DataNodeIndex index = nameNode.nameNode().latest();
    cluster.conf.set(HOST_KEY, "none");
    cluster.conf.set("evenkeel.placement.few-hosts", "strict");
    UniformBlockPlacementPolicy fsck = fsck();
    assertThat(satisfied(fsck, 0, 1, 2)).as("0 and 1 are one machine").isFalse();
    assertThat(satisfied(nameNode, 0, 1, 2)).isFalse();
    assertThat(fsck.strict()).isFalse();
    assertThat(nameNode.nameNode().latest()).isSameAs(index);
  }

  @Test
  void policyIsExchanged_newOneDecidesAndTheOldOneRebuildsNothing() {
    UniformBlockPlacementPolicy before = cluster.ours();
    TestCluster.choose(before, 3, null);
    cluster.conf.set(HOST_KEY, "none");
    UniformBlockPlacementPolicy after = cluster.ours();
    assertThat(satisfied(after, 0, 1, 2)).as("each DataNode is a host").isTrue();
    DataNodeIndex index = after.nameNode().latest();
    TestCluster.choose(before, 3, null);
    assertThat(satisfied(before, 0, 1, 2)).isTrue();
    TestCluster.choose(after, 3, null);
    assertThat(after.nameNode().latest()).isSameAs(index);
  }

  /** As Balancer and Mover do in each of their rounds. */
  @Test
  void tool_withATopologyOfItsOwn_startsNoThread() {
    Set<Thread> before = indexThreads();
    NetworkTopology own = NetworkTopology.getInstance(cluster.conf);
    BlockPlacementPolicy tool =
        PlacementTesting.start(new UniformBlockPlacementPolicy(), cluster.conf, null, own, null);
    List<DatanodeInfo> block = new ArrayList<>(cluster.nodes.subList(0, 3));
    tool.isMovable(block, block.get(0), cluster.nodes.get(8));
    assertThat(before).containsAll(indexThreads());
  }

  private static Set<Thread> indexThreads() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(thread -> !thread.getName().equals("evenkeel-placement-index"));
    return found;
  }
}
