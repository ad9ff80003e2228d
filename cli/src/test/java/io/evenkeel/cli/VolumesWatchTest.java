package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rounds and JSON. */
class VolumesWatchTest extends VolumesCommandFixture {
  @Test
  void watch_twoRounds_areTwoBlocksWithTheirTime() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d")));
    screen.whilePausing =
        () -> dn.bean(BEAN, Map.of("Volumes", List.of(volume("/d", "health", "hung"))));
    assertThat(volumes("--watch", "--count", "2", dn.url())).isEqualTo(2);
    assertThat(screen.pauses).containsExactly(2);
    String[] blocks = out.toString().split("2026-03-04T05:06:07Z  DataNodes: ", -1);
    assertThat(blocks).hasSize(3);
    assertThat(blocks[1]).contains("in use").endsWith("No findings.\n\n");
    assertThat(blocks[2]).contains("Finding (hung): /d").doesNotContain("\u001b");
  }

  @Test
  void watch_addressAfterTheOption_isNotTakenForTheInterval() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d")));
    assertThat(volumes("--count", "2", "--watch", dn.address())).isZero();
    assertThat(volumes("--count", "3", "--watch", "7", dn.address())).isZero();
    assertThat(volumes("--count=2", "--watch=9", dn.address())).isZero();
    assertThat(screen.pauses).containsExactly(2, 7, 7, 9);
  }

  @Test
  void watch_onATerminal_redraws() throws IOException {
    screen.terminal = true;
    assertThat(volumes("--watch", "--count", "2", dataNode(List.of(volume("/d"))).url())).isZero();
    assertThat(out.toString().split("\u001b\\[H\u001b\\[2J2026", -1)).hasSize(3);
  }

  @Test
  void watch_json_isOneLinePerRound() throws IOException {
    screen.terminal = true;
    String url = dataNode(List.of(volume("/d"))).url();
    assertThat(volumes("--watch", "--count", "2", "--json", url)).isZero();
    assertThat(out.toString().lines().toList())
        .hasSize(2)
        .allSatisfy(line -> assertThat(Json.parse(line)).isInstanceOf(Map.class));
  }

  @Test
  void watch_nobodyReadsAnyMore_ends() throws IOException {
    screen.whilePausing = () -> screen.gone = true;
    assertThat(volumes("--watch", dataNode(List.of(volume("/d"))).url())).isZero();
    assertThat(screen.pauses).hasSize(1);
  }

  @Test
  void watch_interrupted_is130() throws IOException {
    screen.whilePausing = () -> Thread.currentThread().interrupt();
    assertThat(volumes("--watch", dataNode(List.of(volume("/d"))).url())).isEqualTo(130);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @SuppressWarnings("unchecked")
  void json_aDataNode_followsTheDocumentedSchema() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d", "latencyMillis", -1.0)));
    assertThat(volumes("--json", dn.url(), stock().url())).isEqualTo(2);
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    assertThat(json.keySet())
        .containsExactly(
            "schema", "evenkeel", "exitCode", "time", "source", "dataNodes", "findings");
    assertThat(json)
        .containsEntry("schema", "evenkeel.volumes/2")
        .containsEntry("time", "2026-03-04T05:06:07Z")
        .containsEntry("exitCode", 2L);
    List<Map<String, Object>> dataNodes = (List<Map<String, Object>>) json.get("dataNodes");
    assertThat(dataNodes.get(1)).containsEntry("policy", null).containsEntry("volumes", List.of());
    assertThat(dataNodes.get(0).keySet())
        .containsExactly(
            "url",
            "instance",
            "error",
            "policy",
            "state",
            "reason",
            "choices",
            "outOfSpace",
            "rescued",
            "wouldDiffer",
            "volumes");
    assertThat(dataNodes.get(0))
        .containsEntry("url", dn.url())
        .containsEntry("policy", "LatencyAwareVolumeChoosingPolicy")
        .containsEntry("rescued", 1L);
    Map<String, Object> volume =
        ((List<Map<String, Object>>) dataNodes.get(0).get("volumes")).get(0);
    assertThat(volume.keySet()).containsExactlyElementsOf(volume("/d").keySet());
    assertThat(volume).containsEntry("latencyMillis", null).containsEntry("share", 0.25);
    assertThat((List<Map<String, Object>>) json.get("findings"))
        .singleElement()
        .extracting(finding -> finding.get("kind"))
        .isEqualTo("partial");
  }
}
