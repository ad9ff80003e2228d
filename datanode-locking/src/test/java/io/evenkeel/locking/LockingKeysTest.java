package io.evenkeel.locking;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;
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
}
