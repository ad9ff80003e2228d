package io.evenkeel.mover.config;

import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.testing.KeyTableContract;
import java.util.Map;
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
}
