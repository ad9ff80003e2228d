package io.evenkeel.volume;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;

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
    return Map.of(
        "evenkeel.volume.allow-untested", "true",
        "evenkeel.volume.unknown-keys", "warn");
  }
}
