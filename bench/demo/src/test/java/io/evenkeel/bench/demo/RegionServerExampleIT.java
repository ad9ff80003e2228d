package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RegionServerExampleIT extends SectionFixture {
  @Test
  void run_onAnHdfsWithAllTypes_tellsOfEachStepAndLeavesNothing() throws Exception {
    HostPlan plan = HostPlan.of(new Layout(1, 3, 1));
    Map<String, String> keys = DemoSettings.hdfs(RegionServerSection.BLOCK_BYTES);
    EmbeddedHdfs hdfs = new EmbeddedHdfs(dir, plan, RegionServerSection.STORAGES, keys);
    Path root = new Path("/example");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    RegionServerExample.run(hdfs.clientConf(), root, out);
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .contains(
            "log written: 100 % of the replicas on SSD",
            "flushed, renamed into the store: 100 % of the replicas on SSD",
            "compacted, renamed into the store: 100 % of the replicas on SSD",
            "renamed into the archive: 100 % of the replicas on ARCHIVE");
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      assertThat(fs.exists(root)).isFalse();
      fs.mkdirs(root);
      assertThatThrownBy(() -> RegionServerExample.run(hdfs.clientConf(), root, out))
          .isInstanceOf(IOException.class)
          .hasMessage("/example exists; name a directory that does not");
      assertThat(fs.exists(root)).isTrue();
    }
  }
}
