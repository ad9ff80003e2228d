package io.evenkeel.terasort.config;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import io.evenkeel.terasort.NodeGroupInputFormat;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

class TerasortKeysTest extends KeyTableContract {
  @Override
  protected KeyTable table() {
    return TerasortKeys.TABLE;
  }

  @Override
  protected String section() {
    return "terasort";
  }

  @Override
  protected Map<String, String> otherThanDefaults() {
    return Map.of(
        "evenkeel.terasort.allow-untested", "true",
        "evenkeel.terasort.split.bytes", "0",
        "evenkeel.terasort.split.least-bytes", "1m",
        "evenkeel.terasort.split.per-host", "1",
        "evenkeel.terasort.locality.input-format", "com.example.Input",
        "evenkeel.terasort.locality.max-locations", "8",
        "evenkeel.terasort.locality.layers", "rack",
        "evenkeel.terasort.locality.yarn-timeout", "30s",
        "evenkeel.terasort.locality.replicas", "3",
        "evenkeel.terasort.unknown-keys", "warn");
  }

  /** A tool or, for the key that only a job reads, the job. */
  @Override
  protected void start(Map<String, String> keys) throws Exception {
    Configuration conf = new Configuration(false);
    keys.forEach(conf::set);
    TerasortStart.strict(conf);
    if (keys.containsKey("evenkeel.terasort.locality.input-format")) {
      new NodeGroupInputFormat<>().getSplits(Job.getInstance(conf));
    }
  }

  @Override
  protected Map<String, List<String>> badTexts() {
    return Map.of(
        "evenkeel.terasort.locality.input-format",
        List.of(
            "",
            "no.such.Class",
            "java.lang.String",
            "org.apache.hadoop.mapreduce.InputFormat",
            "io.evenkeel.terasort.NodeGroupInputFormat"),
        "evenkeel.terasort.locality.replicas",
        List.of()); // not for operators
  }
}
