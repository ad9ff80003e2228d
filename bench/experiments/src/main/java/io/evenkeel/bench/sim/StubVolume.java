package io.evenkeel.bench.sim;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Volumes as a policy sees them: proxies, because FsVolumeSpi differs from release to release. */
public final class StubVolume {
  private static final Long ROOMY = 1L << 42;

  private StubVolume() {}

  /** Volumes with room for ever, whose free space costs nothing to read. */
  public static List<FsVolumeSpi> roomy(StorageType type, int count) {
    return of(type, count, () -> ROOMY);
  }

  /** Volumes that ask {@code available} for their free bytes. */
  public static List<FsVolumeSpi> of(StorageType type, int count, Supplier<Long> available) {
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      volumes.add(volume("/" + type + "-" + i, type, available));
    }
    return List.copyOf(volumes);
  }

  /** One volume; the name is the path of its directory. */
  public static FsVolumeSpi volume(String name, StorageType type, Supplier<Long> available) {
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumeSpi.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getAvailable" -> available.get();
                  case "getStorageType" -> type;
                  case "toString", "getStorageID", "getBasePath" -> name;
                  case "getBaseURI" -> URI.create("file:" + name);
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == args[0];
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }
}
