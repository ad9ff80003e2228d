package io.evenkeel.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlugPointsTest {
  @TempDir private Path dir;

  private Path jar(String entry) throws Exception {
    Path jar = dir.resolve(entry.hashCode() + ".jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(entry));
      out.closeEntry();
    }
    return jar;
  }

  @Test
  void of_jarWithTheClass_setsItsKey() throws Exception {
    Path jar = jar("io/evenkeel/volume/LatencyAwareVolumeChoosingPolicy.class");
    assertThat(PlugPoints.in(List.of(jar)))
        .containsEntry(
            "dfs.datanode.fsdataset.volume.choosing.policy",
            "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy");
  }

  @Test
  void of_jarWithoutTheClass_setsNothing() throws Exception {
    assertThat(PlugPoints.in(List.of(jar("io/evenkeel/volume/VolumeKeys.class")))).isEmpty();
  }

  @Test
  void of_placementJar_alsoSetsTheTopologyItNeeds() throws Exception {
    Path jar = jar("io/evenkeel/placement/UniformBlockPlacementPolicy.class");
    assertThat(PlugPoints.in(List.of(jar)))
        .containsEntry("dfs.use.dfs.network.topology", "false")
        .containsEntry("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
  }

  @Test
  void of_module_isThatModulesKeysOrARefusal() {
    assertThat(PlugPoints.of("volume"))
        .containsOnlyKeys("dfs.datanode.fsdataset.volume.choosing.policy");
    assertThatThrownBy(() -> PlugPoints.of("placement"))
        .hasMessageContaining("is not on the class path");
  }

  @Test
  void states_moduleThatFellBack_isNotCalledActive() {
    PluginStatus.publish(
        "volume",
        LatencyAwareVolumeChoosingPolicy.class,
        Report.of(State.FALLBACK, "not tested", "9.9.9", Map.of(), Map.of()));
    assertThat(PlugPoints.states(Set.of()))
        .contains(
            Map.of(
                "module", "volume",
                "plugin", LatencyAwareVolumeChoosingPolicy.class.getName(),
                "state", "fallback",
                "detail", "not tested"));
  }

  @Test
  void states_command_isActiveWhereItWasUsed() {
    assertThat(terasort(PlugPoints.states(Set.of("terasort")))).isEqualTo("active");
    assertThat(terasort(PlugPoints.states(Set.of()))).isEqualTo("not used");
  }

  private static Object terasort(List<Map<String, Object>> states) {
    return states.stream()
        .filter(row -> row.get("module").equals("terasort"))
        .findFirst()
        .orElseThrow()
        .get("state");
  }
}
