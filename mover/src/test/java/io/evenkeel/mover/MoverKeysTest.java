package io.evenkeel.mover;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;

class MoverKeysTest extends KeyTableContract {
  @Override
  protected KeyTable table() {
    return MoverKeys.TABLE;
  }

  @Override
  protected String section() {
    return "mover";
  }

  @Override
  protected Map<String, String> otherThanDefaults() {
    return Map.of(
        "evenkeel.mover.allow-untested", "true",
        "evenkeel.mover.unknown-keys", "warn");
  }
}
