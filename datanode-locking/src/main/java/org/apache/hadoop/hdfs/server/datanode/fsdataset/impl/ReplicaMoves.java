package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves of replicas to other volumes. The copy is made without a lock and outside of the pool's
 * gate, as in stock: either disk may hang. It is renamed to its place without a lock, too. The
 * block is locked for two looks at the map that do no I/O: before the rename, whether the replica
 * is still the one that was copied, after which no other replica of the block is put on the target;
 * and after it, as the copy takes the replica's place. It is a shared lock, which does not block
 * readers. An operation that has the block exclusively, as all have that change the map's entry, is
 * waited for, and of several moves one at a time looks. Afterwards the old files are deleted like
 * those of any deletion: no replica of the block is put on their volume meanwhile, and other
 * operations go on. Separate from the dataset as {@link ReplicaDeletions} are. Thread-safe.
 */
final class ReplicaMoves {
  private static final Logger LOG = LoggerFactory.getLogger(FsDatasetImpl.class);

  /** How long those that have the block now are waited for before the old files go. */
  private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How often a move that waits looks whether its replica is still there. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final FineGrainedDataset dataset;
  private final List<Move> moves = new ArrayList<>(); // guarded by this

  /** A block each for the recoveries that are about to cut its file short. Guarded by this. */
  private final List<ExtendedBlockId> cuts = new ArrayList<>();

  ReplicaMoves(FineGrainedDataset dataset) {
    this.dataset = dataset;
  }

  /** One move, by the thread that began it. */
  final class Move implements AutoCloseable {
    private final ExtendedBlock block;
    private final ExtendedBlockId id;
    private final ReplicaInfo source;
    private final FsVolumeImpl target;
    private final long limitNanos = TimeUnit.MILLISECONDS.toNanos(dataset.stopTimeoutMillis());
    private final Thread thread = Thread.currentThread();
    private ReplicaInfo placed; // this and the next are used by its thread only
    private Deletion oldFiles;
    private boolean stopped; // guarded by the moves
    private boolean ended; // guarded by this

    private Move(ExtendedBlock block, ReplicaInfo source, FsVolumeImpl target) {
      this.block = block;
      this.id = ExtendedBlockId.fromExtendedBlock(block);
      this.source = source;
      this.target = target;
    }

    /**
     * Renames the copy to its place and puts it into the map.
     *
     * @param operation on the block, which nobody has locked
     * @throws ReplicaNotFoundException when the replica changed meanwhile; then the copy is gone
     */
    void finish(Operation operation, ReplicaInfo copy) throws IOException {
      lock(operation, copy);
      Deletion coming;
      try {
        coming = reserve(copy);
      } finally {
        operation.unlock();
      }
      try {
        place(copy);
        lock(operation, placed);
        try {
          takeOver();
        } finally {
          operation.unlock();
        }
        ExtendedBlock there = new ExtendedBlock(block.getBlockPoolId(), placed);
        dataset.deletions.deleteForgotten(there, target);
      } finally {
        if (placed != null && oldFiles == null) {
          deletePlaced();
        }
        coming.end();
      }
      if (operation.tryLock(READERS_NANOS)) { // those that have just looked open the old files
        operation.unlock();
      }
    }

    /** From now on nothing else of the block comes to the target, and the scanner leaves it out. */
    private Deletion reserve(ReplicaInfo copy) throws IOException {
      checkUnchanged(copy);
      if (dataset.deletions.arePending(block.getBlockPoolId(), block.getBlockId(), target)) {
        throw new IOException(
            "An earlier replica of " + block + " is still being deleted on " + target);
      }
      return dataset.deletions.begin(block, target);
    }

    private void checkUnchanged(ReplicaInfo copy) throws ReplicaNotFoundException {
      ReplicaInfo now = dataset.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
      boolean same = now == source || now == null && hasGoneWithItsVolume();
      if (!same || source.getGenerationStamp() > copy.getGenerationStamp()) {
        throw new ReplicaNotFoundException(
            "Replica " + source + " changed while it was copied, to " + now);
      }
    }

    /**
     * Then the copy takes its place as in stock, whose removal of a volume waits for the rename: it
     * may be the last one. Should a deletion have taken the replica, the NameNode hears of the copy
     * and has it deleted, too.
     */
    private boolean hasGoneWithItsVolume() {
      if (dataset.deletions.arePending(
          block.getBlockPoolId(), block.getBlockId(), source.getVolume())) {
        return false;
      }
      try (FsVolumeReference open = source.getVolume().obtainReference()) {
        return false;
      } catch (IOException e) { // it is closed
        return true;
      }
    }

    private void place(ReplicaInfo copy) throws IOException {
      String pool = block.getBlockPoolId();
      placed = target.addFinalizedBlock(pool, copy, copy, copy.getBytesReserved());
      if (copy instanceof ReplicaInPipeline) {
        ((ReplicaInPipeline) copy).releaseReplicaInfoBytesReserved();
      }
      target.incrNumBlocks(pool);
      // before the map has it, else a copy with the same bytes stays
      dataset.deletions.runSaved(block, target, 0);
    }

    /**
     * Locks the block, shared. Who has it may wait for another disk than the two of this move, so
     * it is not waited for without end: not once it has taken the replica out of the map, nor
     * longer than a writer is waited for. Nor once the thread is interrupted, with which every wait
     * ends at once.
     */
    private void lock(Operation operation, ReplicaInfo copy) throws IOException {
      long start = System.nanoTime();
      while (!operation.tryLock(false, LOOK_NANOS)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new IOException("The move of " + block + " to " + target + " was interrupted");
        }
        checkUnchanged(copy);
        if (System.nanoTime() - start > limitNanos) {
          throw new IOException("Block " + block + " is in use, perhaps on a disk that hangs");
        }
      }
    }

    private void takeOver() throws ReplicaNotFoundException {
      synchronized (ReplicaMoves.this) { // others have the block shared, too
        checkUnchanged(placed);
        dataset.volumeMap.add(block.getBlockPoolId(), placed);
        dataset.deletions.moved(source, placed);
        oldFiles = dataset.deletions.begin(block, source.getVolume());
        moves.remove(this); // it may be moved on, and back, while the old files' disk hangs
      }
    }

    /**
     * Not where its pool was closed and has come back meanwhile, and has read the copy as a replica
     * of its own.
     */
    private void deletePlaced() {
      String pool = block.getBlockPoolId();
      ReplicaInfo now = dataset.volumeMap.get(pool, block.getBlockId());
      if (now != null && now.getVolume() == target) {
        return;
      }
      long meta = placed.getMetadataLength();
      if (placed.deleteBlockData()) {
        target.onBlockFileDeletion(pool, placed.getNumBytes());
      }
      if (placed.deleteMetadata()) {
        target.onMetaFileDeletion(pool, meta);
      }
    }

    /** Takes away what was copied where it did not come to its place. */
    @Override
    public void close() {
      try {
        if (oldFiles != null) {
          oldFiles.end();
        } else if (placed == null) {
          deleteCopy(target, block);
        }
      } catch (IOException e) {
        LOG.warn("The copy of {} was not removed from {}", block, target, e); // pool gone
      } finally {
        end(this);
      }
    }

    /**
     * Ends the copying. By a thread of its own, for an interrupt closes the channel, and that waits
     * until the copying thread is out of the kernel, where its disk may hang.
     */
    private void interrupt() {
      Thread interrupting =
          new Thread(
              () -> {
                synchronized (this) {
                  if (!ended) {
                    thread.interrupt();
                  }
                }
              },
              "evenkeel-locking-stops-copy");
      interrupting.setDaemon(true);
      interrupting.start();
    }

    /** After which nobody interrupts the thread any more. */
    private synchronized void endInterrupts() {
      ended = true;
    }
  }

  /**
   * Begins a move of a block to a volume, the only one at a time. Of several to different volumes
   * the first to end takes the replica's place.
   *
   * <p>Not to the volume it is on, where its old files are those of the copy: the DiskBalancer asks
   * for that when it finds files of the block on its source that are still to be deleted.
   *
   * @throws ReplicaAlreadyExistsException when the replica is there
   * @throws ReplicaNotFoundException when there is such a move, or the block's file is being cut
   *     short
   */
  synchronized Move begin(ExtendedBlock block, ReplicaInfo source, FsVolumeImpl target)
      throws IOException {
    if (Objects.equals(source.getVolume().getBaseURI(), target.getBaseURI())) {
      throw new ReplicaAlreadyExistsException(
          "Replica " + source + " is on " + target + " already");
    }
    Move begun = new Move(block, source, target);
    if (cuts.contains(begun.id)
        || moves.stream().anyMatch(each -> each.id.equals(begun.id) && each.target == target)) {
      throw new ReplicaNotFoundException(
          "Replica " + source + " is being moved to " + target + " or recovered already");
    }
    moves.add(begun);
    return begun;
  }

  /** The move of a block that this thread makes, or null. */
  synchronized Move current(ExtendedBlock block) {
    for (Move each : moves) {
      if (each.thread == Thread.currentThread() && each.block.equals(block)) {
        return each;
      }
    }
    return null;
  }

  private void end(Move ended) {
    ended.endInterrupts();
    synchronized (this) {
      moves.remove(ended);
      if (ended.stopped) {
        Thread.interrupted();
      }
    }
  }

  /**
   * Keeps a block from being moved until {@link #endCut}. Copies that are being made end: stock's
   * never end when their file gets shorter, but an interrupt closes the channel they copy with.
   */
  synchronized void beginCut(ExtendedBlockId block) {
    cuts.add(block);
    for (Move each : moves) {
      if (each.id.equals(block)) {
        each.stopped = true;
        each.interrupt();
      }
    }
  }

  /** The end of {@link #beginCut}. */
  synchronized void endCut(ExtendedBlockId block) {
    cuts.remove(block);
  }

  /** Stock leaves a copy that failed half-way, and a meta file whose generation stamp is over. */
  private static void deleteCopy(FsVolumeImpl volume, ExtendedBlock block) throws IOException {
    File tmp = volume.getTmpDir(block.getBlockPoolId());
    File dir = DatanodeUtil.idToBlockDir(tmp, block.getBlockId());
    String name = block.getBlockName();
    File[] files = dir.listFiles((in, each) -> each.equals(name) || each.startsWith(name + "_"));
    if (files != null) {
      for (File file : files) {
        volume.getFileIoProvider().deleteWithExistsCheck(volume, file);
      }
    }
  }
}
