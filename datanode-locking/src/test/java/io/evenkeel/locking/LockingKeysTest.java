package io.evenkeel.locking;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;

@Tag("once")
class LockingKeysTest extends KeyTableContract {
  @Override
  protected KeyTable table() {
    return LockingKeys.TABLE;
  }

  @Override
  protected String section() {
    return "locking";
  }

  @Override
  protected Map<String, String> otherThanDefaults() {
    return Map.of(
        "evenkeel.locking.allow-untested", "true",
        "evenkeel.locking.enabled", "false",
        "evenkeel.locking.drain-timeout", "1s",
        "evenkeel.locking.slow-hold", "2s",
        "evenkeel.locking.log-interval", "5s",
        "evenkeel.locking.unknown-keys", "warn");
  }

  @Override
  protected void start(Map<String, String> keys) throws Exception {
    Configuration conf = new Configuration(false);
    keys.forEach(conf::set);
    new FineGrainedDatasetFactory().newInstance(null, null, conf);
  }

  @Override
  protected Map<String, List<String>> badTexts() {
    return Map.of();
  }
}
