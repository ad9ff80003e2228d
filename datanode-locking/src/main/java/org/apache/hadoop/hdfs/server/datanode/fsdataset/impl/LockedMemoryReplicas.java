package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The configured record of the replicas in memory, fit for locks per block. Stock calls it under
 * the lock of the pool, and relies on that:
 *
 * <ul>
 *   <li>A replica may be deleted while the lazy writer chooses a disk for it; stock's record throws
 *       a NullPointerException then, and the reference to that disk is never given back.
 *   <li>What is evicted next must be locked, so a block in use is passed over here, and stays.
 *   <li>An eviction forgets the replica before it looks at the disk. When that fails the replica is
 *       still in memory, and stock neither saves nor evicts it any more; here it is forgotten
 *       afterwards.
 *   <li>Saved files are deleted by the thread of their disk, which may hang, and not in the
 *       record's monitor; until they are gone their block is not saved there again.
 *   <li>An eviction does not ask whether the saved copy is of the replica there is now, which may
 *       be appended to, or have a newer generation stamp; nor does the end of a copy. Here such a
 *       replica stays in memory and is saved anew. Its older copy, which is what there is after a
 *       restart of the machine, is deleted once the new one is recorded.
 * </ul>
 *
 * <p>Thread-safe like the configured one.
 */
final class LockedMemoryReplicas extends RamDiskReplicaTracker implements Configurable {
  /** Names the configured record while this one stands in its place. */
  static final String CONFIGURED = "io.evenkeel.locking.ram.disk.replica.tracker";

  private Configuration conf;
  private RamDiskReplicaTracker configured;

  /** Set before the first copy is begun, and not taken back. */
  private volatile boolean saves;

  /** Records whose saved copies are to be deleted once there is a newer one. */
  private final ConcurrentMap<ExtendedBlockId, List<RamDiskReplica>> older =
      new ConcurrentHashMap<>();

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

  private FineGrainedDataset dataset() {
    return (FineGrainedDataset) fsDataset;
  }

  @Override
  void initialize(FsDatasetImpl dataset) {
    super.initialize(dataset);
    configured.initialize(dataset);
  }

  /** Whether a saved copy is of this replica, and has all of it. The block is locked. */
  private static boolean isCopy(File meta, ReplicaInfo replica) {
    return isFinished(replica)
        && Block.getGenerationStamp(meta.getName()) == replica.getGenerationStamp();
  }

  /** Else it has a new record once it is. */
  private static boolean isFinished(ReplicaInfo replica) {
    boolean recovers = replica.getState() == ReplicaState.RUR;
    ReplicaInfo written = recovers ? replica.getOriginalReplica() : replica;
    return written.getState() == ReplicaState.FINALIZED;
  }

  /**
   * A copy was saved. The block is locked.
   *
   * @param creationTime that of the record it was saved for
   * @param saved its meta file and its block file
   * @return what of it is of no use, as the replica has changed since or has been saved on another
   *     disk; empty where that is nothing, and null where it is to be recorded
   */
  List<File> useless(String pool, long blockId, long creationTime, File[] saved) {
    RamDiskReplica record = configured.getReplica(pool, blockId);
    ReplicaInfo replica = dataset().volumeMap.get(pool, blockId);
    if (record == null || replica == null) {
      return null; // deleted, or its pool is closed: for stock to say
    }
    boolean isIts =
        record.getCreationTime() == creationTime
            && isCopy(saved[0], replica)
            && saved[1].length() <= replica.getNumBytes(); // else it was cut short since
    boolean isThere = saved[0].equals(record.getSavedMetaFile());
    if (isIts && (isThere || !record.getIsPersisted())) {
      return null;
    }
    List<File> useless = new ArrayList<>();
    for (File each : saved) {
      if (!each.equals(record.getSavedMetaFile()) && !each.equals(record.getSavedBlockFile())) {
        useless.add(each);
      }
    }
    return useless;
  }

  /** Deletes what is {@link #useless} of a saved copy, by the thread of its disk. */
  void drop(String pool, long blockId, long creationTime, List<File> useless) {
    for (File each : useless) {
      if (!each.delete()) {
        FsDatasetImpl.LOG.warn("Failed to delete {}", each);
      }
    }
    RamDiskReplica record = configured.getReplica(pool, blockId);
    ReplicaInfo replica = dataset().volumeMap.get(pool, blockId);
    if (record != null
        && record.getCreationTime() == creationTime
        && !record.getIsPersisted()
        && replica != null
        && isFinished(replica)) {
      configured.reenqueueReplicaNotPersisted(record); // the stamp was raised meanwhile
    }
  }

  /**
   * After the generation stamp of a replica may have been raised. Where its block is in use an
   * eviction sees it.
   */
  void stampWasRaised(Operation operation, ExtendedBlock b) {
    RamDiskReplica record = configured.getReplica(b.getBlockPoolId(), b.getBlockId());
    if (record == null || !operation.tryLock(0)) {
      return;
    }
    try {
      saveAnewIfOlder(record);
    } finally {
      operation.unlock();
    }
  }

  /** Whether anything is known of a block; its replica may be in memory. */
  boolean knows(ExtendedBlock b) {
    return configured.getReplica(b.getBlockPoolId(), b.getBlockId()) != null;
  }

  /**
   * A replica was cut short, which the stamp of a copy does not tell: what is being saved of it is
   * of no use. Its block is locked, and was since before that.
   */
  void wasCut(ExtendedBlock b) {
    RamDiskReplica record = configured.getReplica(b.getBlockPoolId(), b.getBlockId());
    if (record != null && saveAnew(record)) {
      isOlder(record);
    }
  }

  /** Its block is locked. */
  private void saveAnewIfOlder(RamDiskReplica record) {
    String pool = record.getBlockPoolId();
    ReplicaInfo replica = dataset().volumeMap.get(pool, record.getBlockId());
    File meta = record.getSavedMetaFile();
    if (replica != null
        && replica.getState() == ReplicaState.FINALIZED
        && replica.getVolume().isTransientStorage()
        && meta != null
        && !isCopy(meta, replica)
        && saveAnew(record)) {
      isOlder(record);
    }
  }

  /** By a new record. Returns false when it is not the one of its block any more. */
  private boolean saveAnew(RamDiskReplica record) {
    String pool = record.getBlockPoolId();
    long blockId = record.getBlockId();
    synchronized (configured) { // stock's locks itself; a deletion may be about to discard it
      if (configured.getReplica(pool, blockId) != record) {
        return false;
      }
      configured.discardReplica(pool, blockId, false);
      configured.addReplica(
          pool, blockId, (FsVolumeImpl) record.ramDiskVolume, record.getLockedBytesReserved());
      return true;
    }
  }

  /** Its saved copy, if it has one, goes with the next one. Its block is locked. */
  private void isOlder(RamDiskReplica record) {
    if (record.getSavedBlockFile() != null) {
      older.computeIfAbsent(idOf(record), id -> new CopyOnWriteArrayList<>()).add(record);
    }
  }

  /** Where nothing newer is saved, what was is better than nothing. Its block is locked. */
  boolean keepsAsOlder(String pool, long blockId, File[] saved, FsVolumeImpl disk) {
    RamDiskReplica record = configured.getReplica(pool, blockId);
    ReplicaInfo replica = dataset().volumeMap.get(pool, blockId);
    if (record == null
        || record.getSavedBlockFile() != null
        || replica == null
        || !replica.getVolume().isTransientStorage()) {
      return false;
    }
    RamDiskReplica copy = new RamDiskReplica(pool, blockId, (FsVolumeImpl) record.ramDiskVolume, 0);
    copy.setLazyPersistVolume(disk);
    copy.recordSavedBlockFiles(saved);
    isOlder(copy);
    return true;
  }

  private static ExtendedBlockId idOf(RamDiskReplica record) {
    return new ExtendedBlockId(record.getBlockId(), record.getBlockPoolId());
  }

  private List<RamDiskReplica> takeOlder(String pool, long blockId) {
    List<RamDiskReplica> some = older.remove(new ExtendedBlockId(blockId, pool));
    return some == null ? Collections.emptyList() : some;
  }

  /** A copy was recorded, on this disk; older ones go. The block is locked. */
  void isSaved(String pool, long blockId, File[] saved, FsVolumeImpl disk) {
    synchronized (configured) { // another may have been chosen, as it was in the queue twice
      RamDiskReplica record = configured.getReplica(pool, blockId);
      if (record != null && saved[0].equals(record.getSavedMetaFile())) {
        configured.recordStartLazyPersist(pool, blockId, disk);
      }
    }
    long stamp = Block.getGenerationStamp(saved[0].getName());
    for (RamDiskReplica before : takeOlder(pool, blockId)) {
      if (Block.getGenerationStamp(before.getSavedMetaFile().getName()) > stamp) {
        isOlder(before); // than the replica, not than this copy, which ends late
      } else if (!saved[1].equals(before.getSavedBlockFile())) {
        dataset().deletions.deleteSaved(before);
      }
    }
  }

  /**
   * A copy was recorded; where other meta files are beside it, of an older copy that it has
   * overwritten or of one that failed, a start of the DataNode may take one of those. By the thread
   * that saves to that disk, so that no other copy comes there meanwhile.
   */
  static void deleteOtherMetas(File[] saved) {
    String block = saved[1].getName() + "_";
    File[] metas = saved[0].getParentFile().listFiles((dir, name) -> name.startsWith(block));
    for (File meta : metas == null ? new File[0] : metas) {
      if (!meta.equals(saved[0]) && !meta.delete()) {
        FsDatasetImpl.LOG.warn("Failed to delete {}", meta);
      }
    }
  }

  /** Whether anything was saved since the DataNode started. */
  boolean hasSaved() {
    return saves;
  }

  /** Stock's. */
  RamDiskReplicaTracker configured() {
    return configured;
  }

  @Override
  void recordStartLazyPersist(String pool, long blockId, FsVolumeImpl target) {
    AvoidingVolumeChoosingPolicy.end();
    saves = true;
    synchronized (configured) { // the lock of stock's own
      RamDiskReplica replica = configured.getReplica(pool, blockId);
      if (replica != null && !replica.getIsPersisted()) {
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
      while (next != null && !lockForEviction(next)) {
        used.add(next);
        next = configured.getNextCandidateForEviction();
      }
      return next;
    } finally {
      used.forEach(this::mayBeEvictedAgain);
    }
  }

  /**
   * Locks the block of a replica that is to be evicted by this thread, until stock has evicted it,
   * and keeps the memory and the disk with its saved files from going away meanwhile.
   *
   * @return false when the block is in use, its replica is no longer the one in memory that was
   *     saved or is being written or recovered, files of an earlier one are still being deleted
   *     where it would come to, or one of both volumes is closed
   */
  private boolean lockForEviction(RamDiskReplica candidate) {
    String pool = candidate.getBlockPoolId();
    Operation operation =
        dataset().operations().begin(OperationKind.EVICT, pool, candidate.getBlockId());
    if (operation == null) {
      return false; // its pool is closed; it may be another than the creation's
    }
    Closeable volumes = null;
    try {
      if (operation.tryLock(0)) {
        volumes = ifEvictable(candidate);
        if (volumes == null) {
          forgetIfGone(candidate);
          saveAnewIfOlder(candidate);
          operation.unlock();
        }
      }
      return volumes != null;
    } finally {
      if (volumes != null) {
        dataset().locks().evicts(operation, volumes, () -> evictionEnds(candidate));
      } else {
        operation.close();
      }
    }
  }

  /**
   * As stock, a replica whose memory was removed is looked at once, not at each eviction from then
   * on. Its block is locked.
   */
  private void forgetIfGone(RamDiskReplica candidate) {
    String pool = candidate.getBlockPoolId();
    ReplicaInfo replica = dataset().volumeMap.get(pool, candidate.getBlockId());
    if (replica == null || !replica.getVolume().isTransientStorage()) {
      synchronized (configured) { // the memory may be back, and be read: with a record of its own
        if (configured.getReplica(pool, candidate.getBlockId()) == candidate) {
          forget(pool, candidate.getBlockId());
        }
      }
    }
  }

  /**
   * Its replica is not in memory any more. Where a finalized one on a disk is in its place, copies
   * on other disks go: the next start would put them over the replica that is there by then. All
   * copies on a disk have the same block file, so those stay where one is newer or being made. Its
   * block is locked, but by who reads a volume.
   */
  private void forget(String pool, long blockId) {
    RamDiskReplica record = configured.getReplica(pool, blockId);
    List<RamDiskReplica> copies = new ArrayList<>(takeOlder(pool, blockId));
    if (record != null && record.getLazyPersistVolume() != null) {
      copies.add(record);
    }
    configured.discardReplica(pool, blockId, false);
    ReplicaInfo replica = dataset().volumeMap.get(pool, blockId);
    if (copies.isEmpty()
        || replica == null
        || !isFinishedOnDisk(replica)
        || !dataset().mergingMap.mayDelete(pool)) {
      return; // they may be all there is
    }
    Set<URI> stay = new HashSet<>();
    stay.add(replica.getVolume().getBaseURI()); // its files are those of the replica by now
    for (RamDiskReplica each : copies) {
      File meta = each.getSavedMetaFile();
      if (meta == null || Block.getGenerationStamp(meta.getName()) > replica.getGenerationStamp()) {
        stay.add(each.getLazyPersistVolume().getBaseURI());
      }
    }
    for (RamDiskReplica each : copies) {
      File meta = each.getSavedMetaFile();
      if (meta != null && !stay.contains(each.getLazyPersistVolume().getBaseURI())) {
        dataset().deletions.deleteSavedIfDoubled(each, meta);
      }
    }
  }

  static boolean isFinishedOnDisk(ReplicaInfo replica) {
    return isFinished(replica)
        && !replica.getVolume().isTransientStorage()
        && replica.getVolume().getStorageType() != StorageType.PROVIDED;
  }

  /** Stock has evicted a replica, or could not: what of it is in memory. Its block is locked. */
  private void evictionEnds(RamDiskReplica candidate) {
    String pool = candidate.getBlockPoolId();
    long blockId = candidate.getBlockId();
    ReplicaInfo replica = dataset().volumeMap.get(pool, blockId);
    if (replica == null || !replica.getVolume().isTransientStorage()) {
      forget(pool, blockId);
    } else if (candidate.getSavedBlockFile().exists() && candidate.getSavedMetaFile().exists()) {
      mayBeEvictedAgain(candidate);
    } else { // one of its saved files is elsewhere by now
      saveAnew(candidate);
    }
  }

  /**
   * References to the volumes a replica is evicted from and to, null when it is not to be evicted.
   * Its block is locked.
   */
  private Closeable ifEvictable(RamDiskReplica candidate) {
    String pool = candidate.getBlockPoolId();
    ReplicaInfo replica = dataset().volumeMap.get(pool, candidate.getBlockId());
    FsVolumeImpl disk = candidate.getLazyPersistVolume();
    boolean evictable =
        replica != null
            && replica.getVolume().isTransientStorage()
            && configured.getReplica(pool, candidate.getBlockId()) == candidate
            && disk != null
            && replica.getState() == ReplicaState.FINALIZED
            && isCopy(candidate.getSavedMetaFile(), replica)
            && dataset().deletions.pending(pool, candidate.getBlockId()).stream()
                .noneMatch(each -> each.isOn(disk));
    return evictable ? both((FsVolumeImpl) replica.getVolume(), disk) : null;
  }

  private static Closeable both(FsVolumeImpl memory, FsVolumeImpl disk) {
    FsVolumeReference first;
    try {
      first = memory.obtainReference();
    } catch (ClosedChannelException e) {
      return null;
    }
    try {
      FsVolumeReference second = disk.obtainReference();
      return () -> IOUtils.cleanupWithLogger(FsDatasetImpl.LOG, first, second);
    } catch (ClosedChannelException e) {
      IOUtils.cleanupWithLogger(FsDatasetImpl.LOG, first);
      return null;
    }
  }

  /**
   * Stock has taken it off its list; this puts it back, as the one used last. One whose disk is
   * gone is saved again, on another.
   */
  private void mayBeEvictedAgain(RamDiskReplica passedOver) {
    String pool = passedOver.getBlockPoolId();
    FsVolumeImpl disk = passedOver.getLazyPersistVolume();
    if (disk != null && isClosed(disk)) {
      saveAnew(passedOver);
      return;
    }
    synchronized (configured) {
      RamDiskReplica replica = configured.getReplica(pool, passedOver.getBlockId());
      if (replica == passedOver && replica.getIsPersisted()) {
        File[] saved = {replica.getSavedMetaFile(), replica.getSavedBlockFile()};
        configured.recordEndLazyPersist(pool, replica.getBlockId(), saved);
      }
    }
  }

  private static boolean isClosed(FsVolumeImpl disk) {
    try (FsVolumeReference reference = disk.obtainReference()) {
      return reference.getVolume() != disk;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * The saved copies stay when a replica is evicted and when one is found on a disk that is read.
   * It is forgotten then once the one on the disk has taken its place in the map: at the {@link
   * #evictionEnds end} of the eviction, or when the volume's replicas {@link
   * MergingReplicaMap#mergeAll come in}. When the saved copies go as well, the caller has locked
   * the block.
   */
  @Override
  void discardReplica(String pool, long blockId, boolean deleteSavedCopies) {
    if (!deleteSavedCopies) {
      ReplicaInfo known = dataset().volumeMap.get(pool, blockId);
      if (known == null || !known.getVolume().isTransientStorage()) {
        forget(pool, blockId);
      }
      return;
    }
    RamDiskReplica replica = configured.getReplica(pool, blockId);
    configured.discardReplica(pool, blockId, false);
    if (replica != null && replica.getSavedBlockFile() != null) {
      dataset().deletions.deleteSaved(replica);
    }
    takeOlder(pool, blockId).forEach(dataset().deletions::deleteSaved);
  }

  /** The block of one that was written again is locked. */
  @Override
  void addReplica(String pool, long blockId, FsVolumeImpl memory, long lockedBytes) {
    RamDiskReplica before = configured.getReplica(pool, blockId);
    ReplicaInfo written = dataset().volumeMap.get(pool, blockId);
    configured.addReplica(pool, blockId, memory, lockedBytes);
    if (before != null && written != null && written.getState() != ReplicaState.FINALIZED) {
      isOlder(before);
    }
  }

  /** Stock's throws a NullPointerException before the first record of a pool. */
  @Override
  void touch(String pool, long blockId) {
    if (configured.getReplica(pool, blockId) != null) {
      configured.touch(pool, blockId);
    }
  }

  /**
   * The lazy writer chooses a disk for it next. One that was saved, and one in whose place there is
   * another, may be in the queue again.
   */
  @Override
  RamDiskReplica dequeueNextReplicaToPersist() {
    RamDiskReplica next = configured.dequeueNextReplicaToPersist();
    while (next != null && !isToBeSaved(next)) {
      next = configured.dequeueNextReplicaToPersist();
    }
    if (next != null) {
      String pool = next.getBlockPoolId();
      long blockId = next.getBlockId();
      AvoidingVolumeChoosingPolicy.begin(
          () -> dataset().deletions.pending(pool, blockId), () -> {});
    }
    return next;
  }

  /** Whether it is the record of its block now, and not saved. */
  private boolean isToBeSaved(RamDiskReplica record) {
    return !record.getIsPersisted()
        && configured.getReplica(record.getBlockPoolId(), record.getBlockId()) == record;
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
