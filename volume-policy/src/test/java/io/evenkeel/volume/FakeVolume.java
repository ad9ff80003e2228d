package io.evenkeel.volume;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume as policies see it. A proxy, because the methods of FsVolumeSpi differ by release. */
final class FakeVolume {
  static final long ROOMY = 1L << 42;

  final FsVolumeSpi spi;
  final AtomicLong asked = new AtomicLong();
  private final String name;
  private final StorageType type;
  private volatile long available;
  private volatile IOException failure;

  FakeVolume(String name, StorageType type, long available) {
    this.name = name;
    this.type = type;
    this.available = available;
    this.spi =
        (FsVolumeSpi)
            Proxy.newProxyInstance(
                FsVolumeSpi.class.getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class},
                (proxy, method, args) -> answer(proxy, method, args));
  }

  static FakeVolume roomy(String name, StorageType type) {
    return new FakeVolume(name, type, ROOMY);
  }

  void setAvailable(long bytes) {
    available = bytes;
  }

  void failWith(IOException e) {
    failure = e;
  }

  private Object answer(Object proxy, Method method, Object[] args) throws IOException {
    switch (method.getName()) {
      case "getAvailable":
        asked.incrementAndGet();
        IOException e = failure;
        if (e != null) {
          throw e;
        }
        return available;
      case "getStorageType":
        return type;
      case "toString":
        return name;
      case "hashCode":
        return System.identityHashCode(proxy);
      case "equals":
        return proxy == args[0];
      case "getBaseURI":
        return java.net.URI.create("file:/" + name);
      case "getBasePath":
        return "/" + name;
      default:
        throw new UnsupportedOperationException(method.toString());
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
