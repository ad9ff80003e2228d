package io.evenkeel.volume;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URI;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * The data directory of a volume: {@code getBaseURI} on Hadoop 3, {@code getBasePath} on Hadoop 2.
 * Stateless.
 */
final class VolumeDirectory {
  private static final MethodHandle BASE_URI = find("getBaseURI", URI.class);
  private static final MethodHandle BASE_PATH = find("getBasePath", String.class);

  private VolumeDirectory() {}

  private static MethodHandle find(String name, Class<?> result) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(FsVolumeSpi.class, name, MethodType.methodType(result));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** Absolute path without a final slash; the volume's own text when it has no directory. */
  static String of(FsVolumeSpi volume) {
    String path = null;
    try {
      if (BASE_URI != null) {
        URI uri = (URI) BASE_URI.invokeExact(volume);
        path = uri == null ? null : uri.getPath();
      } else if (BASE_PATH != null) {
        path = (String) BASE_PATH.invokeExact(volume);
      }
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      path = null; // a PROVIDED volume has none
    }
    if (path == null || path.isEmpty()) {
      return String.valueOf(volume);
    }
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
