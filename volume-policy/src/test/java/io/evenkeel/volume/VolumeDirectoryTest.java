package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;

class VolumeDirectoryTest {
  private final AtomicInteger stats = new AtomicInteger();

  private FsVolumeSpi volume(String location) {
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumeSpi.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "getStorageLocation":
                  return location == null ? null : StorageLocation.parse(location);
                case "getBaseURI":
                  stats.incrementAndGet();
                  return URI.create("file:/data/1/");
                case "getBasePath":
                  return "/data/1";
                default:
                  throw new UnsupportedOperationException(method.toString());
              }
            });
  }

  @Test
  void of_volumeWithALocation_isToldFromMemory() {
    assertThat(VolumeDirectory.of(volume("[DISK]file:///data/1"))).isEqualTo("/data/1");
    assertThat(stats).as("getBaseURI of Hadoop 3.1 is a stat").hasValue(0);
  }

  @Test
  void of_volumeWithoutALocation_isItsBase() {
    assertThat(VolumeDirectory.of(volume(null))).isEqualTo("/data/1");
  }
}
