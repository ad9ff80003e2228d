package io.evenkeel.volume.signal;

import static io.evenkeel.volume.core.VolumeSignals.UNKNOWN;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * What one class of volumes can tell beyond {@link FsVolumeSpi}. On every supported release the
 * DataNode's own class has all of it, but under different names and not always public, and another
 * class may have none: hence found by name, once per class.
 *
 * <p>Immutable and thread-safe. Both counters are atomic variables of the volume in all releases:
 * no lock, no system call. The capacity is a {@code statfs} unless it was configured.
 */
final class VolumeCalls {
  private static final MethodType TO_LONG = MethodType.methodType(long.class, FsVolumeSpi.class);

  private static final ClassValue<VolumeCalls> BY_CLASS =
      new ClassValue<VolumeCalls>() {
        @Override
        protected VolumeCalls computeValue(Class<?> type) {
          return new VolumeCalls(type);
        }
      };

  private final MethodHandle references;
  private final MethodHandle unacknowledged;
  private final MethodHandle capacity;
  private final UnlockedSpace unlocked; // null from Hadoop 2.10 on

  private VolumeCalls(Class<?> type) {
    references = find(type, "getReferenceCount");
    MethodHandle replicas = find(type, "getReservedForReplicas");
    unacknowledged = replicas != null ? replicas : find(type, "getReservedForRbw"); // Hadoop 2.7
    capacity = find(type, "getCapacity");
    unlocked = UnlockedSpace.of(type);
  }

  static VolumeCalls of(FsVolumeSpi volume) {
    return BY_CLASS.get(volume.getClass());
  }

  private static MethodHandle find(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name);
        method.setAccessible(true);
        return MethodHandles.lookup().unreflect(method).asType(TO_LONG);
      } catch (NoSuchMethodException e) {
        // perhaps a superclass has it
      } catch (IllegalAccessException | RuntimeException | LinkageError e) {
        return null; // not accessible, or something else under that name
      }
    }
    return null;
  }

  /** Users of the volume, or UNKNOWN. */
  long references(FsVolumeSpi volume) {
    return call(references, volume);
  }

  /** Bytes reserved for open replicas, or UNKNOWN. */
  long unacknowledged(FsVolumeSpi volume) {
    return call(unacknowledged, volume);
  }

  /** Bytes in all, or UNKNOWN; blocks for as long as the file system does. */
  long capacity(FsVolumeSpi volume) {
    return call(capacity, volume);
  }

  /**
   * Bytes free, as {@code getAvailable} counts them; blocks for as long as the file system does.
   *
   * @throws IOException when the volume cannot tell
   */
  long available(FsVolumeSpi volume) throws IOException {
    try {
      return unlocked == null ? volume.getAvailable() : unlocked.available(volume);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IOException(e);
    }
  }

  private static long call(MethodHandle handle, FsVolumeSpi volume) {
    if (handle == null) {
      return UNKNOWN;
    }
    try {
      return (long) handle.invokeExact(volume);
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }
}
