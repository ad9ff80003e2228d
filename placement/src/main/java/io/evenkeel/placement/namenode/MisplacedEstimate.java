package io.evenkeel.placement.namenode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;

/**
 * How many blocks of a NameNode its placement policy would have moved when it looks at all of them,
 * as a NameNode does when it becomes active or starts: an estimate by a sample, taken on a standby
 * without the namesystem's lock. Immutable. Separate from what the policies share, which says when
 * it is made.
 */
public final class MisplacedEstimate {
  private static final int STORAGES = 200;
  private static final int BLOCKS_OF_EACH = 50;

  private final int sampled;
  private final int misplaced;
  private final double blocks;
  private final double misplacedBlocks;

  private MisplacedEstimate(int sampled, int misplaced, double blocks, double misplacedBlocks) {
    this.sampled = sampled;
    this.misplaced = misplaced;
    this.blocks = blocks;
    this.misplacedBlocks = misplacedBlocks;
  }

  /**
   * Takes a sample.
   *
   * @param satisfied whether replicas of a block with that many wanted are well placed
   */
  static MisplacedEstimate of(
      List<DatanodeDescriptor> nodes,
      BiPredicate<BlockInfo, DatanodeInfo[]> satisfied,
      Random random) {
    TreeMap<Long, DatanodeStorageInfo> storages = new TreeMap<>(); // by the replicas before
    long replicas = 0;
    for (DatanodeDescriptor node : nodes) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        int blocks = EvenkeelPlacementBridge.blocks(storage);
        if (blocks > 0) {
          storages.put(replicas, storage);
          replicas += blocks;
        }
      }
    }
    int sampled = 0;
    int misplaced = 0;
    double weights = 0; // a block is met as often as it has replicas
    double misplacedWeights = 0;
    for (int i = 0; i < STORAGES && replicas > 0; i++) {
      long replica = (long) (random.nextDouble() * replicas);
      DatanodeStorageInfo storage = storages.floorEntry(replica).getValue();
      int last = EvenkeelPlacementBridge.blocks(storage) - BLOCKS_OF_EACH;
      int skip = random.nextInt(Math.max(1, last));
      for (BlockInfo block : EvenkeelPlacementBridge.someBlocks(storage, skip, BLOCKS_OF_EACH)) {
        DatanodeInfo[] places = places(block);
        if (block.isComplete() && places.length > 0) {
          boolean good = satisfied.test(block, places);
          sampled++;
          misplaced += good ? 0 : 1;
          weights += 1.0 / places.length;
          misplacedWeights += good ? 0 : 1.0 / places.length;
        }
      }
    }
    double blocks = sampled == 0 ? 0 : replicas * weights / sampled;
    return new MisplacedEstimate(
        sampled, misplaced, blocks, weights == 0 ? 0 : blocks * misplacedWeights / weights);
  }

  /**
   * Replicas or internal blocks the block is to have; of those the NameNode has not heard of yet,
   * or has made anyhow, none is missing somewhere.
   */
  static int wanted(BlockInfo block, int there) {
    int all =
        block.isStriped()
            ? ((BlockInfoStriped) block).getRealTotalBlockNum()
            : block.getReplication();
    return Math.min(all, there);
  }

  /** The DataNodes with a replica. */
  static DatanodeDescriptor[] places(BlockInfo block) {
    List<DatanodeDescriptor> places = new ArrayList<>();
    for (Iterator<DatanodeStorageInfo> all = block.getStorageInfos(); all.hasNext(); ) {
      DatanodeStorageInfo storage = all.next();
      if (storage != null) {
        places.add(storage.getDatanodeDescriptor());
      }
    }
    return places.toArray(new DatanodeDescriptor[0]);
  }

  /** Blocks looked at. */
  public int sampled() {
    return sampled;
  }

  /** Of those, how many are misplaced. */
  public int misplaced() {
    return misplaced;
  }

  /** Blocks of the NameNode that would count as misplaced, about. */
  public long misplacedBlocks() {
    return Math.round(misplacedBlocks);
  }

  /** Blocks of the NameNode, about. */
  public long blocks() {
    return Math.round(blocks);
  }

  @Override
  public String toString() {
    return "about "
        + misplacedBlocks()
        + " of about "
        + blocks()
        + " blocks ("
        + misplaced
        + " of "
        + sampled
        + " sampled) would count as misplaced";
  }
}
