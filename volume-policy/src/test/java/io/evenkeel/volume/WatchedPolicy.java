package io.evenkeel.volume;

import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * A latency-aware policy whose time and signals belong to the test, for what it shows of itself.
 */
final class WatchedPolicy {
  static final long CAPACITY = 2 * FakeVolume.ROOMY;

  final LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy;

  /** The policy holds volumes weakly, and a volume named only in a call may be collected early. */
  private final List<FakeVolume> chosenFrom = new ArrayList<>();

  private final AtomicLong now = new AtomicLong(TimeUnit.DAYS.toNanos(3));

  WatchedPolicy(String... keysAndValues) {
    policy = new LatencyAwareVolumeChoosingPolicy<>(new PolicyEnvironment(now::get, new Signals()));
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    policy.setConf(conf);
  }

  void choose(int times, FakeVolume... volumes) throws IOException {
    chosenFrom.addAll(List.of(volumes));
    List<FsVolumeSpi> list = new ArrayList<>();
    for (FakeVolume volume : volumes) {
      list.add(volume.spi);
    }
    for (int i = 0; i < times; i++) {
      policy.chooseVolume(list, 1 << 20, "DS-any");
    }
  }

  void pass(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Nothing but free space, as on a release where every other signal has vanished. */
  private static final class Signals implements VolumeSignals<FsVolumeSpi> {
    @Override
    public long references(FsVolumeSpi volume) {
      return UNKNOWN;
    }

    @Override
    public long unacknowledgedBytes(FsVolumeSpi volume) {
      return UNKNOWN;
    }

    @Override
    public DeviceCounters device(FsVolumeSpi volume) {
      return null;
    }

    @Override
    public Space space(FsVolumeSpi volume) throws IOException {
      return new Space(volume.getAvailable(), CAPACITY);
    }

    @Override
    public String describe(FsVolumeSpi volume) {
      return "none";
    }
  }
}
