package io.evenkeel.volume;

import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Signals of fake volumes: users and counters as a test sets them, space as the volume answers. */
final class FakeVolumeSignals implements VolumeSignals<FsVolumeSpi> {
  final Map<FsVolumeSpi, Long> users = new ConcurrentHashMap<>();
  final Map<FsVolumeSpi, DeviceCounters> counters = new ConcurrentHashMap<>();
  volatile RuntimeException failure;

  @Override
  public long references(FsVolumeSpi volume) {
    if (failure != null) {
      throw failure;
    }
    return users.getOrDefault(volume, UNKNOWN);
  }

  @Override
  public long unacknowledgedBytes(FsVolumeSpi volume) {
    return UNKNOWN;
  }

  @Override
  public DeviceCounters device(FsVolumeSpi volume) {
    if (failure != null) {
      throw failure;
    }
    return counters.get(volume);
  }

  @Override
  public Space space(FsVolumeSpi volume) throws IOException {
    return new Space(volume.getAvailable(), 1L << 43);
  }

  @Override
  public String describe(FsVolumeSpi volume) {
    return "test";
  }
}
