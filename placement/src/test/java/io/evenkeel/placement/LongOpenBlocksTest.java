package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tenth of the DataNodes hold blocks that stay open, as write-ahead logs do, while all others
 * complete theirs in order: what the tenth is given, with stock's default policy beside ours.
 */
class LongOpenBlocksTest {
  private static final int NODES = 100;
  private static final int HOLDING = 10;
  private static final int SEEN = 6_000;
  private static final int COUNTED = 10_000;
  private static final int HEARTBEAT = 30;

  private final TestCluster cluster = TestCluster.flat();
  private final Set<DatanodeDescriptor> holding = new HashSet<>();
  private boolean considerLoad;

  private void start(int open) {
    for (int i = 0; i < NODES; i++) {
      cluster.add("/r" + i % 10, "10.0.0." + i, StorageType.DISK);
    }
    for (int i = 0; i < HOLDING; i++) {
      DatanodeDescriptor node = cluster.nodes.get(i * HOLDING + i);
      holding.add(node);
      for (int k = 0; k < open; k++) {
        PlacementTesting.schedule(node, StorageType.DISK);
      }
    }
  }

  /** Share of the replicas, in percent, with so many blocks in flight that are soon complete. */
  private double share(BlockPlacementPolicy policy, int inFlight) {
    return share(policy, inFlight, targets -> {});
  }

  /** The same, with something that is done to each choice's replicas on the tenth at once. */
  private double share(
      BlockPlacementPolicy policy, int inFlight, Consumer<DatanodeStorageInfo[]> atOnce) {
    Deque<DatanodeStorageInfo[]> soon = new ArrayDeque<>();
    int given = 0;
    int all = 0;
    for (int block = 0; block < SEEN + COUNTED; block++) {
      DatanodeStorageInfo[] targets = TestCluster.choose(policy, 3, null);
      soon.add(targets);
      for (DatanodeStorageInfo target : targets) {
        DatanodeDescriptor node = target.getDatanodeDescriptor();
        PlacementTesting.schedule(node, StorageType.DISK);
        all += block < SEEN ? 0 : 1;
        given += block >= SEEN && holding.contains(node) ? 1 : 0;
        if (holding.contains(node)) {
          atOnce.accept(new DatanodeStorageInfo[] {target});
        }
      }
      if (soon.size() > inFlight) {
        complete(soon.remove());
      }
      if (considerLoad && block % HEARTBEAT == 0) {
        heartbeats();
      }
    }
    soon.forEach(LongOpenBlocksTest::complete);
    return 100.0 * given / all;
  }

  /** A writer for each block in flight, those that stay open included. */
  private void heartbeats() {
    int all = 0;
    for (DatanodeDescriptor node : cluster.nodes) {
      int writers = node.getBlocksScheduled();
      all += writers;
      TestCluster.heartbeat(node, 100 * TestCluster.GIB, writers, StorageType.DISK);
    }
    cluster.averageXceivers = all / (double) NODES;
  }

  private static void complete(DatanodeStorageInfo[] block) {
    for (DatanodeStorageInfo target : block) {
      PlacementTesting.unschedule(target.getDatanodeDescriptor(), StorageType.DISK);
    }
  }

  /**
   * Stock takes a block that came from elsewhere, as from the Balancer, for one that it scheduled:
   * a tenth of the DataNodes whose count falls with each block looks idle and gets no more for it.
   */
  @ParameterizedTest
  @ValueSource(ints = {33, 100, 300})
  void choose_countOfATenthFallsTooEarly_getsItsShare(int inFlight) {
    start(0);
    assertThat(share(cluster.ours(), inFlight, LongOpenBlocksTest::complete)).isLessThan(10.6);
  }

  /** The fair share is a tenth; what is drawn by chance differs from it by 0.3 points. */
  @ParameterizedTest
  @CsvSource({"4, 33", "64, 100"})
  void choose_aTenthHoldsOpenBlocks_getsItsShare(int open, int inFlight) {
    start(open);
    double stock = share(cluster.stock(), inFlight);
    assertThat(share(cluster.ours(), inFlight)).isGreaterThan(0.92 * stock);
  }

  @ParameterizedTest
  @Tag("slow") // the same from one open block to 64; the ends of it run above
  @CsvSource({"1, 33", "2, 33", "64, 33", "1, 100", "16, 100", "4, 300"})
  void choose_aTenthHoldsFewerOrMoreOpenBlocks_getsItsShare(int open, int inFlight) {
    choose_aTenthHoldsOpenBlocks_getsItsShare(open, inFlight);
  }

  /**
   * With considerLoad stock refuses a DataNode with more than twice the writers of the mean, and so
   * does ours: from some number of open blocks on the tenth gets little from either.
   */
  @ParameterizedTest
  @CsvSource({"4, 33", "16, 100"})
  void choose_aTenthHoldsOpenBlocksAndLoadIsConsidered_getsNoLessThanWithStock(
      int open, int inFlight) {
    considerLoad = true;
    start(open);
    heartbeats();
    double stock = share(cluster.stock(), inFlight);
    heartbeats();
    assertThat(share(cluster.ours(), inFlight)).isGreaterThan(0.92 * stock - 0.01);
  }

  @ParameterizedTest
  @Tag("slow") // the same from one open block to 64
  @CsvSource({"1, 33", "2, 33", "1, 100", "4, 100", "8, 100", "64, 100"})
  void choose_aTenthHoldsFewerOrMoreAndLoadIsConsidered_getsNoLessThanWithStock(
      int open, int inFlight) {
    choose_aTenthHoldsOpenBlocksAndLoadIsConsidered_getsNoLessThanWithStock(open, inFlight);
  }
}
