package io.evenkeel.placement;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import io.evenkeel.placement.config.PlacementKeys;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;

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
        Map.entry("evenkeel.placement.location-check", "1h"),
        Map.entry("evenkeel.placement.mapping.wrapped", "org.apache.hadoop.net.TableMapping"),
        Map.entry("evenkeel.placement.mapping.depth", "3"),
        Map.entry("evenkeel.placement.mapping.unknown", "fail"),
        Map.entry("evenkeel.placement.mapping.emit", "nodegroup"),
        Map.entry("evenkeel.placement.mapping.hosts", "/etc/hadoop/conf/dfs.hosts"),
        Map.entry("evenkeel.placement.mapping.recheck", "5m"),
        Map.entry("evenkeel.placement.unknown-keys", "warn"));
  }

  /** A NameNode with the mapping or, for keys that are not the mapping's, with the policy. */
  @Override
  protected void start(Map<String, String> keys) {
    Configuration conf = new Configuration(false);
    keys.forEach(conf::set);
    if (keys.keySet().stream().anyMatch(key -> key.contains(".mapping."))) {
      conf.setBoolean(MappingConf.REJECT, true);
      conf.setIfUnset("evenkeel.placement.mapping.unknown", "fail");
      new NodeGroupMapping().configure(conf, MappingRole.NAMENODE);
      return;
    }
    conf.setBooleanIfUnset(
        "evenkeel.placement.observe-only", conf.get("evenkeel.placement.observed-policy") != null);
    PlacementTesting.start(
        new UniformBlockPlacementPolicy(),
        conf,
        TestCluster.flat().stats(),
        DFSNetworkTopology.getInstance(conf),
        null);
  }

  @Override
  protected Map<String, List<String>> badTexts() {
    return Map.of(
        "evenkeel.placement.observed-policy",
        List.of("no.such.Class", "java.lang.String"),
        "evenkeel.placement.weights",
        List.of("dn1", "=2", "dn1=two", "dn1=0", "dn1=-1", "dn1=1e9", "dn1=NaN", "dn1=2,dn1=3"),
        "evenkeel.placement.mapping.wrapped",
        List.of("", "no.such.Class", "java.lang.String"),
        "evenkeel.placement.mapping.hosts",
        List.of("/no/such/file", "no\0path"));
  }
}
