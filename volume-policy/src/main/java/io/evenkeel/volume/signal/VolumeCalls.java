package io.evenkeel.volume.signal;

import static io.evenkeel.volume.core.VolumeSignals.UNKNOWN;

import java.io.IOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * What one class of volumes can tell beyond {@link FsVolumeSpi}. On every supported release the
 * DataNode's own class has all of it, but under different names and not always public, and another
 * class may have none: hence found by name, once per class, and apart from {@link DataNodeSignals},
 * of which each DataNode has its own.
 *
 * <p>Immutable and thread-safe. The counters are atomic variables of the volume in all releases: no
 * lock, no system call. The capacity is a {@code statfs} unless it was configured.
 */
final class VolumeCalls {
  private static final MethodType TO_LONG = MethodType.methodType(long.class, FsVolumeSpi.class);
  private static final MethodType ERASED = MethodType.methodType(long.class, Object.class);

  private static final ClassValue<VolumeCalls> BY_CLASS =
      new ClassValue<VolumeCalls>() {
        @Override
        protected VolumeCalls computeValue(Class<?> type) {
          return new VolumeCalls(type);
        }
      };

  private final Class<?> type;
  private final ToLongFunction<FsVolumeSpi> references;
  private final ToLongFunction<FsVolumeSpi> unacknowledged;
  private final ToLongFunction<FsVolumeSpi> blocks;
  private final ToLongFunction<FsVolumeSpi> capacity;
  private final UnlockedSpace unlocked; // null from Hadoop 2.10 on

  private VolumeCalls(Class<?> type) {
    this.type = type;
    references = find(type, "getReferenceCount");
    ToLongFunction<FsVolumeSpi> replicas = find(type, "getReservedForReplicas");
    unacknowledged = replicas != null ? replicas : find(type, "getReservedForRbw"); // Hadoop 2.7
    blocks = find(type, "getNumBlocks"); // not in Hadoop 2.7
    capacity = find(type, "getCapacity");
    unlocked = UnlockedSpace.of(type);
  }

  static VolumeCalls of(FsVolumeSpi volume) {
    return BY_CLASS.get(volume.getClass());
  }

  /** Whether they are the calls of this volume. */
  boolean areOf(FsVolumeSpi volume) {
    return type == volume.getClass();
  }

  /** Null when no class has it, or it is not accessible. */
  private static ToLongFunction<FsVolumeSpi> find(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name);
        return isPublic(method) ? direct(method) : byHandle(method);
      } catch (NoSuchMethodException e) {
        // perhaps a superclass has it
      } catch (IllegalAccessException
          | LambdaConversionException
          | RuntimeException
          | LinkageError e) {
        return null; // not accessible, or something else under that name
      }
    }
    return null;
  }

  /** Whether code compiled here could call it. */
  private static boolean isPublic(Method method) {
    Class<?> type = method.getDeclaringClass();
    return Modifier.isPublic(method.getModifiers())
        && Modifier.isPublic(type.getModifiers())
        && type.getClassLoader() == FsVolumeSpi.class.getClassLoader();
  }

  /**
   * As fast as a call compiled here. A handle that is no constant is slower, for every volume and
   * every choice.
   */
  private static ToLongFunction<FsVolumeSpi> direct(Method method)
      throws IllegalAccessException, LambdaConversionException {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    CallSite made =
        LambdaMetafactory.metafactory(
            lookup,
            "applyAsLong",
            MethodType.methodType(ToLongFunction.class),
            ERASED,
            lookup.unreflect(method),
            MethodType.methodType(long.class, method.getDeclaringClass()));
    try {
      @SuppressWarnings("unchecked") // it casts to the class of the volume
      ToLongFunction<FsVolumeSpi> call = (ToLongFunction<FsVolumeSpi>) made.getTarget().invoke();
      return call;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static ToLongFunction<FsVolumeSpi> byHandle(Method method) throws IllegalAccessException {
    method.setAccessible(true);
    MethodHandle handle = MethodHandles.lookup().unreflect(method).asType(TO_LONG);
    return volume -> {
      try {
        return (long) handle.invokeExact(volume);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /** Users of the volume, or UNKNOWN. */
  long references(FsVolumeSpi volume) {
    return call(references, volume);
  }

  /** Bytes reserved for open replicas, or UNKNOWN. */
  long unacknowledged(FsVolumeSpi volume) {
    return call(unacknowledged, volume);
  }

  /** Blocks on the volume, or UNKNOWN. */
  long blocks(FsVolumeSpi volume) {
    return call(blocks, volume);
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

  private static long call(ToLongFunction<FsVolumeSpi> call, FsVolumeSpi volume) {
    if (call == null) {
      return UNKNOWN;
    }
    try {
      return call.applyAsLong(volume);
    } catch (RuntimeException | Error e) {
      return UNKNOWN;
    }
  }

  /**
   * Free space of a volume of Hadoop 2.7 without the lock of the dataset. There {@code
   * getAvailable} takes that lock to add up what the block pools use, and the DataNode chooses a
   * volume while it holds it: a thread that asks on behalf of a choice would never be answered in
   * time, and each slow operation of the DataNode would look like a hung file system. The sum needs
   * no lock, the map of block pools is a concurrent one. Later releases take none.
   */
  private static final class UnlockedSpace {
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
     * @throws ReflectiveOperationException when the volume cannot tell, with the reason as its
     *     cause
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
}
