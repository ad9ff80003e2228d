package io.evenkeel.volume;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URI;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * The data directory of a volume, told from memory: its location on Hadoop 3, {@code getBasePath}
 * on Hadoop 2. Separate from the groups to be tested alone on each release. Stateless.
 *
 * <p>{@code getBaseURI} only serves volumes without a location: in Hadoop 3.1 each call of it is a
 * {@code stat} of the directory, which must happen neither on a choosing thread nor on the sampling
 * thread, and hangs with the file system.
 */
final class VolumeDirectory {
  private static final MethodHandle LOCATION = findLocation();
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

  private static MethodHandle findLocation() {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle location =
          lookup.findVirtual(
              FsVolumeSpi.class,
              "getStorageLocation",
              MethodType.methodType(StorageLocation.class));
      MethodHandle uri =
          lookup.findVirtual(StorageLocation.class, "getUri", MethodType.methodType(URI.class));
      return MethodHandles.filterReturnValue(location, uri);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** Absolute path without a final slash; the volume's own text when it has no directory. */
  static String of(FsVolumeSpi volume) {
    String path = path(LOCATION, volume);
    path = path == null ? path(BASE_URI, volume) : path;
    path = path == null ? path(BASE_PATH, volume) : path;
    if (path == null) {
      return String.valueOf(volume);
    }
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Null when the volume does not tell: a PROVIDED one has no directory. */
  private static String path(MethodHandle handle, FsVolumeSpi volume) {
    if (handle == null) {
      return null;
    }
    try {
      Object found = handle.invoke(volume);
      String path = found instanceof URI ? ((URI) found).getPath() : (String) found;
      return path == null || path.isEmpty() ? null : path;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      return null;
    }
  }
}
