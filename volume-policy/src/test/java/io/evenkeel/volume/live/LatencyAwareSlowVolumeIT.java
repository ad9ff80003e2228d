package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One volume of a real DataNode becomes slow, or hangs, under load; stock beside ours. */
@Timeout(300)
class LatencyAwareSlowVolumeIT {
  private static final int VOLUMES = 5;
  private static final int WRITERS = 6;
  private static final int FILES = 60;
  private static final int SLOW = 2;
  private static final Duration PER_PACKET = Duration.ofMillis(60);

  /** Blocks each volume got before, while and after one was slow. */
  private record Blocks(int[] healthy, int[] slow, int[] healed) {}

  private static Blocks healthySlowHealed(LiveDataNode node) throws Exception {
    int[] healthy = batch(node, "/healthy");
    node.disk().slow(node.volume(SLOW), PER_PACKET);
    int[] slow = batch(node, "/slow");
    node.disk().heal();
    return new Blocks(healthy, slow, batch(node, "/healed"));
  }

  private static int[] batch(LiveDataNode node, String dir) throws Exception {
    Load load = node.runLoad(dir, WRITERS, FILES);
    assertThat(load.failures()).isEmpty();
    assertThat(load.written()).hasSize(FILES);
    load.verify();
    return node.blocksPerVolume(load.written());
  }

  @Test
  @Tag("slow") // runs no class of ours
  void slowVolume_stock_keepsItsShare() throws Exception {
    try (LiveDataNode node =
        new LiveDataNode(RoundRobinVolumeChoosingPolicy.class, VOLUMES, Map.of())) {
      node.disk().slow(node.volume(SLOW), PER_PACKET);
      assertThat(batch(node, "/slow")).containsOnly(FILES / VOLUMES);
    }
  }

  @Test
  void slowVolume_latencyAware_losesItsShareAndGetsItBack() throws Exception {
    try (LiveDataNode node =
        new LiveDataNode(LatencyAwareVolumeChoosingPolicy.class, VOLUMES, Map.of())) {
      Blocks blocks = healthySlowHealed(node);
      assertThat(blocks.healthy()[SLOW]).isGreaterThanOrEqualTo(FILES / VOLUMES / 2);
      assertThat(blocks.slow()[SLOW]).isBetween(1, FILES / VOLUMES / 2);
      assertThat(blocks.healed()[SLOW]).isGreaterThanOrEqualTo(FILES / VOLUMES / 2);
    }
  }

  @Test
  @Tag("slow") // runs no class of ours
  void hungVolume_stock_stopsEveryWriterUntilItIsReleased() throws Exception {
    try (LiveDataNode node =
        new LiveDataNode(RoundRobinVolumeChoosingPolicy.class, VOLUMES, Map.of())) {
      Load load = node.startLoad("/hang", WRITERS);
      Await.until("the load is under way", () -> load.written().size() >= VOLUMES);
      node.disk().hang(node.volume(SLOW));
      Await.until("every writer is held", () -> node.disk().held() == WRITERS);
      releaseAndCheck(node, load);
    }
  }

  @Test
  void hungVolume_latencyAware_otherWritersGoOnAndNothingIsLost() throws Exception {
    try (LiveDataNode node =
        new LiveDataNode(LatencyAwareVolumeChoosingPolicy.class, VOLUMES, Map.of())) {
      Load load = node.startLoad("/hang", WRITERS);
      Await.until("the load is under way", () -> load.written().size() >= VOLUMES);
      node.disk().hang(node.volume(SLOW));
      Await.until("a writer is held", () -> node.disk().held() > 0);
      int before = load.written().size();
      Await.until("others have gone on", () -> load.written().size() >= before + FILES);
      assertThat(node.disk().held()).isBetween(1, WRITERS / 2);
      releaseAndCheck(node, load);
    }
  }

  @Test
  void slowVolume_volumeMetrics_ejectItAndTakeItBack() throws Exception {
    Map<String, String> settings =
        Map.of(
            "dfs.datanode.fileio.profiling.sampling.percentage", "100",
            "evenkeel.volume.signals", "metrics",
            "evenkeel.volume.sample.interval", "100ms",
            "evenkeel.volume.eject.base", "1s",
            "evenkeel.volume.eject.max", "1s");
    try (LiveDataNode node =
        new LiveDataNode(LatencyAwareVolumeChoosingPolicy.class, VOLUMES, settings)) {
      Load load = node.startLoad("/metrics", WRITERS);
      Await.until("the load is under way", () -> load.written().size() >= FILES);
      node.disk().slow(node.volume(SLOW), PER_PACKET.multipliedBy(3));
      Await.until("it is ejected", () -> Seen.of(node.volume(SLOW), "health").equals("ejected"));
      assertThat(Seen.of(node.volume(SLOW), "signal").toString()).contains("metrics");
      assertThat(Seen.of(node.volume(SLOW), "reason").toString()).contains("a write takes");
      Await.until("it is probed", () -> (Long) Seen.of(node.volume(SLOW), "probes") > 0);
      node.disk().heal();
      Await.until("it is in use", () -> Seen.of(node.volume(SLOW), "health").equals("in_use"));
      load.stop();
      load.join();
      assertThat(batch(node, "/healed")[SLOW]).isGreaterThanOrEqualTo(FILES / VOLUMES / 2);
      assertThat(load.failures()).isEmpty();
      load.verify();
    }
  }

  private static void releaseAndCheck(LiveDataNode node, Load load) throws Exception {
    node.disk().heal();
    int before = load.written().size();
    Await.until("writers go on", () -> load.written().size() >= before + 2 * WRITERS);
    load.stop();
    load.join();
    assertThat(node.disk().held()).isZero();
    assertThat(load.failures()).isEmpty();
    load.verify();
  }
}
