package io.evenkeel.volume;

import io.evenkeel.common.plugin.Fit;
import io.evenkeel.volume.core.VolumeSignals;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.VersionInfo;

/**
 * The world of a {@link LatencyAwareVolumeChoosingPolicy} that is not on a DataNode: simulators and
 * tests hand in time and signals, and take samples themselves. Immutable.
 */
public final class PolicyEnvironment {
  private final Fit hadoop;
  private final LongSupplier nanoTime;
  private final VolumeSignals<FsVolumeSpi> signals;

  /**
   * Creates an environment without threads: {@link LatencyAwareVolumeChoosingPolicy#sample} takes
   * the place of the sampling thread, and free space is asked for by the thread that needs it.
   *
   * @param nanoTime nanoseconds of any origin, never running backwards
   * @param signals what the volumes are doing
   */
  public PolicyEnvironment(LongSupplier nanoTime, VolumeSignals<FsVolumeSpi> signals) {
    this(VolumeKeys.MODULE.fit(VersionInfo.getVersion()), nanoTime, signals);
  }

  PolicyEnvironment(Fit hadoop, LongSupplier nanoTime, VolumeSignals<FsVolumeSpi> signals) {
    this.hadoop = hadoop;
    this.nanoTime = nanoTime;
    this.signals = signals;
  }

  Fit hadoop() {
    return hadoop;
  }

  LongSupplier nanoTime() {
    return nanoTime;
  }

  VolumeSignals<FsVolumeSpi> signals() {
    return signals;
  }
}
