package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * DISK and ARCHIVE of a DataNode on one file system, between which it moves replicas by hard links
 * (HDFS-15548, since 3.4).
 */
@Timeout(180)
class SameDiskTieringIT {
  private static final String KEY = "dfs.datanode.same-disk-tiering.enabled";

  @Test
  void typeOnTheSameDisk_linkedAndOnlyTheFileItselfChangesLater(@TempDir Path dir)
      throws Exception {
    assumeThat(new HdfsConfiguration().get(KEY)).as("this release knows it").isNotNull();
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean(KEY, true);
    conf.set("dfs.datanode.reserve-for-archive.default.percentage", "0.5");
    try (Scene scene = Scene.each(conf, 3, StorageType.DISK, StorageType.ARCHIVE)) {
      MiniDFSCluster mini = scene.cluster().mini();
      byte[] data = scene.cluster().write("/d/f", 3 * B - 7, 3);
      scene.policy("/d", "COLD");

      MoveReport report = scene.move("/d");

      assertThat(report.files(FileOutcome.MOVED)).as("%s", report.listed()).isEqualTo(1);
      assertThat(report.counts().localReplicas()).isEqualTo(9);
      assertThat(scene.types("/d/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      assertThat(linked(mini)).isEqualTo(9);
      assertThat(scene.cluster().read("/d/f")).isEqualTo(data);

      // What is written now goes to the moved replica, and back again with it.
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/d/f");
      try (OutputStream out = scene.fs().append(file)) {
        out.write(data, 0, B);
      }
      scene.policy("/d", "HOT");
      assertThat(scene.move("/d").files(FileOutcome.MOVED)).isEqualTo(1);
      assertThat(scene.types("/d/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
      byte[] longer = Arrays.copyOf(data, data.length + B);
      System.arraycopy(data, 0, longer, data.length, B);
      assertThat(scene.cluster().read("/d/f")).isEqualTo(longer);
    }
  }

  /** Replicas the DataNodes say they moved by links. */
  private static long linked(MiniDFSCluster mini) {
    long linked = 0;
    for (DataNode node : mini.getDataNodes()) {
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      DefaultMetricsSystem.instance()
          .getSource(node.getMetrics().name())
          .getMetrics(collector, true);
      MetricsRecord record = collector.getRecords().get(0);
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals("ReplaceBlockOpOnSameMount")) {
          linked += metric.value().longValue();
        }
      }
    }
    return linked;
  }
}
