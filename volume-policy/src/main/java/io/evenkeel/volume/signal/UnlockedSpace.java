package io.evenkeel.volume.signal;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Free space of a volume of Hadoop 2.7 without the lock of the dataset. There {@code getAvailable}
 * takes that lock to add up what the block pools use, and the DataNode chooses a volume while it
 * holds it: a thread that asks on behalf of a choice would never be answered in time, and each slow
 * operation of the DataNode would look like a hung file system. The sum needs no lock, the map of
 * block pools is a concurrent one. Later releases take none.
 *
 * <p>Immutable and thread-safe.
 */
final class UnlockedSpace {
  private final Method pools;
  private final Method poolUsed;
  private final Method capacity;
  private final Method unacknowledged;
  private final Method reserved;
  private final Field usage;

  private UnlockedSpace(Class<?> type) throws ReflectiveOperationException {
    unacknowledged = type.getDeclaredMethod("getReservedForRbw");
    pools = type.getDeclaredMethod("getBlockPoolList");
    poolUsed = type.getDeclaredMethod("getBlockPoolUsed", String.class);
    capacity = type.getDeclaredMethod("getCapacity");
    reserved = type.getDeclaredMethod("getReserved");
    usage = type.getDeclaredField("usage");
    for (Method method : new Method[] {unacknowledged, pools, poolUsed, capacity, reserved}) {
      method.setAccessible(true);
    }
    usage.setAccessible(true);
  }

  /** For a class of volumes; null when it is not that of Hadoop 2.7. */
  static UnlockedSpace of(Class<?> type) {
    try {
      return new UnlockedSpace(type);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  /**
   * What {@code getAvailable} answers, in bytes.
   *
   * @throws ReflectiveOperationException when the volume cannot tell, with the reason as its cause
   */
  long available(FsVolumeSpi volume) throws ReflectiveOperationException {
    long used = 0;
    for (String pool : (String[]) pools.invoke(volume)) {
      used += (long) poolUsed.invoke(volume, pool);
    }
    long open = (long) unacknowledged.invoke(volume);
    DF disk = (DF) usage.get(volume);
    long others = disk.getUsed() - used;
    long withheld = Math.max(0, (long) reserved.invoke(volume) - others);
    long byCapacity = (long) capacity.invoke(volume) - used - open;
    long byDisk = disk.getAvailable() - withheld - open;
    return Math.max(0, Math.min(byCapacity, byDisk));
  }
}
