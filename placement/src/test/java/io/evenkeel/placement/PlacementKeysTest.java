package io.evenkeel.placement;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;

class PlacementKeysTest extends KeyTableContract {
  @Override
  protected KeyTable table() {
    return PlacementKeys.TABLE;
  }

  @Override
  protected String section() {
    return "placement";
  }

  @Override
  protected Map<String, String> otherThanDefaults() {
    return Map.of(
        "evenkeel.placement.allow-untested", "true",
        "evenkeel.placement.unknown-keys", "warn");
  }
}
