package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policy as a DataNode makes it, with its own threads. */
@Timeout(120)
class SamplingTest {
  private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());
  private LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
      new LatencyAwareVolumeChoosingPolicy<>();

  @BeforeEach
  void countThreads() {
    before.addAll(Thread.getAllStackTraces().keySet());
  }

  private List<Thread> samplers() {
    List<Thread> found = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("evenkeel-volume-sampler") && !before.contains(thread)) {
        found.add(thread);
      }
    }
    return found;
  }

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("evenkeel.volume.sample.interval", "100ms");
    return conf;
  }

  @Test
  void setConf_again_replacesTheThread() throws Exception {
    policy.setConf(conf());
    Await.until("there is a sampler", () -> samplers().size() == 1);
    Thread first = samplers().get(0);
    policy.setConf(conf());
    Await.until("the first one has ended", () -> !first.isAlive());
    Await.until("there is another", () -> samplers().size() == 1);
    assertThat(policy.getConf()).isNotNull();
  }

  @Test
  void policy_noLongerUsed_isCollectedAndItsThreadEnds() throws Exception {
    policy.setConf(conf());
    policy.chooseVolume(List.of(FakeVolume.roomy("a", StorageType.DISK).spi), 10);
    Await.until("there is a sampler", () -> samplers().size() == 1);
    policy = null;
    Await.until(
        "the thread has ended",
        () -> {
          System.gc();
          return samplers().isEmpty();
        });
  }

  @Test
  void volumes_onADataNode_areAskedByTheSamplerAndNotByTheChoice() throws Exception {
    policy.setConf(conf());
    FakeVolume full = new FakeVolume("a", StorageType.DISK, 10);
    FakeVolume roomy = FakeVolume.roomy("b", StorageType.DISK);
    List<FsVolumeSpi> volumes = List.of(full.spi, roomy.spi);
    assertThat(policy.chooseVolume(volumes, 1000)).isSameAs(roomy.spi);
    full.setAvailable(FakeVolume.ROOMY);
    Await.until(
        "the other one is chosen as well",
        () -> {
          try {
            return policy.chooseVolume(volumes, 1000) == full.spi;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    long asked = roomy.asked.get();
    Await.until("the sampler asks", () -> roomy.asked.get() >= asked + 3);
  }
}
