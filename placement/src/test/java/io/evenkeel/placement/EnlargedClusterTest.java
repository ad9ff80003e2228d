package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.config.PlacementKeys;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 40 DataNodes of 100 GiB that are 85 % full and 20 empty ones: how many blocks of 1 GiB are
 * written, with 60 in flight, before the first DataNode has no room.
 */
class EnlargedClusterTest {
  private static final int OLD = 40;
  private static final int NEW = 20;

  private TestCluster cluster;
  private final Deque<DatanodeStorageInfo[]> inFlight = new ArrayDeque<>();
  private final long[] remaining = new long[OLD + NEW];

  /** The new DataNodes are four of twelve racks, or stand among the old ones. */
  private void start(boolean racksApart) {
    cluster = TestCluster.flat();
    inFlight.clear();
    for (int n = 0; n < OLD + NEW; n++) {
      DatanodeDescriptor node =
          cluster.add("/r" + (racksApart ? n / 5 : n % 12), "10.0.0." + n, StorageType.DISK);
      remaining[n] = n < OLD ? 15 : 100;
      heartbeat(node);
    }
  }

  private void heartbeat(DatanodeDescriptor node) {
    long left = remaining[cluster.nodes.indexOf(node)];
    TestCluster.heartbeat(node, left * TestCluster.GIB, 0, StorageType.DISK);
  }

  private int firstFull(BlockPlacementPolicy policy) {
    for (int block = 1; ; block++) {
      if (inFlight.size() == OLD + NEW) {
        complete(inFlight.remove());
      }
      DatanodeStorageInfo[] targets = TestCluster.choose(policy, 3, null);
      assertThat(TestCluster.addresses(TestCluster.nodesOf(targets))).hasSize(3);
      assertThat(TestCluster.racks(TestCluster.nodesOf(targets))).hasSize(2);
      inFlight.add(targets);
      boolean full = false;
      for (DatanodeStorageInfo target : targets) {
        DatanodeDescriptor node = target.getDatanodeDescriptor();
        PlacementTesting.schedule(node, StorageType.DISK);
        full |= node.getBlocksScheduled(StorageType.DISK) >= remaining[cluster.nodes.indexOf(node)];
      }
      if (full) {
        return block;
      }
    }
  }

  private void complete(DatanodeStorageInfo[] block) {
    for (DatanodeStorageInfo target : block) {
      DatanodeDescriptor node = target.getDatanodeDescriptor();
      PlacementTesting.unschedule(node, StorageType.DISK);
      remaining[cluster.nodes.indexOf(node)]--;
      heartbeat(node);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void choose_byRemaining_firstFullAfterMoreBlocksThanWithAnyPolicyOfStock(boolean racksApart) {
    start(racksApart);
    int stock = firstFull(cluster.stock());
    start(racksApart);
    cluster.conf.set(
        "dfs.namenode.available-space-block-placement-policy.balanced-space-preference-fraction",
        "1.0");
    int availableSpace = firstFull(cluster.start(new AvailableSpaceBlockPlacementPolicy()));
    start(racksApart);
    int byVolumes = firstFull(cluster.ours());
    start(racksApart);
    cluster.conf.set(PlacementKeys.WEIGHT.name(), "remaining");
    int byRemaining = firstFull(cluster.ours());
    assertThat(byVolumes).isGreaterThan(stock);
    assertThat(byRemaining).isGreaterThan(420).isGreaterThan(availableSpace);
  }
}
