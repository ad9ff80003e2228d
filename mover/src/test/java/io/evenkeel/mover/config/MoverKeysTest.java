package io.evenkeel.mover.config;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import io.evenkeel.mover.follow.Follower;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;

@Tag("once")
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
    return Map.ofEntries(
        Map.entry("evenkeel.mover.allow-untested", "true"),
        Map.entry("evenkeel.mover.run-during-upgrade", "true"),
        Map.entry("evenkeel.mover.hand-over", "false"),
        Map.entry("evenkeel.mover.threads", "4"),
        Map.entry("evenkeel.mover.moves-per-datanode", "2"),
        Map.entry("evenkeel.mover.bandwidth-per-datanode", "50m"),
        Map.entry("evenkeel.mover.settle", "10s"),
        Map.entry("evenkeel.mover.attempts", "3"),
        Map.entry("evenkeel.mover.retry-after", "1s"),
        Map.entry("evenkeel.mover.follow.prefixes", "/hbase,/tier"),
        Map.entry("evenkeel.mover.follow.directory", "/system/other"),
        Map.entry("evenkeel.mover.follow.instance", "a"),
        Map.entry("evenkeel.mover.follow.lease-timeout", "20s"),
        Map.entry("evenkeel.mover.follow.poll-interval", "50ms"),
        Map.entry("evenkeel.mover.follow.scan-interval", "6h"),
        Map.entry("evenkeel.mover.follow.in-flight", "8"),
        Map.entry("evenkeel.mover.follow.replicas-per-second", "100"),
        Map.entry("evenkeel.mover.follow.listings-per-second", "5"),
        Map.entry("evenkeel.mover.follow.most-queued", "1000"),
        Map.entry("evenkeel.mover.follow.retries", "3"),
        Map.entry("evenkeel.mover.follow.retry-wait", "1m"),
        Map.entry("evenkeel.mover.follow.satisfier", "on"),
        Map.entry("evenkeel.mover.follow.spool", "/system/spool"),
        Map.entry("evenkeel.mover.unknown-keys", "warn"));
  }

  @Override
  protected void start(Map<String, String> keys) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "file:///");
    conf.set("evenkeel.mover.follow.prefixes", "/hot");
    conf.set("evenkeel.mover.follow.instance", "a");
    keys.forEach(conf::set);
    Follower.open(conf, null).close();
  }

  @Override
  protected Map<String, List<String>> badTexts() {
    return Map.of(
        "evenkeel.mover.follow.prefixes",
        List.of("", ",", "hot", "/hot,b", "/hot/*", "/a/../b", "/system/evenkeel/mover/x"),
        "evenkeel.mover.follow.directory",
        List.of("", "/", "system", "hdfs://nn/system"),
        "evenkeel.mover.follow.instance",
        List.of("a|b", "a\nb"),
        "evenkeel.mover.follow.spool",
        List.of("/", "spool", "/system/evenkeel/mover", "/system/evenkeel/mover/journal"));
  }
}
