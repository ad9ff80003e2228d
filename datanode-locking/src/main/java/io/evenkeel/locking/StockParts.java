package io.evenkeel.locking;

import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.IdempotentDirectories;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset;

/**
 * The parts of stock this module replaces, found by their exact names and types. Two fields of the
 * DataNode have no setter, nor has the map of its dataset, which {@link FineGrainedDataset}
 * replaces itself; nothing else private is touched. Separate from the factory because tests replace
 * the parts of DataNodes of their own. Immutable.
 */
public final class StockParts {
  /** Ours on releases that do not have them, see there: by name, with so many parameters. */
  private static final Map<String, Integer> LATER = new HashMap<>();

  static {
    LATER.put("createRbw", 5); // since 3.4.1
    LATER.put("invalidateMissingBlock", 3); // since 3.5
  }

  private final Field lockManager;
  private final Field fileIoProvider;

  private StockParts(Field lockManager, Field fileIoProvider) {
    this.lockManager = lockManager;
    this.fileIoProvider = fileIoProvider;
  }

  /**
   * Finds the parts.
   *
   * @throws ReflectiveOperationException naming the first that is missing or different
   */
  public static StockParts find() throws ReflectiveOperationException {
    checkOverrides();
    FineGrainedDataset.checkParts();
    return new StockParts(
        field("dataSetLockManager", DataSetLockManager.class),
        field("fileIoProvider", FileIoProvider.class));
  }

  private static Field field(String name, Class<?> type) throws ReflectiveOperationException {
    Field field = DataNode.class.getDeclaredField(name);
    if (field.getType() != type || Modifier.isStatic(field.getModifiers())) {
      throw new NoSuchFieldException("DataNode." + name + " is not a " + type.getSimpleName());
    }
    try {
      field.setAccessible(true);
    } catch (RuntimeException e) { // of a module system that denies it
      throw new ReflectiveOperationException("DataNode." + name, e);
    }
    return field;
  }

  /** A method that overrides nothing would be called by nobody, and its block not be locked. */
  private static void checkOverrides() throws ReflectiveOperationException {
    for (Method method : FineGrainedDataset.class.getDeclaredMethods()) {
      if (overrides(method)) {
        checkOverride(FineGrainedDataset.class.getSuperclass(), method);
      }
    }
  }

  private static boolean overrides(Method method) {
    int kept = Modifier.PRIVATE | Modifier.STATIC;
    boolean helper = Modifier.isFinal(method.getModifiers());
    return (method.getModifiers() & kept) == 0 && !method.isSynthetic() && !helper;
  }

  private static void checkOverride(Class<?> stock, Method method)
      throws ReflectiveOperationException {
    Class<?>[] parameters = method.getParameterTypes();
    if (Integer.valueOf(parameters.length).equals(LATER.get(method.getName()))) {
      return;
    }
    Method overridden = stock.getDeclaredMethod(method.getName(), parameters);
    int no = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
    if ((overridden.getModifiers() & no) != 0
        || !overridden.getReturnType().isAssignableFrom(method.getReturnType())) {
      throw new NoSuchMethodException(
          overridden + " cannot be overridden with " + Arrays.toString(parameters));
    }
  }

  /**
   * Puts ours in the place of the DataNode's, before its dataset is made.
   *
   * @throws ReflectiveOperationException when the DataNode still has its own; then it has both
   */
  public void replace(DataNode datanode, BlockLockManager locks, IdempotentDirectories io)
      throws ReflectiveOperationException {
    Object oldLocks = datanode.getDataSetLockManager();
    Object oldIo = datanode.getFileIoProvider();
    try {
      lockManager.set(datanode, locks);
      fileIoProvider.set(datanode, io);
      if (datanode.getDataSetLockManager() != locks || datanode.getFileIoProvider() != io) {
        throw new IllegalAccessException("a field of the DataNode keeps its old value");
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      lockManager.set(datanode, oldLocks);
      restore(datanode, oldIo);
      throw new ReflectiveOperationException("DataNode: " + e.getMessage(), e);
    }
  }

  private void restore(DataNode datanode, Object oldIo) {
    try {
      fileIoProvider.set(datanode, oldIo);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return; // it could not be set before either
    }
  }
}
