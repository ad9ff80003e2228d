package io.evenkeel.volume;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The stock round robin of the running release, made and configured as the DataNode would.
 *
 * <p>Called through a method handle, because an unknown release may have either signature.
 * Immutable; as thread-safe as the stock class.
 */
final class StockRoundRobin<V extends FsVolumeSpi> {
  private final MethodHandle chooseVolume;

  private StockRoundRobin(MethodHandle chooseVolume) {
    this.chooseVolume = chooseVolume;
  }

  /**
   * Makes the policy.
   *
   * @throws IllegalStateException when this release has neither known signature
   */
  static <V extends FsVolumeSpi> StockRoundRobin<V> create(Configuration conf) {
    Object policy = ReflectionUtils.newInstance(RoundRobinVolumeChoosingPolicy.class, conf);
    try {
      return new StockRoundRobin<>(handle().bindTo(policy));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException(
          "VolumeChoosingPolicy of this Hadoop has no chooseVolume that Evenkeel knows;"
              + " remove dfs.datanode.fsdataset.volume.choosing.policy to use the stock policy",
          e);
    }
  }

  /** Handle of type (policy, volumes, size, storageId), whichever signature the release has. */
  private static MethodHandle handle() throws NoSuchMethodException, IllegalAccessException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType shorter = MethodType.methodType(FsVolumeSpi.class, List.class, long.class);
    try {
      return lookup.findVirtual(
          VolumeChoosingPolicy.class, "chooseVolume", shorter.appendParameterTypes(String.class));
    } catch (NoSuchMethodException e) {
      MethodHandle found = lookup.findVirtual(VolumeChoosingPolicy.class, "chooseVolume", shorter);
      return MethodHandles.dropArguments(found, 3, String.class);
    }
  }

  @SuppressWarnings("unchecked")
  V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    try {
      return (V) (FsVolumeSpi) chooseVolume.invokeExact(volumes, replicaSize, storageId);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("the stock round robin failed", e);
    }
  }
}
