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
        "evenkeel.placement.mapping.wrapped", "org.apache.hadoop.net.TableMapping",
        "evenkeel.placement.mapping.depth", "3",
        "evenkeel.placement.mapping.unknown", "fail",
        "evenkeel.placement.mapping.emit", "nodegroup",
        "evenkeel.placement.mapping.hosts", "/etc/hadoop/conf/dfs.hosts",
        "evenkeel.placement.mapping.recheck", "5m",
        "evenkeel.placement.unknown-keys", "warn");
  }
}
