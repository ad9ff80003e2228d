package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.sim.VolumePolicy;
import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy;
import io.evenkeel.volume.PolicyEnvironment;
import io.evenkeel.volume.VolumeReport;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;

/** The real policies, stock ones of the running Hadoop included, on simulated disks. Stateless. */
final class Policy {

  static final Chooser.Factory ROUND_ROBIN =
      (node, disks, clock, seed) ->
          new Plain(node, disks, new RoundRobinVolumeChoosingPolicy<>(), Map.of());

  static final Chooser.Factory AVAILABLE_SPACE =
      (node, disks, clock, seed) -> new Plain(node, disks, availableSpace(seed), Map.of());

  static final Chooser.Factory PER_TYPE =
      (node, disks, clock, seed) ->
          new Plain(
              node,
              disks,
              new PerTypeRoundRobinVolumeChoosingPolicy<>(),
              Map.of("evenkeel.volume.allow-untested", "true"));

  static final Chooser.Factory LATENCY_AWARE = latencyAware(Map.of());

  /** Our policy, filling volumes evenly. */
  static final Chooser.Factory EVEN = latencyAware(Map.of("evenkeel.volume.fill", "even"));

  /** Name of stock's default in reports. */
  static final String DEFAULT = "round robin";

  /** Name of the other. */
  static final String SPACE = "AvailableSpace";

  /** Stock's default alone, for what nothing else changes. */
  static final Map<String, Chooser.Factory> ROTATION = Map.of(DEFAULT, ROUND_ROBIN);

  private Policy() {}

  /** Stock's policies, its default first. */
  static Map<String, Chooser.Factory> policies() {
    Map<String, Chooser.Factory> stock = new LinkedHashMap<>(ROTATION);
    stock.put(SPACE, AVAILABLE_SPACE);
    return stock;
  }

  /** All that stock has against slow disks. */
  static Map<String, Chooser.Factory> stock() {
    Map<String, Chooser.Factory> stock = policies();
    if (SlowDiskExclusion.exists()) {
      stock.put(
          "round robin, slow disks excluded",
          (node, disks, clock, seed) -> new SlowDiskExclusion(node, disks));
    }
    return stock;
  }

  /** Our policy with settings by key. */
  private static Chooser.Factory latencyAware(Map<String, String> settings) {
    return (node, disks, clock, seed) -> new LatencyAware(node, disks, clock, settings);
  }

  /** Stock draws from a generator of its own; the constructor with one is not public. */
  private static VolumeChoosingPolicy<FsVolumeSpi> availableSpace(long seed) {
    try {
      @SuppressWarnings("rawtypes")
      Constructor<AvailableSpaceVolumeChoosingPolicy> seeded =
          AvailableSpaceVolumeChoosingPolicy.class.getDeclaredConstructor(Random.class);
      seeded.setAccessible(true);
      @SuppressWarnings("unchecked")
      VolumeChoosingPolicy<FsVolumeSpi> policy = seeded.newInstance(new Random(seed));
      return policy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Hadoop has another AvailableSpace policy", e);
    }
  }

  private static Configuration configuration(Map<String, String> settings) {
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    return conf;
  }

  /** A policy that looks at nothing but the volumes. */
  private static final class Plain implements Chooser {
    private final DiskVolumes volumes;
    private final VolumePolicy policy;

    Plain(
        Scenario.Node node,
        List<Disk> disks,
        VolumeChoosingPolicy<FsVolumeSpi> policy,
        Map<String, String> settings) {
      this.volumes = new DiskVolumes(node.type(), disks);
      if (policy instanceof Configurable) {
        ((Configurable) policy).setConf(configuration(settings));
      }
      this.policy = VolumePolicy.around(policy);
    }

    @Override
    public Disk choose(double size) throws IOException {
      return volumes.disk(policy.choose(volumes.list(), bytes(size)));
    }

    @Override
    public void sample() {
      // it has no signals
    }

    @Override
    public List<VolumeReport> volumes() {
      return List.of();
    }
  }

  private static final class LatencyAware implements Chooser {
    private final DiskVolumes volumes;
    private final LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy;

    LatencyAware(Scenario.Node node, List<Disk> disks, Clock clock, Map<String, String> settings) {
      volumes = new DiskVolumes(node.type(), disks);
      policy = new LatencyAwareVolumeChoosingPolicy<>(new PolicyEnvironment(clock::nanos, volumes));
      policy.setConf(configuration(settings));
    }

    @Override
    public Disk choose(double size) throws IOException {
      return volumes.disk(policy.chooseVolume(volumes.list(), bytes(size), null));
    }

    @Override
    public void sample() {
      policy.sample();
    }

    @Override
    public List<VolumeReport> volumes() {
      return policy.volumes().stream()
          .sorted(Comparator.comparing(VolumeReport::getDirectory))
          .toList();
    }
  }

  private static long bytes(double size) {
    return (long) (size * (1 << 20));
  }
}
