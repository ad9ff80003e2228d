package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.io.Closeable;
import java.nio.channels.ClosedChannelException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * Keeps volumes that are being removed from leaving something in the map. Stock's recoveries hold
 * no reference to the volume of their replica, and may put a replica back whose volume was removed.
 * Here they hold one. A volume that is closed gives none any more, but the removal looks at the map
 * only when the last one has left, and then with a pause of up to 5 s; until it has, its blocks are
 * recovered as in stock, and what they put back afterwards is taken out here. Thread-safe.
 */
final class LeavingVolumes {
  private final FineGrainedDataset dataset;
  private final Queue<Recovered> recovered = new ConcurrentLinkedQueue<>();

  LeavingVolumes(FineGrainedDataset dataset) {
    this.dataset = dataset;
  }

  /** A block that was recovered on a volume that was closed. */
  private static final class Recovered {
    private final String pool;
    private final long blockId;
    private final FsVolumeImpl volume;

    private Recovered(ExtendedBlock b, FsVolumeImpl volume) {
      this.pool = b.getBlockPoolId();
      this.blockId = b.getBlockId();
      this.volume = volume;
    }
  }

  /** Keeps the volume of a block's replica from going away until closed. */
  Closeable hold(ExtendedBlock b) {
    ReplicaInfo replica = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    if (replica == null) {
      return () -> {};
    }
    FsVolumeImpl volume = (FsVolumeImpl) replica.getVolume();
    try {
      return volume.obtainReference();
    } catch (ClosedChannelException e) {
      return () -> {
        recovered.add(new Recovered(b, volume));
        forgetIfGone();
      };
    }
  }

  /**
   * Some volumes may have gone. Who adds a block and looks before their storages are unknown leaves
   * it to this, which comes afterwards.
   */
  void forgetIfGone() {
    recovered.removeIf(
        each -> {
          boolean gone = isGone(each.volume);
          if (gone) {
            forget(each);
          }
          return gone;
        });
  }

  /** Its storage is unknown, or that of another volume, which came back since. */
  private boolean isGone(FsVolumeImpl closed) {
    String id = closed.getStorageID();
    return !dataset.storageMap.containsKey(id)
        || dataset.getVolumeList().stream().anyMatch(each -> each.getStorageID().equals(id));
  }

  /** Under the block's lock: a new replica may come to another volume. */
  @SuppressWarnings("try") // an operation is there for its begin and end
  private void forget(Recovered block) {
    Operation begun =
        dataset.operations().begin(OperationKind.UPDATE_RECOVERY, block.pool, block.blockId);
    if (begun == null) {
      return; // its pool is closed, and takes the entry with it
    }
    try (Operation operation = begun) {
      if (operation.keepLockOr(0, () -> forget(block))) {
        ReplicaInfo now = dataset.volumeMap.get(block.pool, block.blockId);
        if (now != null && now.getVolume() == block.volume) {
          dataset.volumeMap.remove(block.pool, block.blockId);
        }
      }
    }
  }
}
