package io.evenkeel.bench.locking;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;

/**
 * What the running Hadoop's dataset asks its lock manager for to work on one block: the volume, and
 * since 3.5 the block's directory on it, which up to 256 consecutive ids share. Apart from {@link
 * BlockLockBenchmark} because it is what differs between releases.
 *
 * @param level of the lock
 * @param names resources by id of the block
 */
record BlockLockRequest(LockLevel level, LongFunction<String[]> names) {
  String[] resources(long blockId) {
    return names.apply(blockId);
  }

  /** Of blocks on the first volume. */
  static BlockLockRequest of(OneDataNode dataNode)
      throws IOException, ReflectiveOperationException {
    String pool = dataNode.pool();
    String volume = dataNode.volume(0).getStorageID();
    Field directories = directories(dataNode.dataset().getClass());
    if (directories == null) {
      return new BlockLockRequest(LockLevel.VOLUME, id -> new String[] {pool, volume});
    }
    directories.setAccessible(true);
    Object strategy = directories.get(dataNode.dataset());
    Method directory = strategy.getClass().getMethod("blockIdToSubLock", long.class);
    directory.setAccessible(true);
    return new BlockLockRequest(
        LockLevel.valueOf("DIR"), id -> new String[] {pool, volume, name(directory, strategy, id)});
  }

  private static String name(Method directory, Object strategy, long id) {
    try {
      return (String) directory.invoke(strategy, id);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Null before 3.5. */
  private static Field directories(Class<?> dataset) {
    for (Class<?> type = dataset; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals("datasetSubLockStrategy")) {
          return field;
        }
      }
    }
    return null;
  }
}
