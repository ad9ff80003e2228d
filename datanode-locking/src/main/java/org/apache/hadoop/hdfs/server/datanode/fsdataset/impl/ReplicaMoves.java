package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves of replicas to other volumes. The copy is made without a lock and outside of the pool's
 * gate, as in stock: either disk may hang. It is renamed to its place without a lock, too; the
 * block is locked while the copy takes the replica's place in the map. Afterwards the old files are
 * being deleted like those of any deletion, so nothing of the block comes to their volume
 * meanwhile, and everybody else goes on. Thread-safe.
 */
final class ReplicaMoves {
  private static final Logger LOG = LoggerFactory.getLogger(FsDatasetImpl.class);

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
    private final Thread thread = Thread.currentThread();
    private Deletion coming; // this and the next two are used by its thread only
    private ReplicaInfo placed;
    private Deletion oldFiles;
    private boolean stopped; // guarded by the moves

    private Move(ExtendedBlock block, ReplicaInfo source, FsVolumeImpl target) {
      this.block = block;
      this.id = ExtendedBlockId.fromExtendedBlock(block);
      this.source = source;
      this.target = target;
    }

    /**
     * Renames the copy to its place, without the block's lock: its disk may hang. Until the move
     * has ended nothing else of the block comes there, and the scanner passes over the files. No
     * deletion can begin there between the look and the mark: the map's entry is on the source.
     */
    ReplicaInfo place(ReplicaInfo copy) throws IOException {
      String pool = block.getBlockPoolId();
      if (dataset.deletions.arePending(pool, block.getBlockId(), target)) {
        throw new IOException(
            "An earlier replica of " + block + " is still being deleted on " + target);
      }
      coming = dataset.deletions.begin(block, target);
      placed = target.addFinalizedBlock(pool, copy, copy, copy.getBytesReserved());
      if (copy instanceof ReplicaInPipeline) {
        ((ReplicaInPipeline) copy).releaseReplicaInfoBytesReserved();
      }
      target.incrNumBlocks(pool);
      return placed;
    }

    /**
     * The copy takes the replica's place in the map. The caller has locked the block.
     *
     * @throws ReplicaNotFoundException when the replica changed meanwhile; then the copy goes with
     *     the end of the move
     */
    void takeOver(ReplicaInfo copy) throws ReplicaNotFoundException {
      String pool = block.getBlockPoolId();
      ReplicaInfo now = dataset.volumeMap.get(pool, block.getBlockId());
      if (now != source || now.getGenerationStamp() > copy.getGenerationStamp()) {
        throw new ReplicaNotFoundException(
            "Replica " + source + " changed while it was copied, to " + now);
      }
      dataset.volumeMap.add(pool, copy);
      dataset.deletions.moved(source, copy);
      oldFiles = dataset.deletions.begin(block, source.getVolume());
    }

    /** Takes away what was copied where the replica was not moved. */
    @Override
    public void close() {
      try {
        if (oldFiles != null) {
          oldFiles.end();
        } else if (placed != null) {
          deletePlaced();
        } else {
          deleteCopy(target, block);
        }
      } catch (IOException e) {
        LOG.warn("What was copied of {} stays on {}", block, target, e); // pool gone
      } finally {
        if (coming != null) {
          coming.end();
        }
        end(this);
      }
    }

    private void deletePlaced() {
      String pool = block.getBlockPoolId();
      long meta = placed.getMetadataLength();
      if (placed.deleteBlockData()) {
        target.onBlockFileDeletion(pool, placed.getNumBytes());
      }
      if (placed.deleteMetadata()) {
        target.onMetaFileDeletion(pool, meta);
      }
    }
  }

  /**
   * Begins a move of a block to a volume, the only one at a time. Of several to different volumes
   * the first to end takes the replica's place.
   *
   * @throws ReplicaNotFoundException when there is one, or the block's file is being cut short
   */
  synchronized Move begin(ExtendedBlock block, ReplicaInfo source, FsVolumeImpl target)
      throws ReplicaNotFoundException {
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

  /** After which nobody interrupts the thread any more. */
  private synchronized void end(Move ended) {
    moves.remove(ended);
    if (ended.stopped) {
      Thread.interrupted();
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
        each.thread.interrupt();
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
