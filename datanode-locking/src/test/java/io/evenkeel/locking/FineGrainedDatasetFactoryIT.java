package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which dataset a DataNode gets, and what its operator is told. */
class FineGrainedDatasetFactoryIT {
  @TempDir private Path dir;

  @Test
  void switchedOff_stockDatasetAndTheReason() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    conf.setBoolean("evenkeel.locking.enabled", false);
    try (LogLines lines = LogLines.of(FineGrainedDatasetFactory.class);
        OneDataNode one = OneDataNode.start(dir, conf)) {
      assertThat(one.dataset()).isNotInstanceOf(FineGrainedDataset.class);
      assertThat(lines.at("WARN")).isEmpty();
      assertThat(lines.at("INFO"))
          .singleElement()
          .asString()
          .contains("is fallback (evenkeel.locking.enabled=false");
    }
  }

  @Test
  void tested_oneLine() throws Exception {
    try (LogLines lines = LogLines.of(FineGrainedDatasetFactory.class);
        OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(true))) {
      assertThat(one.dataset()).isInstanceOf(FineGrainedDataset.class);
      assertThat(lines.at("INFO"))
          .singleElement()
          .asString()
          .contains("is active", ", default settings; proved by ");
    }
  }

  @Test
  void untestedRelease_stockDatasetAndOneWarning() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    conf.set("dfs.datanode.fsdataset.factory", OnAnotherRelease.class.getName());
    try (LogLines lines = LogLines.of(FineGrainedDatasetFactory.class);
        OneDataNode one = OneDataNode.start(dir, conf)) {
      assertThat(one.dataset()).isNotInstanceOf(FineGrainedDataset.class);
      assertThat(lines.at("INFO")).isEmpty();
      assertThat(lines.at("WARN"))
          .singleElement()
          .asString()
          .contains("3.4.99", "method x.Y.z is missing", "evenkeel.locking.allow-untested=true");
    }
  }

  @Test
  void untestedReleaseAllowed_ours() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    conf.set("dfs.datanode.fsdataset.factory", OnAnotherRelease.class.getName());
    conf.setBoolean("evenkeel.locking.allow-untested", true);
    try (OneDataNode one = OneDataNode.start(dir, conf)) {
      assertThat(one.dataset()).isInstanceOf(FineGrainedDataset.class);
    }
  }

  /** The factory as it is on a Hadoop that the jar does not fit. */
  public static final class OnAnotherRelease extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
    @Override
    public FsDatasetSpi<?> newInstance(DataNode node, DataStorage storage, Configuration conf)
        throws IOException {
      return new FineGrainedDatasetFactory(
              new Fit("3.4.99", List.of("method x.Y.z is missing"), ""))
          .newInstance(node, storage, conf);
    }
  }

  @Test
  void badValue_refusedWithKeyValueAndRange() {
    Configuration conf = OneDataNode.conf(true);
    conf.set("evenkeel.locking.drain-timeout", "1h");
    FineGrainedDatasetFactory factory = new FineGrainedDatasetFactory();
    assertThatThrownBy(() -> factory.newInstance(null, null, conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("evenkeel.locking.drain-timeout")
        .hasMessageContaining("1h")
        .hasMessageContaining("10m");
  }
}
