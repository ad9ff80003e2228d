package io.evenkeel.cli.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class TopologyTest {
  private static Topology of(String text, Topology.Layers layers) {
    return new Topology(TopologyLines.parse(text.lines().toList()), layers);
  }

  @Test
  void layers_decideWhatAHostIs() {
    String text = "h1:1 /dc/r1\nh1:2 /dc/r1\nh2:1 /dc/r2\n";
    assertThat(of(text, Topology.Layers.AUTO).hosts()).containsExactly("/dc/r1", "/dc/r2");
    assertThat(of(text, Topology.Layers.AUTO).racks()).containsExactly("/dc");
    assertThat(of(text, Topology.Layers.RACK).hosts()).containsExactly("h1", "h2");
    assertThat(of(text, Topology.Layers.RACK).racks()).containsExactly("/dc/r1", "/dc/r2");
  }

  @Test
  void locate_byNameAddressOrPath() {
    Topology topology = of("Rack: /r1/n1\n   10.0.0.1:9866 (vm1)\n", Topology.Layers.AUTO);
    assertThat(topology.locate("10.0.0.1:9866").host()).isEqualTo("/r1/n1");
    assertThat(topology.locate("vm1:9866").rack()).isEqualTo("/r1");
    assertThat(topology.locate("/r7/n7/10.0.0.9:1").host()).isEqualTo("/r7/n7");
    assertThat(topology.locate("10.0.0.9:9866")).isNull();
  }

  @Test
  void locate_withoutTopology_goesByTheDepthOfTheText() {
    Topology none = new Topology(List.of(), Topology.Layers.AUTO);
    assertThat(none.locate("/r1/n1/10.0.0.1:1").host()).isEqualTo("/r1/n1");
    assertThat(none.locate("/r1/10.0.0.1:1").host()).isEqualTo("10.0.0.1");
    assertThat(none.locate("/r1/127.0.0.1:1").host()).isEqualTo("127.0.0.1:1");
    assertThat(none.locate("10.0.0.1:1")).isNull();
  }

  @Test
  void host_onPlainRacks_isTheAddressOrASharedName() {
    Topology topology =
        of(
            "Rack: /r1\n 10.0.0.1:1 (dn1)\n 10.0.0.1:2 (dn1b)\n 10.0.0.2:3 (dn1b)\n"
                + " 10.0.0.3:1 (dn3)\n 10.0.0.4:2 (dn3)\n 10.0.0.5:1 (dn5)\n",
            Topology.Layers.AUTO);
    assertThat(topology.hosts()).containsExactly("10.0.0.1", "10.0.0.3", "10.0.0.5");
    assertThat(topology.locate("/r1/10.0.0.2:3").host()).isEqualTo("10.0.0.1");
    assertThat(topology.hostsCalled("dn1b")).containsExactly("10.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "localhost.localdomain", "[::1]"})
  void host_loopback_isNeverShared(String loopback) {
    Topology topology =
        of("Rack: /r1\n " + loopback + ":1 (a)\n " + loopback + ":2 (b)\n", Topology.Layers.AUTO);
    assertThat(topology.hosts()).containsExactly("a", "b");
    assertThat(topology.locate("/r1/" + loopback + ":2").host()).isEqualTo("b");
    assertThat(topology.locate("/r1/" + loopback + ":3")).isNull();
  }

  @Test
  void locate_onPlainRacks_anAddressTheTopologyDoesNotKnowMayBeAnyHost() {
    Topology topology = of("vm1:1 /r1\n10.0.0.2 /r1\n", Topology.Layers.AUTO);
    assertThat(topology.locate("/r1/10.0.0.1:1")).isNull();
    assertThat(topology.locate("/r1/10.0.0.2:1").host()).isEqualTo("10.0.0.2");
  }

  @Test
  void hostsCalled_everyNameOfAHost() {
    Topology topology =
        of(
            "Rack: /r1/n1\n 10.0.0.1:1 (vm1)\nRack: /r2/n2\n 10.0.0.2:1 (vm2)\n",
            Topology.Layers.AUTO);
    for (String name : List.of("/r1/n1", "n1", "vm1", "vm1:1", "10.0.0.1", "10.0.0.1:1")) {
      assertThat(topology.hostsCalled(name)).as(name).containsExactly("/r1/n1");
    }
    assertThat(topology.hostsCalled("r1")).isEmpty();
    assertThat(topology.hostsCalled("1")).isEmpty();
  }

  @Test
  void regular_spreadsHostsOverRacks() {
    Topology topology = Topology.regular(3, 8, 2);
    assertThat(topology.nodes()).hasSize(16);
    assertThat(topology.hosts()).hasSize(8);
    assertThat(topology.racks()).hasSize(3);
  }

  @Test
  void withDisk_leavesOutWhatGetsNoBlocks() {
    String printed = "Rack: /r1\n 10.0.0.1:1 (a) In Service\n 10.0.0.2:1 (b) Decommissioned\n";
    String types = "c /r1/n2 types=SSD\nd /r2/n3 types=SSD,DISK\n";
    assertThat(of(printed, Topology.Layers.AUTO).withDisk())
        .extracting(TopologyNode::host)
        .containsExactly("a");
    assertThat(of(types, Topology.Layers.AUTO).withDisk())
        .extracting(TopologyNode::host)
        .containsExactly("d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "RS", "RS-6", "6-3", "RS-0-3", "RS-6-0", "RS-6-3-1024", "RS-6-3-k"})
  void schema_malformed_isRefused(String text) {
    assertThatThrownBy(() -> StripedSchema.parse(text)).isInstanceOf(TopologyException.class);
  }

  @Test
  void schema_ofAPolicy_isRead() {
    StripedSchema schema = StripedSchema.parse("RS-LEGACY-6-3-512k");
    assertThat(schema.name()).isEqualTo("RS-LEGACY-6-3");
    assertThat(schema.units()).isEqualTo(9);
    assertThat(schema.parity()).isEqualTo(3);
    assertThat(schema.cell()).isEqualTo(512 << 10);
  }
}
