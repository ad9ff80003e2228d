package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InFlightSamplerTest {
  @TempDir Path volume;

  @Test
  void content_blockFiles_withoutTheirMetaAndOtherFiles() throws Exception {
    Path dir = Files.createDirectories(volume.resolve("current/BP-1/current/finalized/subdir0"));
    Files.write(dir.resolve("blk_1"), new byte[100]);
    Files.write(dir.resolve("blk_1_1001.meta"), new byte[7]);
    Files.write(dir.resolve("blk_2"), new byte[50]);
    Files.write(volume.resolve("current/VERSION"), new byte[9]);
    assertThat(InFlightSampler.content(volume)).isEqualTo(new InFlightSampler.Content(2, 150));
  }
}
