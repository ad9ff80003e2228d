package io.evenkeel.cli.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class TopologyDocumentTest {
  @Test
  void parse_ownDocument_isRead() {
    List<TopologyNode> nodes =
        TopologyDocument.parse(
            Map.of(
                "dataNodes",
                List.of(
                    Map.of(
                        "name",
                        "vm1:9866",
                        "address",
                        "10.0.0.1:9866",
                        "location",
                        "/r1/n1",
                        "weight",
                        2L,
                        "types",
                        List.of("SSD"),
                        "inService",
                        false))));
    assertThat(nodes)
        .singleElement()
        .satisfies(n -> assertThat(n.name()).isEqualTo("vm1:9866"))
        .satisfies(n -> assertThat(n.address()).isEqualTo("10.0.0.1:9866"))
        .satisfies(n -> assertThat(n.path()).isEqualTo("/r1/n1"))
        .satisfies(n -> assertThat(n.weight()).isEqualTo(2))
        .satisfies(n -> assertThat(n.types()).containsExactly("SSD"))
        .satisfies(n -> assertThat(n.inService()).isFalse());
  }

  @Test
  void parse_topologyServlet_isRead() {
    List<TopologyNode> nodes =
        TopologyDocument.parse(
            List.of(
                Map.of("/r1/n1", List.of(Map.of("ip", "10.0.0.1:9866", "hostname", "vm1"))),
                Map.of("/r2/n2", List.of(Map.of("ip", "10.0.0.2:9866")))));
    assertThat(nodes.stream().map(n -> n.name() + " " + n.address() + " " + n.path()))
        .containsExactly("vm1:9866 10.0.0.1:9866 /r1/n1", "10.0.0.2:9866 10.0.0.2:9866 /r2/n2");
  }

  @Test
  void live_capacities_areWeightsWithMeanOne() {
    List<TopologyNode> nodes =
        TopologyDocument.live(
            new java.util.TreeMap<>(
                Map.of(
                    "vm1:9866",
                    Map.of("location", "/r1", "capacity", 200L, "adminState", "In Service"),
                    "vm2:9866",
                    Map.of("location", "/r1", "capacity", 600L, "adminState", "Decommissioned"))),
            true);
    assertThat(nodes).extracting(TopologyNode::weight).containsExactly(0.5, 1.5);
    assertThat(nodes).extracting(TopologyNode::inService).containsExactly(true, false);
  }

  @Test
  void live_oneCapacityUnknown_allWeighTheSame() {
    Map<String, ?> live =
        Map.of(
            "a:1", Map.of("location", "/r", "capacity", 7L),
            "b:1", Map.of("location", "/r"));
    assertThat(TopologyDocument.live(live, true))
        .extracting(TopologyNode::weight)
        .containsExactly(1.0, 1.0);
  }

  @Test
  void parse_otherDocuments_areRefusedInOneLine() {
    refused("no list dataNodes", Map.of("beans", List.of()));
    refused("no list dataNodes", "text");
    refused("dataNodes[0] is no object", Map.of("dataNodes", List.of(1L)));
    refused("dataNodes[0] has no name", Map.of("dataNodes", List.of(Map.of())));
    refused("dataNodes[0] has no location", Map.of("dataNodes", List.of(Map.of("name", "a"))));
    refused(
        "'r' is no network location",
        Map.of("dataNodes", List.of(Map.of("name", "a", "location", "r"))));
    refused(
        "dataNodes[0].weight is not a number above 0",
        Map.of("dataNodes", List.of(Map.of("name", "a", "location", "/r", "weight", 0L))));
    refused("the JSON is no list of racks", List.of(1L));
    refused("rack /r is no list of DataNodes", List.of(Map.of("/r", 1L)));
    refused("a DataNode of rack /r has no ip", List.of(Map.of("/r", List.of(Map.of()))));
  }

  private static void refused(String message, Object document) {
    assertThatThrownBy(() -> TopologyDocument.parse(document))
        .isInstanceOf(TopologyException.class)
        .hasMessageContaining(message);
  }

  @Test
  void live_withoutLocation_isRefused() {
    assertThatThrownBy(() -> TopologyDocument.live(Map.of("a:1", Map.of("capacity", 1L)), true))
        .isInstanceOf(TopologyException.class)
        .hasMessageContaining("does not say where a:1 is");
  }
}
