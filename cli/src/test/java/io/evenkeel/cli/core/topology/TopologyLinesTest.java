package io.evenkeel.cli.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class TopologyLinesTest {
  private static List<TopologyNode> parse(String text) {
    return TopologyLines.parse(text.lines().toList());
  }

  @Test
  void parse_everything_isRead() {
    List<TopologyNode> nodes =
        parse("# a comment\n\n  vm1:9866\t/r1/n1   weight=1.5 types=disk,SSD  \nvm2 /r1/n1\n");
    assertThat(nodes).hasSize(2);
    TopologyNode one = nodes.get(0);
    assertThat(one.name()).isEqualTo("vm1:9866");
    assertThat(one.host()).isEqualTo("vm1");
    assertThat(one.path()).isEqualTo("/r1/n1");
    assertThat(one.weight()).isEqualTo(1.5);
    assertThat(one.types()).containsExactly("DISK", "SSD");
    assertThat(nodes.get(1).weight()).isEqualTo(1);
    assertThat(nodes.get(1).types()).containsExactly("DISK");
  }

  @Test
  void parse_printedTopology_keepsAddressAndName() {
    List<TopologyNode> nodes =
        parse(
            "Rack: /r1/n1\n   10.0.0.1:9866 (vm1)\n   10.0.0.2:9866\n\n"
                + "Rack: /r2/n2\n   10.0.0.3:9866 (vm3) In Service\n   10.0.0.4:9866 (vm4) Decommission In Progress\n");
    assertThat(
            nodes.stream()
                .map(n -> n.name() + " " + n.address() + " " + n.path() + " " + n.inService()))
        .containsExactly(
            "vm1:9866 10.0.0.1:9866 /r1/n1 true",
            "10.0.0.2:9866 10.0.0.2:9866 /r1/n1 true",
            "vm3:9866 10.0.0.3:9866 /r2/n2 true",
            "vm4:9866 10.0.0.4:9866 /r2/n2 false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vm1 | 'vm1' has no network location; write NAME /rack/nodegroup",
        "/r1/n1 vm1 | '/r1/n1' is no host name or address; write NAME /rack/nodegroup",
        "vm1 r1 | 'r1' is no network location; write /rack or /rack/nodegroup",
        "vm1 /r1/ | '/r1/' is no network location; write /rack or /rack/nodegroup",
        "vm1 /r1//n1 | '/r1//n1' is no network location; write /rack or /rack/nodegroup",
        "vm1 /r1 wieght=2 | 'wieght=2' is not known; use weight=NUMBER or types=DISK,SSD",
        "vm1 /r1 weight | 'weight' is not known; use weight=NUMBER or types=DISK,SSD",
        "vm1 /r1 weight=0 | weight=0 is not allowed; use a number above 0",
        "vm1 /r1 weight=-1 | weight=-1 is not allowed; use a number above 0",
        "vm1 /r1 weight=two | weight=two is not allowed; use a number above 0",
        "vm1 /r1 weight=NaN | weight=NaN is not allowed; use a number above 0",
        "vm1 /r1 weight=1e999 | weight=1e999 is not allowed; use a number above 0",
        "vm1 /r1 types= | types= is not allowed; use some of DISK,SSD,ARCHIVE,RAM_DISK,NVDIMM,PROVIDED",
        "vm1 /r1 types=DISC | types=DISC is not allowed; use some of DISK,SSD,ARCHIVE,RAM_DISK,NVDIMM,PROVIDED",
        "vm0 /r0 | 'vm0' is there already, in line 2; give DataNodes of one host their ports",
        "Rack: r1 | 'r1' is no network location; write /rack or /rack/nodegroup"
      })
  void parse_badLine_isNamedWithItsNumber(String line, String message) {
    assertThatThrownBy(() -> parse("# comment\nvm0 /r0\n" + line + "\nvm9 /r9\n"))
        .isInstanceOf(TopologyException.class)
        .hasMessage("line 3: " + message);
  }

  @Test
  void parse_oneNameInTwoPlaces_isLeftToTheCheck() {
    assertThat(parse("vm1 /r1/n1\nvm1 /r1/n2\n")).hasSize(2);
  }
}
