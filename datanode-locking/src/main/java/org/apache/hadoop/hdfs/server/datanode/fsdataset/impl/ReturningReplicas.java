package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.dataset.BlockLockManager;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stock's map of replicas, but a volume that is added does not bring back what is older than what
 * the map has of the same block. A volume that was away may hold such replicas: the block was
 * appended to elsewhere and copied to another volume of this DataNode. With stock's map the older
 * one takes the place of the good one, which is then unknown until the directory scanner finds it;
 * an unfinished one the NameNode even orders to be deleted.
 *
 * <p>Files are not touched: a finalized one the directory scanner deletes, and any other the next
 * start, as stock does with two replicas of one block. Thread-safe like stock's.
 */
final class ReturningReplicas extends ReplicaMap {
  private static final Logger LOG = LoggerFactory.getLogger(ReturningReplicas.class);
  private static final String FIELD = "volumeMap";

  private ReturningReplicas(BlockLockManager locks, ReplicaMap before) {
    super(locks);
    addAll(before);
  }

  /**
   * Puts it in the place of a new dataset's map.
   *
   * @throws ReflectiveOperationException if stock's dataset has no such map
   */
  static void install(OperationDataset dataset) throws ReflectiveOperationException {
    field().set(dataset, new ReturningReplicas(dataset.locks(), dataset.volumeMap));
  }

  /** The field of the map, which has no setter. */
  static Field field() throws ReflectiveOperationException {
    Field field = FsDatasetImpl.class.getDeclaredField(FIELD);
    if (field.getType() != ReplicaMap.class || Modifier.isStatic(field.getModifiers())) {
      throw new NoSuchFieldException("FsDatasetImpl." + FIELD + " is not a ReplicaMap");
    }
    try {
      field.setAccessible(true);
    } catch (RuntimeException e) { // of a module system that denies it
      throw new ReflectiveOperationException("FsDatasetImpl." + FIELD, e);
    }
    return field;
  }

  @Override
  void mergeAll(ReplicaMap volume) {
    for (String pool : volume.getBlockPoolList()) {
      List<ReplicaInfo> older = new ArrayList<>();
      for (ReplicaInfo found : volume.replicas(pool)) {
        if (isOlder(found, get(pool, found.getBlockId()))) {
          older.add(found);
        }
      }
      for (ReplicaInfo found : older) {
        volume.remove(pool, found.getBlockId());
        LOG.info("{} has come back, but its block has a newer replica by now", found);
      }
    }
    super.mergeAll(volume);
  }

  private static boolean isOlder(ReplicaInfo found, ReplicaInfo known) {
    if (known == null || known.getGenerationStamp() < found.getGenerationStamp()) {
      return false;
    }
    return known.getGenerationStamp() > found.getGenerationStamp()
        || (known.getState() == ReplicaState.FINALIZED
            && found.getState() != ReplicaState.FINALIZED);
  }
}
