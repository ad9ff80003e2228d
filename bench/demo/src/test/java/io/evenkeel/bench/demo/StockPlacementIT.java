package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.PlugPoints;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The defect the demo's stock arm shows: with node group paths and the default policy, stock puts
 * two replicas of practically every block on one physical host, and fsck calls that healthy.
 */
class StockPlacementIT {
  private static final int FILES = 30;

  @TempDir Path dir;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void stockPolicy_nodeGroupPaths_putsTwoReplicasOnOneHostAndFsckSaysHealthy() throws Exception {
    HostPlan plan = HostPlan.of(new Layout(4, 2, 2));
    Map<String, String> settings = DemoSettings.hdfs(128 << 20);
    try (EmbeddedHdfs hdfs = new EmbeddedHdfs(dir, plan, List.of("DISK"), settings);
        DistributedFileSystem fs = hdfs.fileSystem()) {
      PlacementSurvey survey = new PlacementSurvey(plan);
      for (int i = 0; i < FILES; i++) {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/f" + i);
        DFSTestUtil.createFile(fs, file, 4096, (short) 3, i);
        survey.add(fs, file);
      }
      assertThat(survey.counts().blocks()).isEqualTo(FILES);
      assertThat(survey.counts().twoOnOneHost())
          .as("blocks of which one host holds two replicas, of %s", FILES)
          .isGreaterThanOrEqualTo(FILES * 9 / 10);
      assertThat(hdfs.fsck()).isEqualTo("HEALTHY");
    }
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void evenkeelSettings_everyModuleThatExists_startsAndWrites() throws Exception {
    HostPlan plan = HostPlan.of(new Layout(2, 1, 1));
    Map<String, String> settings = DemoSettings.hdfs(128 << 20);
    settings.putAll(PlugPoints.onClassPath());
    try (EmbeddedHdfs hdfs = new EmbeddedHdfs(dir, plan, DemoSettings.STORAGES, settings);
        DistributedFileSystem fs = hdfs.fileSystem()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
      DFSTestUtil.createFile(fs, file, 4096, (short) 2, 1);
      assertThat(fs.getFileStatus(file).getLen()).isEqualTo(4096);
    }
  }
}
