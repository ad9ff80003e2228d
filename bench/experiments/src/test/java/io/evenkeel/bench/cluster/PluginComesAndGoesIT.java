package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real DataNode processes get the volume policy's jar and key, then lose both: every byte written
 * before, meanwhile and after is read back. Volumes are those of stock in each case.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PluginComesAndGoesIT {
  private static final String KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String POLICY = "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy";
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=volume,class=LatencyAwareVolumeChoosingPolicy";

  private PluginCluster plugin;

  @BeforeEach
  void prepare() throws IOException {
    plugin = new PluginCluster("volume-policy", Map.of(KEY, POLICY));
  }

  @AfterEach
  void endEverything() throws IOException {
    plugin.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.3", "3.5.0"})
  void dataNodes_pluginAddedAndTakenAway_everythingStaysReadable(String hadoop) throws Exception {
    plugin
        .cluster()
        .start(
            new ClusterRequest()
                .layout(1, 2, 1)
                .hadoop(hadoop)
                .plugins(false)
                .replication(2)
                .timeout(Duration.ofMinutes(4)),
            line -> {});
    byte[] before = plugin.write("/before", 2, 8, 0);
    awaitStates("");

    plugin.add("dn1", "dn2");
    awaitStates("active");
    assertThat(plugin.read("/before")).isEqualTo(before);
    byte[] meanwhile = plugin.write("/meanwhile", 2, 8, 0);

    plugin.remove("dn1", "dn2");
    awaitStates("");
    assertThat(plugin.read("/before")).isEqualTo(before);
    assertThat(plugin.read("/meanwhile")).isEqualTo(meanwhile);
    byte[] after = plugin.write("/after", 2, 8, 0);
    assertThat(plugin.read("/after")).isEqualTo(after);
  }

  /** All DataNodes are live and say this of our policy. */
  private void awaitStates(String expected) throws InterruptedException {
    boolean reached =
        Processes.await(
            Duration.ofMinutes(1),
            () ->
                plugin.cluster().status().healthy()
                    && states().equals(List.of(expected, expected)));
    assertThat(reached).as("%s, now %s", expected, states()).isTrue();
  }

  private List<String> states() {
    return Stream.of("dn1", "dn2").map(node -> plugin.state(node, BEAN)).toList();
  }
}
