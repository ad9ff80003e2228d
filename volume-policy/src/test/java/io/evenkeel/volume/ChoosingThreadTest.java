package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who asks volumes for their free space: a system call on a DataNode. */
@Timeout(60)
class ChoosingThreadTest {
  private static final int CHOICES = 10_000;

  private final Queue<Thread> askers = new ConcurrentLinkedQueue<>();

  private FsVolumeSpi watched(FakeVolume fake) {
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumeSpi.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, args) -> {
              if (method.getName().equals("getAvailable")) {
                askers.add(Thread.currentThread());
              }
              if (method.getName().equals("equals")) {
                return proxy == args[0];
              }
              try {
                return method.invoke(fake.spi, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void chooseVolume_onDataNode_choosingThreadAsksNoVolumeForItsFreeSpace() throws Exception {
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      volumes.add(watched(FakeVolume.roomy("disk" + i, StorageType.DISK)));
    }
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = new LatencyAwareVolumeChoosingPolicy<>();
    policy.setConf(new Configuration(false));
    for (int i = 0; i < CHOICES; i++) {
      assertThat(policy.chooseVolume(volumes, 128L << 20)).isNotNull();
    }
    // The first choice had each asked, by another thread.
    assertThat(askers).hasSizeGreaterThanOrEqualTo(volumes.size());
    assertThat(askers).doesNotContain(Thread.currentThread());
  }
}
