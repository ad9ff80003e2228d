package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks the NameNode wants cached. If another operation holds the block, it is cached afterwards,
 * unless the NameNode withdraws the order before. Separate from the dataset because it has a state
 * of its own, and in Hadoop's package for stock's asynchronous service. Thread-safe.
 */
final class DeferredCaching {
  private static final Logger LOG = LoggerFactory.getLogger(FsDatasetImpl.class);

  private final FineGrainedDataset dataset;

  /** Thread-safe by itself; that a block is taken out and cached in one step is guarded by this. */
  private final Set<ExtendedBlockId> waiting = ConcurrentHashMap.newKeySet();

  DeferredCaching(FineGrainedDataset dataset) {
    this.dataset = dataset;
  }

  void cache(String pool, long blockId) {
    ExtendedBlockId block = new ExtendedBlockId(blockId, pool);
    waiting.add(block);
    cacheIfFree(block);
  }

  @SuppressWarnings("try") // an operation is there for its begin and end
  private void cacheIfFree(ExtendedBlockId block) {
    try (Operation operation =
        dataset
            .operations()
            .begin(OperationKind.CACHE, block.getBlockPoolId(), block.getBlockId())) {
      if (operation.keepLockOr(0, () -> cacheLater(block))) {
        cacheUnlessForgotten(block);
      }
    }
  }

  /** In one step, or the NameNode's next word would come before this one. Does no I/O. */
  private synchronized void cacheUnlessForgotten(ExtendedBlockId block) {
    if (waiting.remove(block)) {
      dataset.cacheNow(block.getBlockPoolId(), block.getBlockId());
    }
  }

  /** By the thread that deletes on the block's volume; never, where there is none any more. */
  private void cacheLater(ExtendedBlockId block) {
    String pool = block.getBlockPoolId();
    ReplicaInfo replica = dataset.volumeMap.get(pool, block.getBlockId());
    try {
      if (replica != null) {
        FsVolumeImpl volume = (FsVolumeImpl) replica.getVolume();
        dataset.asyncDiskService.execute(volume, () -> cacheIfWanted(block));
        return;
      }
    } catch (RuntimeException e) { // the volume is being removed
      LOG.info("Replica {} of block pool {} is not cached, its volume goes: {}", replica, pool, e);
    }
    waiting.remove(block);
  }

  /** It goes on waiting meanwhile, so that the NameNode may take it back at any moment. */
  private void cacheIfWanted(ExtendedBlockId block) {
    if (waiting.contains(block)) {
      cacheIfFree(block);
    }
  }

  /** The NameNode no longer wants them cached. */
  synchronized void forget(String pool, long[] blockIds) {
    for (long id : blockIds) {
      waiting.remove(new ExtendedBlockId(id, pool));
    }
  }
}
