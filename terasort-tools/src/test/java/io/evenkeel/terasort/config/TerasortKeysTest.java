package io.evenkeel.terasort.config;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;

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
}
