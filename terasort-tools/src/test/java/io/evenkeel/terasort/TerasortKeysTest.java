package io.evenkeel.terasort;

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
        "evenkeel.terasort.split.per-host", "1",
        "evenkeel.terasort.unknown-keys", "warn");
  }
}
