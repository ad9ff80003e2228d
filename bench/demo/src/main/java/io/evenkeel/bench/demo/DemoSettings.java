package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedJobs;
import io.evenkeel.bench.embedded.EmbeddedSettings;
import java.util.List;
import java.util.Map;

/** The Hadoop keys of the demo's files, in one place. Stateless. */
final class DemoSettings {
  /** Volumes of every DataNode of the large clusters, in order. */
  static final List<String> STORAGES = List.of("DISK", "DISK", "SSD");

  private DemoSettings() {}

  /** Keys of an HDFS of the demo. */
  static Map<String, String> hdfs(long sizeBytes) {
    Map<String, String> map = EmbeddedSettings.tuning();
    map.put("dfs.blocksize", String.valueOf(EmbeddedJobs.blockSize(sizeBytes)));
    return map;
  }
}
