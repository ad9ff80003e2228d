package io.evenkeel.bench.locking;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;

/** How many locks a dataset has at the moment. Stateless. */
final class LockCount {
  private LockCount() {}

  static int of(DatasetRig rig) throws ReflectiveOperationException {
    Object manager = rig.dataset().acquireDatasetLockManager();
    int count = stock(manager);
    for (Class<?> type = manager.getClass();
        type != DataSetLockManager.class;
        type = type.getSuperclass()) {
      count += ours(manager, type);
    }
    return count;
  }

  private static int stock(Object manager) throws ReflectiveOperationException {
    Object all = value(DataSetLockManager.class.getDeclaredField("lockMap"), manager);
    Field writeLocks = all.getClass().getDeclaredField("writeLockMap");
    return ((Map<?, ?>) value(writeLocks, all)).size();
  }

  /** Counts the live locks of each field that knows them. */
  private static int ours(Object manager, Class<?> type) throws ReflectiveOperationException {
    int count = 0;
    for (Field field : type.getDeclaredFields()) {
      if (field.getType().getName().equals("io.evenkeel.locking.core.Operations")) {
        Object operations = value(field, manager);
        count += (int) operations.getClass().getMethod("liveLocks").invoke(operations);
      }
    }
    return count;
  }

  private static Object value(Field field, Object owner) throws IllegalAccessException {
    field.setAccessible(true);
    return field.get(owner);
  }
}
