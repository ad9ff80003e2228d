package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;

/**
 * Keeps volumes that are being removed from leaving something in the map. Stock's recoveries hold
 * no reference to the volume of their replica, and may put a replica back whose volume was removed.
 * Here they hold one from when they have the block's lock; before, it may be moved. A volume that
 * is closed gives none any more, but the removal looks at the map only when the last one has left,
 * and then with a pause of up to 5 s; until it has, its blocks are recovered as in stock, and what
 * they put back afterwards is taken out here. The removal returns when they have ended, as stock's
 * does, or the volume would be read anew with files that are just being renamed. Thread-safe.
 */
final class VolumeRemovals {
  private final FineGrainedDataset dataset;
  private final Queue<Recovered> recovered = new ConcurrentLinkedQueue<>();

  /** The volume of each operation that works on a closed one. Guarded by this. */
  private final List<FsVolumeImpl> withoutReference = new ArrayList<>();

  VolumeRemovals(FineGrainedDataset dataset) {
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

  /**
   * Keeps the volume of a block's replica from going away until closed, perhaps more than once. Of
   * one thread.
   */
  final class Hold implements Closeable {
    private final ExtendedBlock block;
    private FsVolumeImpl volume; // null for none
    private FsVolumeReference reference; // null where the volume was closed

    private Hold(ExtendedBlock block) {
      this.block = block;
    }

    /** The volume the replica is on now; the caller has locked the block. */
    private void holdPresent() {
      ReplicaInfo replica = dataset.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
      FsVolumeImpl present = replica == null ? null : (FsVolumeImpl) replica.getVolume();
      if (present == volume) {
        return;
      }
      close();
      volume = present;
      if (present != null) {
        try {
          reference = present.obtainReference();
        } catch (ClosedChannelException e) {
          begin(present);
        }
      }
    }

    @Override
    public void close() {
      FsVolumeImpl held = volume;
      volume = null;
      if (reference != null) {
        try {
          reference.close();
        } catch (IOException e) {
          FsDatasetImpl.LOG.warn(
              "A reference to volume {} was not released", held, e); // does not happen
        }
        reference = null;
      } else if (held != null) {
        recovered.add(new Recovered(block, held));
        end(held);
        forgetIfGone();
      }
    }
  }

  /**
   * Keeps the volume of a block's replica from going away, from each time the operation locks the
   * block until closed.
   */
  Hold hold(Operation operation, ExtendedBlock block) {
    Hold hold = new Hold(block);
    if (operation.holds()) {
      hold.holdPresent();
    }
    operation.whenLocked(hold::holdPresent);
    return hold;
  }

  private synchronized void begin(FsVolumeImpl closed) {
    withoutReference.add(closed);
  }

  private synchronized void end(FsVolumeImpl closed) {
    withoutReference.remove(closed);
    notifyAll();
  }

  /** After some volumes were removed: waits for who works on them, then forgets what that left. */
  void removed() {
    boolean interrupted = false;
    synchronized (this) {
      while (withoutReference.stream().anyMatch(this::isGone)) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true; // stock's lock is not interrupted
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    forgetIfGone();
  }

  /**
   * Some volumes may have gone. Who adds a block and looks before their storages are unknown leaves
   * it to this, which comes afterwards.
   */
  private void forgetIfGone() {
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
