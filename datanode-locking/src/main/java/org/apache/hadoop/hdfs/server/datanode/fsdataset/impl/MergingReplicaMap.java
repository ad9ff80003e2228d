package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.dataset.DeferredChecks;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Stock's map of replicas, but a volume that is added does not bring back what is older than what
 * the map has of the same block. A volume that was away may hold such replicas: the block was
 * appended to elsewhere and copied to another volume of this DataNode. With stock's map the older
 * one takes the place of the good one, the NameNode has it deleted, and the good one is unknown
 * until the directory scanner finds it.
 *
 * <p>What was left out is kept for the thread that adds the volume, and deleted afterwards.
 * Thread-safe like stock's.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
final class MergingReplicaMap extends ReplicaMap {
  private static final String FIELD = "volumeMap";
  private static final long PAUSE_MS = 500;

  private final FineGrainedDataset dataset;
  private final boolean deletesDuplicates;

  /** Deferred replicas that a thread takes in now or next. */
  private final AtomicInteger merging = new AtomicInteger();

  private final ThreadLocal<List<Found>> older = ThreadLocal.withInitial(ArrayList::new);
  private final ThreadLocal<List<Deferred>> deferred = ThreadLocal.withInitial(ArrayList::new);
  private final ThreadLocal<Set<ExtendedBlockId>> beingDeleted =
      ThreadLocal.withInitial(Collections::emptySet);

  private MergingReplicaMap(FineGrainedDataset dataset, boolean deletesDuplicates) {
    super(dataset.locks());
    this.dataset = dataset;
    this.deletesDuplicates = deletesDuplicates;
    addAll(dataset.volumeMap); // before the first pool: nothing
  }

  /** A replica that is on a disk and not in the map. */
  private static final class Found {
    private final String pool;
    private final ReplicaInfo replica;

    private Found(String pool, ReplicaInfo replica) {
      this.pool = pool;
      this.replica = replica;
    }
  }

  /** One that comes in later. Until then no other replica of its block comes to its volume. */
  private final class Deferred {
    private final String pool;
    private final ReplicaInfo replica;
    private final Deletion place;

    private Deferred(String pool, ReplicaInfo replica) {
      this.pool = pool;
      this.replica = replica;
      this.place = dataset.deletions.reserve(pool, replica);
    }

    /** Whether its files are being deleted, as it was moved elsewhere; its block is locked. */
    private boolean isBeingDeleted() {
      return dataset.deletions.pending(pool, replica.getBlockId()).stream()
          .anyMatch(each -> !each.isReservation() && each.isOn(replica.getVolume()));
    }
  }

  /**
   * Puts it in the place of a new dataset's map.
   *
   * @throws ReflectiveOperationException if stock's dataset has no such map
   */
  static MergingReplicaMap install(FineGrainedDataset dataset, Configuration conf)
      throws ReflectiveOperationException {
    boolean deletes = conf.getBoolean("dfs.datanode.duplicate.replica.deletion", true);
    MergingReplicaMap map = new MergingReplicaMap(dataset, deletes);
    field().set(dataset, map);
    return map;
  }

  /**
   * The field of the map, which has no setter.
   *
   * @throws ReflectiveOperationException naming what is missing of what is used here
   */
  static Field field() throws ReflectiveOperationException {
    int merge = ReplicaMap.class.getDeclaredMethod("mergeAll", ReplicaMap.class).getModifiers();
    int make = ReplicaMap.class.getDeclaredConstructor(DataNodeLockManager.class).getModifiers();
    int no = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
    if (((merge | make) & no) != 0) {
      throw new NoSuchMethodException("ReplicaMap.mergeAll cannot be overridden");
    }
    return field(FIELD, ReplicaMap.class);
  }

  /** The same for any field of stock's dataset. */
  static Field field(String name, Class<?> type) throws ReflectiveOperationException {
    Field field = FsDatasetImpl.class.getDeclaredField(name);
    if (field.getType() != type || Modifier.isStatic(field.getModifiers())) {
      throw new NoSuchFieldException("FsDatasetImpl." + name + " is not a " + type.getSimpleName());
    }
    try {
      field.setAccessible(true);
    } catch (RuntimeException e) { // of a module system that denies it
      throw new ReflectiveOperationException("FsDatasetImpl." + name, e);
    }
    return field;
  }

  /** Not beside {@link #mergeAll}, whose set it might replace. */
  @Override
  synchronized void initBlockPool(String pool) {
    super.initBlockPool(pool);
  }

  /**
   * Each replica comes in under the lock of its block, or what has looked at the map might take it
   * out again. Called in the dataset's monitor, so no lock and no disk is waited for here: where a
   * block is in use, or has another replica by now, {@link #afterAddVolume} does it.
   */
  @Override
  synchronized void mergeAll(ReplicaMap volume) {
    for (String pool : volume.getBlockPoolList()) {
      for (ReplicaInfo found : new ArrayList<>(volume.replicas(pool))) { // add() takes them out
        announceStorage(found.getVolume());
        Operation begun = dataset.operations().begin(OperationKind.MERGE, pool, found.getBlockId());
        if (begun == null) {
          merge(pool, found); // the pool is not served
          continue;
        }
        try (Operation operation = begun) {
          boolean locked = operation.tryLock(0);
          if (locked && (isProvided(found) || !mayHaveChanged(pool, found))) {
            merge(pool, found);
          } else {
            deferred.get().add(new Deferred(pool, found));
          }
          if (locked) {
            operation.unlock();
          }
        }
      }
    }
  }

  /**
   * Stock does so after the last replica. Who works on the first one meanwhile reports it, and one
   * report that names no storage keeps all later ones from the NameNode.
   */
  private void announceStorage(FsVolumeSpi volume) {
    String id = volume.getStorageID();
    if (!dataset.storageMap.containsKey(id)) {
      dataset.storageMap.put(
          id, new DatanodeStorage(id, DatanodeStorage.State.NORMAL, volume.getStorageType()));
    }
  }

  private boolean merge(String pool, ReplicaInfo found) {
    boolean isOlder = isOlder(found, get(pool, found.getBlockId()));
    if (isOlder) {
      older.get().add(new Found(pool, found));
    } else {
      add(pool, found);
      if (!found.getVolume().isTransientStorage()) {
        dataset.ramDiskReplicaTracker.discardReplica(pool, found.getBlockId(), false);
      }
    }
    return !isOlder;
  }

  /**
   * By a thread of the volume's own, at once or when who has the block gives it back. That may be
   * after the DataNode has told the NameNode what is on the volume; or the volume has gone again.
   * The disk is asked before the block is locked, and once more when it has just answered: should
   * it hang then, who needs this block waits, and nobody else.
   */
  private void mergeLater(Deferred found, DeferredChecks thread) {
    boolean again = false;
    try {
      again = !mergeIfFree(found, thread);
    } finally {
      if (!again) {
        found.place.end();
        deleteOlder(); // not before: what has its place reserved is not deleted
      }
    }
  }

  private void mergeBy(DeferredChecks thread, Deferred deferred) {
    merging.incrementAndGet();
    thread.add(
        () -> {
          try {
            mergeLater(deferred, thread);
          } finally {
            merging.decrementAndGet();
          }
        });
  }

  /** How many replicas of volumes that are back are taken in now or next, for tests. */
  int merging() {
    return merging.get();
  }

  /** Returns false when it is done again, by the same thread. */
  private boolean mergeIfFree(Deferred deferred, DeferredChecks thread) {
    String pool = deferred.pool;
    ReplicaInfo found = deferred.replica;
    boolean hadFiles = hasFiles(found);
    Operation begun = dataset.operations().begin(OperationKind.MERGE, pool, found.getBlockId());
    if (begun == null) {
      return true;
    }
    try (Operation operation = begun;
        FsVolumeReference volume = found.getVolume().obtainReference()) {
      if (!operation.keepLockOr(0, () -> mergeBy(thread, deferred))) {
        return false;
      }
      if (isBusy(pool, found)) {
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
        thread.add(() -> mergeAt(due, deferred, thread));
        return false;
      }
      if (!hadFiles || deferred.isBeingDeleted() || !hasFiles(found)) {
        FsDatasetImpl.LOG.info(
            "Replica {} has changed since its volume was read; the next scan deals with it", found);
      } else if (merge(pool, found) && found.getState() == ReplicaState.FINALIZED) {
        dataset.datanode.notifyNamenodeReceivedBlock(
            new ExtendedBlock(pool, found),
            null,
            volume.getVolume().getStorageID(),
            volume.getVolume().isTransientStorage());
      }
    } catch (IOException e) {
      FsDatasetImpl.LOG.info("Replica {} is not taken in: its volume was removed again", found, e);
    }
    return true;
  }

  /** All that were put off together have their turn together. */
  private void mergeAt(long due, Deferred deferred, DeferredChecks thread) {
    try {
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      mergeLater(deferred, thread);
    } catch (InterruptedException e) {
      deferred.place.end();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whether a newer copy is coming in, which may fail yet, and of which stock's would have taken
   * the place; or a recovery is under way, whose replica this one would replace. A copy that broke
   * off is not waited for: stock leaves some until the DataNode restarts.
   */
  private boolean isBusy(String pool, ReplicaInfo found) {
    ReplicaInfo known = get(pool, found.getBlockId());
    if (known == null) {
      return false;
    }
    return known.getState() == ReplicaState.RUR
        || known.getState() == ReplicaState.TEMPORARY
            && known.getGenerationStamp() > found.getGenerationStamp()
            && hasLiveWriter((ReplicaInPipeline) known);
  }

  /** A replica does not tell its writer, but says whether a thread is it; nothing is changed. */
  private static boolean hasLiveWriter(ReplicaInPipeline replica) {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] threads = new Thread[2 * all.activeCount() + 100];
    int live = all.enumerate(threads);
    for (int i = 0; i < live; i++) {
      if (replica.attemptToSetWriter(threads[i], threads[i])) {
        return true;
      }
    }
    return live == threads.length; // there may be more
  }

  /** What this thread has kept before; it adds a volume next, and reads it. */
  void beforeAddVolume() {
    older.remove();
    deferred.get().forEach(each -> each.place.end());
    deferred.remove();
    beingDeleted.set(dataset.deletions.blocks());
  }

  /**
   * For the volume that this thread has added since {@link #beforeAddVolume}, and that is there
   * now: brings in what was to wait, and has deleted what was left out.
   */
  void afterAddVolume() {
    List<Deferred> waiting = deferred.get();
    deferred.remove();
    beingDeleted.remove();
    DeferredChecks thread =
        new DeferredChecks(); // it has none before it is used, nor long afterwards
    waiting.forEach(each -> mergeBy(thread, each));
    deleteOlder();
  }

  private void deleteOlder() {
    older.get().forEach(this::scheduleDeletion);
    older.remove();
  }

  /** By neither volume's thread: either disk may hang. */
  private void scheduleDeletion(Found older) {
    dataset.deferredChecks.add(() -> deleteOlder(older));
  }

  /** Its files would be in the way of later replicas, and the next start might take them. */
  private void deleteOlder(Found older) {
    ReplicaInfo found = older.replica;
    Operation begun =
        dataset.operations().begin(OperationKind.CHECK_AND_UPDATE, older.pool, found.getBlockId());
    if (begun == null) {
      return; // its pool goes
    }
    try (Operation operation = begun) {
      operation.on(found.getVolume().getStorageID());
      if (!operation.keepLockOr(0, () -> scheduleDeletion(older))) {
        return; // the block is in use, perhaps on another disk that hangs
      }
      ReplicaInfo known = get(older.pool, found.getBlockId());
      if (mayDelete(older.pool) && isAlone(older) && supersedes(known, found) && isOpen(known)) {
        try (FsVolumeReference volume = found.getVolume().obtainReference()) {
          delete(older.pool, found);
        }
        FsDatasetImpl.LOG.info(
            "Replica {} of a volume that was added was deleted; the newer one is {}", found, known);
      } else {
        FsDatasetImpl.LOG.info(
            "Replica {} of a volume that was added is not used and stays on its disk; the one in"
                + " use is {}",
            found,
            known);
      }
    } catch (IOException | RuntimeException e) {
      FsDatasetImpl.LOG.info(
          "Replica {} of a volume that was added could not be deleted and stays on its disk",
          found,
          e);
    }
  }

  /** With the space and the block that stock counted when it read the volume. */
  private static void delete(String pool, ReplicaInfo found) throws IOException {
    FsVolumeImpl volume = (FsVolumeImpl) found.getVolume();
    long data = found.getBlockDataLength();
    long meta = found.getMetadataLength();
    if (!found.deleteBlockData()) {
      throw new IOException("cannot delete " + found.getBlockURI());
    }
    volume.onBlockFileDeletion(pool, data);
    if (found.deleteMetadata()) {
      volume.onMetaFileDeletion(pool, meta);
    }
  }

  /** Not where a rollback of an upgrade may want it back. */
  boolean mayDelete(String pool) {
    return deletesDuplicates && !dataset.dataStorage.trashEnabled(pool);
  }

  private static boolean supersedes(ReplicaInfo known, ReplicaInfo found) {
    if (!isOlder(found, known)) {
      return false;
    }
    // Without a reference to its volume: that may hang here, and is to be removed then.
    return known.getVolume() != found.getVolume()
        && !known.getBlockURI().equals(found.getBlockURI())
        && known.blockDataExists()
        && known.metadataExists()
        && known.getBlockDataLength() >= found.getBlockDataLength();
  }

  /** Whether no copy of its block is put where it is, nor another replica deleted there. */
  private boolean isAlone(Found older) {
    return !dataset.deletions.arePending(
        older.pool, older.replica.getBlockId(), older.replica.getVolume());
  }

  /**
   * Whether a replica that comes back is to be left out. Of two of the same generation stamp the
   * one that comes back is taken, as in stock, unless it is unfinished and the other is not. So it
   * is where the other one is only just coming in, or about to go with its volume; on provided
   * volumes; and of two of the same stamp, one of which is in memory: it was saved.
   */
  private static boolean isOlder(ReplicaInfo found, ReplicaInfo known) {
    if (known == null || known.getState() == ReplicaState.TEMPORARY) {
      return false;
    }
    long stamp = known.getGenerationStamp();
    boolean finished =
        known.getState() == ReplicaState.FINALIZED && found.getState() != ReplicaState.FINALIZED;
    boolean newer = stamp > found.getGenerationStamp();
    boolean same = stamp == found.getGenerationStamp();
    return isOnDisk(found)
        && (newer && !isProvided(known) || same && finished && isOnDisk(known))
        && isOpen(known);
  }

  /**
   * Whether its block has a replica on another volume, and so may have been moved since; or files
   * of it were still being deleted, from when the volume was there before, as this thread began.
   */
  private boolean mayHaveChanged(String pool, ReplicaInfo found) {
    ReplicaInfo known = get(pool, found.getBlockId());
    return known != null && known.getVolume() != found.getVolume()
        || beingDeleted.get().contains(new ExtendedBlockId(found.getBlockId(), pool));
  }

  /** Whether its files are still those that were found. */
  private static boolean hasFiles(ReplicaInfo found) {
    return isProvided(found) || found.blockDataExists() && found.metadataExists();
  }

  /** Such files are nobody's here to change. */
  private static boolean isProvided(ReplicaInfo found) {
    return found.getVolume().getStorageType() == StorageType.PROVIDED;
  }

  private static boolean isOnDisk(ReplicaInfo replica) {
    StorageType type = replica.getVolume().getStorageType();
    return type != StorageType.PROVIDED && !type.isTransient();
  }

  static boolean isOpen(ReplicaInfo known) {
    try (FsVolumeReference reference = known.getVolume().obtainReference()) {
      return reference.getVolume() != null;
    } catch (IOException e) { // it is closed
      return false;
    }
  }
}
