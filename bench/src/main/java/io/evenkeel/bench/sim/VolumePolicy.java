package io.evenkeel.bench.sim;

import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy;
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

  /** Name of our policy that goes by work in flight. */
  public static final String LATENCY_AWARE = "latency-aware";

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
