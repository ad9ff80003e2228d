package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy.Creation;
import io.evenkeel.locking.dataset.DeletionOrder;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * Creations of replicas. The block's lock is held over the whole of stock's call, so nobody comes
 * between its look at the map and the new entry. A writer that must stop needs the lock to leave,
 * so it is stopped before; and what a new replica replaces is taken away before, for its disk may
 * hang. Separate from the dataset as {@link ReplicaDeletions} are. Thread-safe.
 */
final class ReplicaCreations {
  private final FineGrainedDataset dataset;

  ReplicaCreations(FineGrainedDataset dataset) {
    this.dataset = dataset;
  }

  /**
   * By stock's call {@code making}; {@code newGs} is 0 unless it replaces an older replica. That
   * one stock takes away itself, and it stays in the map until the new one is there. Its volume is
   * held until its files are gone: the disk of the new one may hang. But where volumes are barred
   * it is taken away before, without the lock: there may be none for the new one when it has gone,
   * and that is to be waited for.
   */
  ReplicaHandler createRbw(ExtendedBlock b, long newGs, CreationWait wait, Making making)
      throws IOException {
    if (newGs == 0) {
      refuseIfThere(b); // whoever has the block may hang
    }
    ReplicaInfo first = null;
    ReplicaInfo taken = null; // or was to be
    for (boolean again = false; ; again = true) {
      boolean waits;
      try (Operation operation = beginCreation(OperationKind.CREATE_RBW, b, wait)) {
        ReplicaInfo known = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
        if (!again) {
          first = known;
        } else if (known != first && known != null && known.getGenerationStamp() >= newGs) {
          refuseIfThere(b); // it has come while this waited, where stock waits for nothing
        }
        ReplicaInfo replaced =
            newGs != 0 && isOurs(known) && known != taken && !isWritten(known) ? known : null;
        waits = !wait.isOver();
        if (!waits && !(wait.isBarred() && replaced != null)) {
          try (VolumeRemovals.Hold older = dataset.volumeRemovals.hold(operation, b)) {
            return make(b, making, older::close);
          }
        }
        taken = waits ? taken : replaced;
      }
      if (waits) {
        wait.await();
      } else {
        dataset.deletions.deleteNow(DeletionOrder.nowOrNever(b.getBlockPoolId(), taken));
      }
    }
  }

  /** Its writer gives back what is reserved for it, as in stock. */
  private static boolean isWritten(ReplicaInfo replica) {
    return replica instanceof ReplicaInPipeline
        && !((ReplicaInPipeline) replica).attemptToSetWriter(null, null);
  }

  private static boolean isOurs(ReplicaInfo replica) {
    return replica != null && replica.getVolume().getStorageType() != StorageType.PROVIDED;
  }

  /** With the block's lock, kept; not waited for without end, since another creation may hang. */
  private Operation beginCreation(OperationKind kind, ExtendedBlock b, CreationWait wait)
      throws IOException {
    Operation operation = dataset.operations().begin(kind, b.getBlockPoolId(), b.getBlockId());
    if (operation == null) {
      throw new IOException("block pool " + b.getBlockPoolId() + " is not found");
    }
    if (!operation.keepLockOr(wait.leftNanos(), () -> {})) {
      operation.close();
      throw new IOException("Block " + b + " is in use, perhaps on a disk that hangs");
    }
    return operation;
  }

  /** Stock's creation. */
  interface Making {
    ReplicaHandler make() throws IOException;
  }

  /**
   * By stock's call {@code making}. An older replica that this one replaces is taken away first,
   * and without the lock: its writer needs the lock to leave, and its disk may hang.
   */
  ReplicaHandler createTemporary(
      ExtendedBlock b, boolean isTransfer, CreationWait wait, Making making) throws IOException {
    boolean goes = true;
    while (true) {
      ReplicaInPipeline written = null;
      DeletionOrder older = null;
      boolean waits;
      try (Operation operation = beginCreation(OperationKind.CREATE_TEMPORARY, b, wait)) {
        refuseIfStands(b, isTransfer);
        older = goes ? replacedBy(b, isTransfer) : null;
        waits = !wait.isOver();
        written = waits ? null : writtenBefore(b);
        if (!waits && written == null && older == null) {
          return make(b, making, () -> {});
        }
      }
      if (waits) {
        wait.await();
        continue;
      }
      if (wait.leftNanos() == 0) {
        throw new IOException("Unable to stop existing writer for block " + b + " in time");
      }
      if (written != null) {
        written.stopWriter(dataset.stopTimeoutMillis());
      } else {
        goes = dataset.deletions.deleteNow(older);
      }
    }
  }

  /** The caller has locked the block; {@code whenChoosing} is done before a volume is chosen. */
  private ReplicaHandler make(ExtendedBlock b, Making making, Runnable whenChoosing)
      throws IOException {
    try (Creation creation =
        AvoidingVolumeChoosingPolicy.begin(
            () -> dataset.deletions.inTheWay(b.getBlockPoolId(), b.getBlockId()), whenChoosing)) {
      ReplicaHandler made = orClosed(b, making.make());
      // at the next start they would come to the place where this one is finalized
      FsVolumeImpl disk = (FsVolumeImpl) made.getReplica().getReplicaInfo().getVolume();
      dataset.deletions.deleteSavedNow(b, disk);
      return made;
    }
  }

  /** As stock, which asks for no lock of the block to look. */
  private void refuseIfThere(ExtendedBlock b) throws ReplicaAlreadyExistsException {
    ReplicaInfo replica = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    if (replica != null) {
      throw new ReplicaAlreadyExistsException(
          "Block "
              + b
              + " already exists in state "
              + replica.getState()
              + " and thus cannot be created.");
    }
  }

  /** As stock does first: a temporary one does not take the place of that. */
  private void refuseIfStands(ExtendedBlock b, boolean isTransfer)
      throws ReplicaAlreadyExistsException {
    ReplicaInfo replica = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    if (!isOurs(replica)) {
      return;
    }
    boolean isWritten =
        replica.getState() == ReplicaState.TEMPORARY || replica.getState() == ReplicaState.RBW;
    if (replica.getGenerationStamp() >= b.getGenerationStamp() || !isTransfer && !isWritten) {
      refuseIfThere(b);
    }
  }

  /**
   * Deletes what stock would delete for a new temporary one; null for nothing. It holds for the
   * replica there is now: once the lock is given back that one may be finalized or recovered, and
   * then the new one is refused and must not have cost it.
   */
  private DeletionOrder replacedBy(ExtendedBlock b, boolean isTransfer) {
    ReplicaInfo replica = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    boolean replaced =
        isOurs(replica)
            && replica.getGenerationStamp() < b.getGenerationStamp()
            && (isTransfer
                || replica.getState() == ReplicaState.TEMPORARY
                || replica.getState() == ReplicaState.RBW);
    return replaced ? DeletionOrder.nowOrNever(b.getBlockPoolId(), replica) : null;
  }

  /**
   * A new replica whose volume was not closed meanwhile. Who closes it looks for writers in the map
   * afterwards, and this looks whether it is closed after the replica came into the map: one of
   * both sees the other. What was made for nothing is taken away again; nobody knows of it yet.
   */
  private ReplicaHandler orClosed(ExtendedBlock b, ReplicaHandler created) throws IOException {
    try {
      return FineGrainedDataset.ifOpen(b, created);
    } catch (ClosedChannelException e) {
      try (ReplicaHandler closing = created) {
        ReplicaInfo replica = closing.getReplica().getReplicaInfo();
        if (dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId()) == replica) {
          dataset.volumeMap.remove(b.getBlockPoolId(), b.getBlockId());
        }
        replica.deleteBlockData();
        replica.deleteMetadata();
      }
      throw e;
    }
  }

  /** The replica whose writer stock would stop for a new temporary one, or null. */
  private ReplicaInPipeline writtenBefore(ExtendedBlock b) {
    ReplicaInfo replica = dataset.volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    boolean older =
        replica instanceof ReplicaInPipeline
            && (replica.getGenerationStamp() < b.getGenerationStamp()
                || replica.getVolume().getStorageType() == StorageType.PROVIDED);
    if (!older) {
      return null; // nothing to stop, or stock refuses the new one
    }
    ReplicaInPipeline written = (ReplicaInPipeline) replica;
    // only asks: a writer that is left there is interrupted when that replica's volume goes
    return written.attemptToSetWriter(null, null) ? null : written;
  }
}
