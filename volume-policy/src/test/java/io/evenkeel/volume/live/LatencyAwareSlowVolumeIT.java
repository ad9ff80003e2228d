package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
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
  void slowVolume_stock_keepsItsShare() throws Exception {
    try (LiveDataNode node =
        new LiveDataNode(RoundRobinVolumeChoosingPolicy.class, VOLUMES, Map.of())) {
      assertThat(healthySlowHealed(node).slow()).containsOnly(FILES / VOLUMES);
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
