package io.evenkeel.volume;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;

@Tag("once")
class VolumeKeysTest extends KeyTableContract {
  @Override
  protected KeyTable table() {
    return VolumeKeys.TABLE;
  }

  @Override
  protected String section() {
    return "volume";
  }

  @Override
  protected Map<String, String> otherThanDefaults() {
    Map<String, String> values = new HashMap<>();
    values.put("evenkeel.volume.allow-untested", "true");
    values.put("evenkeel.volume.unknown-keys", "warn");
    values.put("evenkeel.volume.observe-only", "true");
    values.put("evenkeel.volume.signals", "metrics");
    values.put("evenkeel.volume.fill", "even");
    values.put("evenkeel.volume.sample.interval", "500ms");
    values.put("evenkeel.volume.outlier.enabled", "false");
    values.put("evenkeel.volume.outlier.multiplier", "2.5");
    values.put("evenkeel.volume.outlier.min-peers", "3");
    values.put("evenkeel.volume.outlier.min-latency.ssd", "10ms");
    values.put("evenkeel.volume.eject.base", "20s");
    values.put("evenkeel.volume.eject.max", "5m");
    values.put("evenkeel.volume.class.nvme.dirs", "/data/1,/data/2");
    values.put("evenkeel.volume.class.nvme.weight", "4.0");
    values.put("evenkeel.volume.class.nvme.max-used-percent", "80");
    return values;
  }

  @Override
  protected void start(Map<String, String> keys) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", "[SSD]/data/1,[SSD]/data/2");
    keys.forEach(conf::set);
    new LatencyAwareVolumeChoosingPolicy<>().setConf(conf);
  }

  @Override
  protected Map<String, List<String>> badTexts() {
    return Map.of(
        "evenkeel.volume.class.*.dirs", List.of("", ",", "/data/9", "/data/1,/data/1", "no\0path"));
  }
}
