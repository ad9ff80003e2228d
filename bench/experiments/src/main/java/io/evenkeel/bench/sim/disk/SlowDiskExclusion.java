package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.sim.VolumePolicy;
import io.evenkeel.volume.VolumeReport;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.metrics.OutlierDetector;

/**
 * Stock's own exclusion of slow disks around stock's round robin, tuned: the real detector with
 * {@code dfs.datanode.outliers.report.interval} 5 s, {@code dfs.datanode.slowdisk.low.threshold.ms}
 * 1 and {@code dfs.datanode.max.slowdisks.to.exclude} 1.
 *
 * <p>Modelled is what feeds it and what follows from it, in favour of stock: the mean time of a
 * write of 64 KB over the last 5 s, not rounded to milliseconds and of all writes, which a DataNode
 * only has with a sink for its metrics and {@code
 * dfs.datanode.fileio.profiling.sampling.percentage} 100. As in a DataNode, the mean of a disk that
 * completes no write stays what it was. One thread.
 */
final class SlowDiskExclusion implements Chooser {
  private static final int MOST = 1;
  private static final long LEAST_DISKS = 5;
  private static final long LOW_THRESHOLD_MILLIS = 1;
  private static final int INTERVAL_SECONDS = 5;

  private final List<Disk> disks;
  private final DiskVolumes volumes;
  private final VolumePolicy policy =
      VolumePolicy.around(new RoundRobinVolumeChoosingPolicy<FsVolumeSpi>());
  private final OutlierDetector detector = new OutlierDetector(LEAST_DISKS, LOW_THRESHOLD_MILLIS);
  private final Map<String, Double> means = new HashMap<>();
  private final Set<String> excluded = new HashSet<>();
  private int samples;

  SlowDiskExclusion(Scenario.Node node, List<Disk> disks) {
    this.disks = disks;
    volumes = new DiskVolumes(node.type(), disks);
  }

  /** Whether this Hadoop can do it. */
  static boolean exists() {
    try {
      Class.forName("org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeDiskMetrics")
          .getMethod("getSlowDisksToExclude");
      return true;
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public Disk choose(double size) throws IOException {
    List<FsVolumeSpi> rest =
        volumes.list().stream()
            .filter(volume -> !excluded.contains(name(volumes.disk(volume))))
            .toList();
    return volumes.disk(policy.choose(rest, (long) (size * (1 << 20))));
  }

  @Override
  public void sample() {
    if (++samples % INTERVAL_SECONDS != 0) {
      return;
    }
    for (Disk disk : disks) {
      double mean = disk.packets().take();
      if (!Double.isNaN(mean)) {
        means.put(name(disk), mean);
      }
    }
    excluded.clear();
    detector.getOutliers(means).entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(MOST)
        .forEach(outlier -> excluded.add(outlier.getKey()));
  }

  private static String name(Disk disk) {
    return String.valueOf(disk.index);
  }

  @Override
  public List<VolumeReport> volumes() {
    return List.of();
  }
}
