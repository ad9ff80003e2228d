package io.evenkeel.locking;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;

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
        "evenkeel.locking.unknown-keys", "warn");
  }
}
