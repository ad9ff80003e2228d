package io.evenkeel.bench.sim;

import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy;
import io.evenkeel.volume.PolicyEnvironment;
import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;

/** A volume choosing policy of any Hadoop release, called as its DataNode calls it. */
public final class VolumePolicy {
  /** Name of the stock round robin of the running Hadoop. */
  public static final String STOCK = "stock";

  /** Name of our rotation per storage type. */
  public static final String EVENKEEL = "evenkeel";

  /** Name of our policy that goes by work in flight, as a DataNode makes it. */
  public static final String LATENCY_AWARE = "latency-aware";

  /** The same without threads, on volumes that give no signal but their room. */
  public static final String LATENCY_AWARE_IDLE = "latency-aware, idle";

  /** Name of the stock policy that goes by free space. */
  public static final String AVAILABLE_SPACE = "available-space";

  private static final MethodHandle TWO_ARGUMENTS = twoArguments();

  private final VolumeChoosingPolicy<FsVolumeSpi> policy;

  private VolumePolicy(VolumeChoosingPolicy<FsVolumeSpi> policy) {
    this.policy = policy;
  }

  /** Makes a policy by its name here, configured with defaults. */
  @SuppressWarnings("unchecked")
  public static VolumePolicy of(String name) {
    if (name.equals(LATENCY_AWARE_IDLE)) {
      LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> ours =
          new LatencyAwareVolumeChoosingPolicy<>(new PolicyEnvironment(() -> 0, new RoomOnly()));
      ours.setConf(new Configuration(false));
      return new VolumePolicy(ours);
    }
    Class<?> type =
        switch (name) {
          case STOCK -> RoundRobinVolumeChoosingPolicy.class;
          case LATENCY_AWARE -> LatencyAwareVolumeChoosingPolicy.class;
          case AVAILABLE_SPACE -> AvailableSpaceVolumeChoosingPolicy.class;
          case EVENKEEL -> PerTypeRoundRobinVolumeChoosingPolicy.class;
          default -> throw new IllegalArgumentException("no policy " + name);
        };
    return new VolumePolicy(
        (VolumeChoosingPolicy<FsVolumeSpi>)
            ReflectionUtils.newInstance(type, new Configuration(false)));
  }

  /** A policy that somebody else has made and configured. */
  public static VolumePolicy around(VolumeChoosingPolicy<FsVolumeSpi> policy) {
    return new VolumePolicy(policy);
  }

  /** Chooses a volume for {@code size} bytes; thread-safe as far as the policy is. */
  public FsVolumeSpi choose(List<FsVolumeSpi> volumes, long size) throws IOException {
    if (TWO_ARGUMENTS == null) {
      return policy.chooseVolume(volumes, size, null);
    }
    try {
      return (FsVolumeSpi) TWO_ARGUMENTS.invokeExact(policy, volumes, size);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  /** Idle volumes: nobody knows of any work. */
  private static final class RoomOnly implements VolumeSignals<FsVolumeSpi> {
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
      return "room";
    }
  }

  /** The method of Hadoop 2.x; null where the interface has the storage id as well. */
  private static MethodHandle twoArguments() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(
              VolumeChoosingPolicy.class,
              "chooseVolume",
              MethodType.methodType(FsVolumeSpi.class, List.class, long.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
