package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.namenode.MisplacedEstimate;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.Test;

/** How many blocks a failover would have copied, estimated by a sample. */
class MisplacedBlocksTest {
  private static final int HOSTS = 15; // in each of two racks, with two DataNodes each

  private final TestCluster cluster = TestCluster.withNodeGroups(2, HOSTS, 2);

  private List<DatanodeDescriptor> nodes(int... numbers) {
    return Arrays.stream(numbers).mapToObj(cluster.nodes::get).toList();
  }

  /** Blocks with replicas on these DataNodes, of which 0 and 1, 2 and 3 and so on share a host. */
  private void blocks(int from, int count, int... on) {
    for (int i = 0; i < count; i++) {
      PlacementTesting.addBlock(from + i, nodes(on));
    }
  }

  /** On all DataNodes, for each has a share in the sample. */
  @Test
  void estimate_someBlocksShareAHost_isAboutTheirNumber() {
    for (int host = 0; host < HOSTS; host++) {
      int one = 2 * host;
      int other = 2 * (HOSTS + host); // in the other rack
      int next = 2 * (HOSTS + (host + 1) % HOSTS);
      blocks(1000 * host, 400, one, other, next);
      blocks(1000 * host + 400, 134, one, one + 1, other + 1);
      blocks(1000 * host + 600, 134, one + 1, other + 1); // of two replicas
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    List<MisplacedEstimate> samples = Stream.generate(ours.nameNode()::misplaced).limit(9).toList();
    assertThat(mean(samples, MisplacedEstimate::blocks)).isBetween(9_400.0, 10_600.0);
    assertThat(mean(samples, MisplacedEstimate::misplacedBlocks)).isBetween(1_500.0, 2_500.0);
  }

  private static double mean(
      List<MisplacedEstimate> samples, ToLongFunction<MisplacedEstimate> of) {
    return samples.stream().mapToLong(of).average().orElseThrow();
  }

  @Test
  void estimate_allAreWellPlaced_isNone() {
    blocks(0, 500, 0, 2 * HOSTS, 2 * HOSTS + 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.nameNode().misplaced().sampled()).isPositive();
    assertThat(ours.nameNode().misplaced().misplacedBlocks()).isZero();
  }

  /** Its third replica is not reported yet, or is copied anyhow. */
  @Test
  void estimate_aReplicaIsNotThere_othersAreWellPlaced_isNone() {
    for (int i = 0; i < 500; i++) {
      PlacementTesting.addBlock(i, 3, nodes(0, 2 * HOSTS));
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.nameNode().misplaced().sampled()).isPositive();
    assertThat(ours.nameNode().misplaced().misplacedBlocks()).isZero();
  }

  @Test
  void estimate_noBlocks_isNone() {
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.nameNode().misplaced().sampled()).isZero();
    assertThat(ours.nameNode().misplaced().blocks()).isZero();
  }
}
