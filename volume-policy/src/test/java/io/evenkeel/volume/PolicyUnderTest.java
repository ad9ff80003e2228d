package io.evenkeel.volume;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;

/** Calls a policy as the running release does: through the one chooseVolume of its interface. */
final class PolicyUnderTest {
  private static final Method CHOOSE =
      Arrays.stream(VolumeChoosingPolicy.class.getMethods())
          .filter(m -> m.getName().equals("chooseVolume"))
          .findFirst()
          .orElseThrow();

  private final Object policy;

  PolicyUnderTest(Object policy) {
    this.policy = policy;
  }

  static PolicyUnderTest of(Class<?> policyClass, Configuration conf) {
    return new PolicyUnderTest(ReflectionUtils.newInstance(policyClass, conf));
  }

  FsVolumeSpi choose(long size, List<FakeVolume> volumes) throws IOException {
    List<FsVolumeSpi> list = new ArrayList<>();
    volumes.forEach(v -> list.add(v.spi));
    try {
      return (FsVolumeSpi)
          (CHOOSE.getParameterCount() == 2
              ? CHOOSE.invoke(policy, list, size)
              : CHOOSE.invoke(policy, list, size, "DS-any"));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new AssertionError(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Number of times each volume is chosen when a list is used {@code times} times. */
  long[] counts(int times, long size, List<FakeVolume> volumes) throws IOException {
    long[] counts = new long[volumes.size()];
    for (int i = 0; i < times; i++) {
      FsVolumeSpi chosen = choose(size, volumes);
      for (int v = 0; v < counts.length; v++) {
        counts[v] += volumes.get(v).spi == chosen ? 1 : 0;
      }
    }
    return counts;
  }
}
