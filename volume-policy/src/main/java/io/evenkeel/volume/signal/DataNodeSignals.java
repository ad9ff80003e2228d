package io.evenkeel.volume.signal;

import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Being built. */
public final class DataNodeSignals implements VolumeSignals<FsVolumeSpi> {
  /** Signals for the value of evenkeel.volume.signals. */
  public static DataNodeSignals create(String mode) {
    return new DataNodeSignals();
  }

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
    return new Space(volume.getAvailable(), 0);
  }

  @Override
  public String describe(FsVolumeSpi volume) {
    return "none";
  }
}
