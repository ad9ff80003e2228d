package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The configured record of the replicas in memory, fit for locks per block. Stock calls it under
 * the lock of the pool, and relies on that:
 *
 * <ul>
 *   <li>A replica may be deleted while the lazy writer chooses a disk for it; stock's record throws
 *       a NullPointerException then, and the reference to that disk is never given back.
 *   <li>What is evicted next must be locked, so a block in use is passed over here, and stays.
 *   <li>Saved files are deleted outside of the record's monitor: their disk may hang.
 * </ul>
 *
 * <p>Thread-safe like the configured one.
 */
final class LockedMemoryReplicas extends RamDiskReplicaTracker implements Configurable {
  /** Names the configured record while this one stands in its place. */
  static final String CONFIGURED = "io.evenkeel.locking.ram.disk.replica.tracker";

  private Configuration conf;
  private RamDiskReplicaTracker configured;

  /** By Hadoop, which calls {@link #setConf} next. */
  LockedMemoryReplicas() {}

  @Override
  public void setConf(Configuration given) {
    conf = given;
    configured =
        ReflectionUtils.newInstance(
            given.getClass(CONFIGURED, RamDiskReplicaLruTracker.class, RamDiskReplicaTracker.class),
            given);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  void initialize(FsDatasetImpl dataset) {
    super.initialize(dataset);
    configured.initialize(dataset);
  }

  /** Stock's. */
  RamDiskReplicaTracker configured() {
    return configured;
  }

  @Override
  void recordStartLazyPersist(String pool, long blockId, FsVolumeImpl target) {
    synchronized (configured) { // the lock of stock's own
      if (configured.getReplica(pool, blockId) != null) {
        configured.recordStartLazyPersist(pool, blockId, target);
      }
    }
  }

  /** Of those that may be evicted the first that nobody uses; its block is locked then. */
  @Override
  RamDiskReplica getNextCandidateForEviction() {
    List<RamDiskReplica> used = new ArrayList<>();
    try {
      RamDiskReplica next = configured.getNextCandidateForEviction();
      while (next != null && !((FineGrainedDataset) fsDataset).lockForEviction(next)) {
        used.add(next);
        next = configured.getNextCandidateForEviction();
      }
      return next;
    } finally {
      used.forEach(this::mayBeEvictedAgain);
    }
  }

  /** Stock has taken it off its list; this puts it back, as the one used last. */
  private void mayBeEvictedAgain(RamDiskReplica passedOver) {
    String pool = passedOver.getBlockPoolId();
    synchronized (configured) { // stock's locks itself; a deletion may be about to discard it
      RamDiskReplica replica = configured.getReplica(pool, passedOver.getBlockId());
      if (replica == passedOver && replica.getIsPersisted()) {
        File[] saved = {replica.getSavedMetaFile(), replica.getSavedBlockFile()};
        configured.recordEndLazyPersist(pool, replica.getBlockId(), saved);
      }
    }
  }

  /** The caller has locked the block, so nobody else discards its replica. */
  @Override
  void discardReplica(String pool, long blockId, boolean deleteSavedCopies) {
    RamDiskReplica replica = configured.getReplica(pool, blockId);
    configured.discardReplica(pool, blockId, false);
    if (replica != null && deleteSavedCopies) {
      replica.deleteSavedFiles();
    }
  }

  @Override
  void addReplica(String pool, long blockId, FsVolumeImpl memory, long lockedBytes) {
    configured.addReplica(pool, blockId, memory, lockedBytes);
  }

  @Override
  void touch(String pool, long blockId) {
    configured.touch(pool, blockId);
  }

  @Override
  RamDiskReplica dequeueNextReplicaToPersist() {
    return configured.dequeueNextReplicaToPersist();
  }

  @Override
  void reenqueueReplicaNotPersisted(RamDiskReplica replica) {
    configured.reenqueueReplicaNotPersisted(replica);
  }

  @Override
  void recordEndLazyPersist(String pool, long blockId, File[] saved) {
    configured.recordEndLazyPersist(pool, blockId, saved);
  }

  @Override
  int numReplicasNotPersisted() {
    return configured.numReplicasNotPersisted();
  }

  @Override
  RamDiskReplica getReplica(String pool, long blockId) {
    return configured.getReplica(pool, blockId);
  }
}
