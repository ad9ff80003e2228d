package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.Test;

/** How many blocks a failover would have copied, estimated by a sample. */
class MisplacedBlocksTest {
  private final TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);

  private List<DatanodeDescriptor> nodes(int... numbers) {
    return Arrays.stream(numbers).mapToObj(cluster.nodes::get).toList();
  }

  /** Blocks with replicas on these DataNodes, of which 0 and 1, 2 and 3 and so on share a host. */
  private void blocks(int from, int count, int... on) {
    for (int i = 0; i < count; i++) {
      PlacementTesting.addBlock(from + i, nodes(on));
    }
  }

  @Test
  void estimate_someBlocksShareAHost_isAboutTheirNumber() {
    blocks(0, 6_000, 0, 6, 8);
    blocks(10_000, 2_000, 0, 1, 6);
    blocks(20_000, 2_000, 2, 8); // of two replicas
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.misplaced().blocks()).isBetween(9_400L, 10_600L);
    assertThat(ours.misplaced().misplacedBlocks())
        .isBetween(1_100L, 2_900L); // four deviations of a sample of 300
  }

  @Test
  void estimate_allAreWellPlaced_isNone() {
    blocks(0, 500, 0, 6, 8);
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.misplaced().sampled()).isPositive();
    assertThat(ours.misplaced().misplacedBlocks()).isZero();
  }

  @Test
  void estimate_noBlocks_isNone() {
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    assertThat(ours.misplaced().sampled()).isZero();
    assertThat(ours.misplaced().blocks()).isZero();
  }
}
