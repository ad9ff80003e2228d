package io.evenkeel.locking.dataset;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes that are being removed, on which nothing can be deleted any more. Stock takes away
 * the thread that deletes on a volume, and then waits for the block scanner's I/O on it, before it
 * closes the volume. From then on it ignores a deletion there; until then it throws a
 * RuntimeException, which ends the service of the whole pool. Thread-safe.
 */
public final class LeavingVolumes {
  private static final Logger LOG = LoggerFactory.getLogger(LeavingVolumes.class);

  private final Set<StorageLocation> leaving = ConcurrentHashMap.newKeySet();

  /** Removes volumes. */
  public void remove(Collection<StorageLocation> locations, Runnable removal) {
    leaving.addAll(locations);
    try {
      removal.run();
    } finally {
      leaving.removeAll(locations);
    }
  }

  /** Whether no volume is being removed. */
  public boolean none() {
    return leaving.isEmpty();
  }

  /**
   * Orders to delete the blocks that are not on such a volume.
   *
   * @param replicas gives the replica of a block, null for none
   */
  public Block[] orders(Block[] blocks, Function<Block, ReplicaInfo> replicas) {
    List<Block> orders = new ArrayList<>(blocks.length);
    for (Block block : blocks) {
      ReplicaInfo replica = replicas.apply(block);
      if (isLeaving(replica)) {
        LOG.warn("{} is being removed, ignore the deletion of {}", replica.getVolume(), block);
      } else {
        orders.add(new DeletionOrder(block, replica));
      }
    }
    return orders.toArray(new Block[0]);
  }

  private boolean isLeaving(ReplicaInfo replica) {
    return replica != null
        && replica.getVolume() != null
        && leaving.contains(replica.getVolume().getStorageLocation());
  }
}
