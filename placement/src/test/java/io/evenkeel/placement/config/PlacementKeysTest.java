package io.evenkeel.placement.config;

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
    return Map.ofEntries(
        Map.entry("evenkeel.placement.allow-untested", "true"),
        Map.entry("evenkeel.placement.observe-only", "true"),
        Map.entry("evenkeel.placement.observed-policy", "org.example.Policy"),
        Map.entry("evenkeel.placement.host-key", "hostname"),
        Map.entry("evenkeel.placement.few-hosts", "strict"),
        Map.entry("evenkeel.placement.weight", "capacity"),
        Map.entry("evenkeel.placement.weights", "dn1=2"),
        Map.entry("evenkeel.placement.mapping.wrapped", "org.apache.hadoop.net.TableMapping"),
        Map.entry("evenkeel.placement.mapping.depth", "3"),
        Map.entry("evenkeel.placement.mapping.unknown", "fail"),
        Map.entry("evenkeel.placement.mapping.emit", "nodegroup"),
        Map.entry("evenkeel.placement.mapping.hosts", "/etc/hadoop/conf/dfs.hosts"),
        Map.entry("evenkeel.placement.mapping.recheck", "5m"),
        Map.entry("evenkeel.placement.unknown-keys", "warn"));
  }
}
