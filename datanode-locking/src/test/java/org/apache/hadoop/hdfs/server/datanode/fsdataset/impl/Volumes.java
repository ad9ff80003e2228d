package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.AutoCloseableLock;

/** What only Hadoop's package sees of volumes. */
public final class Volumes {
  private Volumes() {}

  /** Those of a dataset, without a reference to any. */
  public static List<? extends FsVolumeSpi> of(FsDatasetSpi<?> dataset) {
    return ((FsDatasetImpl) dataset).getVolumeList();
  }

  /** The one in this directory. */
  public static FsVolumeSpi at(FsDatasetSpi<?> dataset, String directory) {
    for (FsVolumeSpi each : of(dataset)) {
      if (new File(each.getBaseURI()).getPath().equals(directory)) {
        return each;
      }
    }
    throw new AssertionError(directory);
  }

  /** What the map has of a block, or null. */
  public static ReplicaInfo replica(FsDatasetSpi<?> dataset, ExtendedBlock b) {
    return ((FsDatasetImpl) dataset).volumeMap.get(b.getBlockPoolId(), b.getBlockId());
  }

  /** Has the map know a replica again. */
  public static void putBack(FsDatasetSpi<?> dataset, ExtendedBlock b, ReplicaInfo replica) {
    ((FsDatasetImpl) dataset).volumeMap.add(b.getBlockPoolId(), replica);
  }

  /** How many operations keep it from being closed. */
  public static int references(FsVolumeSpi volume) {
    return ((FsVolumeImpl) volume).getReferenceCount();
  }

  /** Whether nobody can use it any more but who does already. */
  public static boolean isClosed(FsVolumeSpi volume) throws IOException {
    try (FsVolumeReference reference = volume.obtainReference()) {
      return false;
    } catch (ClosedChannelException e) {
      return true;
    }
  }

  /** How many replicas the volumes count. */
  public static long blocks(FsDatasetSpi<?> dataset) {
    return ((FsDatasetImpl) dataset)
        .getVolumeList().stream().mapToLong(FsVolumeImpl::getNumBlocks).sum();
  }

  /** The bytes kept free for replicas that are being written. */
  public static long reserved(FsVolumeSpi volume) {
    return ((FsVolumeImpl) volume).getReservedForReplicas();
  }

  /** Has it say that it has no room, or what its disk says. */
  public static void setFull(FsVolumeSpi volume, boolean full) {
    ((FsVolumeImpl) volume).setCapacityForTesting(full ? 0 : -1);
  }

  /** Has it say that this is all it can hold. */
  public static void setCapacity(FsVolumeSpi volume, long bytes) {
    ((FsVolumeImpl) volume).setCapacityForTesting(bytes);
  }

  /** Has the DataNode leave it out as slow, which it does by default with none. */
  public static void setSlow(DataNode node, FsVolumeSpi volume)
      throws ReflectiveOperationException {
    Object metrics = node.getDiskMetrics();
    Field slow = metrics.getClass().getDeclaredField("slowDisksToExclude");
    slow.setAccessible(true);
    slow.set(metrics, List.of(volume.getBaseURI().getPath()));
  }

  /** How many replicas of volumes that are back are being taken in, without those that wait. */
  public static int comingIn(FsDatasetSpi<?> dataset) {
    return ((FineGrainedDataset) dataset).mergingMap.merging();
  }

  /** The only one of a type. */
  public static FsVolumeSpi of(FsDatasetSpi<?> dataset, StorageType type) {
    for (FsVolumeSpi each : of(dataset)) {
      if (each.getStorageType() == type) {
        return each;
      }
    }
    throw new AssertionError(type);
  }

  /** Ends the pause of removals and of checks that wait until nobody uses a volume any more. */
  public static void haveRemovalsLook(FsDatasetSpi<?> dataset) throws ReflectiveOperationException {
    synchronized (dataset) {
      dataset.notifyAll();
    }
    Object volumes = field(FsDatasetImpl.class, "volumes", dataset);
    AutoCloseableLock lock =
        (AutoCloseableLock) field(FsVolumeList.class, "checkDirsLock", volumes);
    try (AutoCloseableLock locked = lock.acquire()) {
      ((Condition) field(FsVolumeList.class, "checkDirsLockCondition", volumes)).signalAll();
    }
  }

  private static Object field(Class<?> owner, String name, Object of)
      throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
