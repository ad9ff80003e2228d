package io.evenkeel.cli.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class TopologyCheckTest {
  private static final String SIX_HOSTS =
      "a /r1/n1\nb /r1/n2\nc /r1/n3\nd /r2/n4\ne /r2/n5\nf /r2/n6\n";

  private static List<String> check(String text) {
    return check(text, 3, List.of(), false);
  }

  private static List<String> check(
      String text, int replicas, List<StripedSchema> schemas, boolean used) {
    List<TopologyNode> nodes = TopologyLines.parse(text.lines().toList());
    List<String> found = new ArrayList<>();
    TopologyCheck.of(new Topology(nodes, Topology.Layers.AUTO), replicas, schemas, used, null)
        .forEach(finding -> found.add(finding.toString()));
    return found;
  }

  @Test
  void of_equalHostsAndRacks_findsNothing() {
    assertThat(check(SIX_HOSTS)).isEmpty();
  }

  @Test
  void of_someUnmapped_isAnError() {
    assertThat(check(SIX_HOSTS + "x /default-rack/default-nodegroup\ny /r1/default-nodegroup\n"))
        .contains(
            "error unmapped: 2 of 8 DataNodes are in the default location or in a group of their"
                + " own and may share a host with any other: x, y");
  }

  @Test
  void of_isolatedHost_isUnmapped() {
    assertThat(check(SIX_HOSTS + "x /r1/unknown-10.0.0.9\n"))
        .anyMatch(f -> f.startsWith("error unmapped: 1 of 7 ") && f.endsWith(": x"));
  }

  @Test
  void of_rackThatOnlyBeginsLikeTheDefault_isMapped() {
    assertThat(check(SIX_HOSTS.replace("/r1/", "/default-rack2/"))).isEmpty();
  }

  @Test
  void of_allUnmapped_isAWarning() {
    assertThat(check("a /default-rack\nb /default-rack\nc /default-rack\nd /default-rack\n"))
        .containsExactly(
            "warning unmapped: no host is known: all 4 DataNodes are in the default location or in a"
                + " group of their own",
            "warning one-rack: one rack: its failure takes every replica");
  }

  @Test
  void of_hostInTwoNodeGroups_isAnError() {
    assertThat(check(SIX_HOSTS + "a:2 /r1/n2\n"))
        .contains("error split-host: host a is in 2 places: /r1/n1, /r1/n2");
  }

  @Test
  void of_addressInTwoRacks_isAnError() {
    assertThat(check("Rack: /r1\n 10.0.0.1:1 (a)\nRack: /r2\n 10.0.0.1:2 (b)\n"))
        .contains("error split-host: host 10.0.0.1 is in 2 places: /r1, /r2");
  }

  @Test
  void of_manySplitHosts_areSummedUp() {
    StringBuilder text = new StringBuilder(SIX_HOSTS);
    for (String name : "abcdef".split("")) {
      text.append(name).append(":2 /r3/n9\n");
    }
    assertThat(check(text.toString()))
        .contains("error split-host: the same of 3 more")
        .filteredOn(f -> f.startsWith("error split-host: host"))
        .hasSize(3);
  }

  @Test
  void of_loopback_isNoHost() {
    assertThat(check("127.0.0.1:1 /r1\n127.0.0.1:2 /r2\nlocalhost:3 /r1\nlocalhost:4 /r2\n"))
        .isEmpty();
  }

  @Test
  void of_groupNameInTwoRacks_isAWarning() {
    assertThat(check("a /r1/n1\nb /r1/n2\nc /r2/n1\nd /r2/n3\n"))
        .containsExactly(
            "warning repeated-group: node group n1 is in 2 racks: /r1, /r2; stock takes them for"
                + " one");
  }

  @Test
  void of_mixedDepth_isAnError() {
    assertThat(check(SIX_HOSTS + "x /r9\ny /dc/r1/n1\n"))
        .contains("error mixed-depth: 2 of 8 locations have not 2 parts: x at /r9, y at /dc/r1/n1");
  }

  @Test
  void of_fewerHostsThanReplicas_isAnError() {
    assertThat(check("a:1 /r1/n1\na:2 /r1/n1\nb:1 /r2/n2\nb:2 /r2/n2\n"))
        .containsExactly(
            "error few-hosts: 2 hosts for 3 replicas: some share a host, and are lost with it");
  }

  @Test
  void of_plainRacks_countsAddressesAsHosts() {
    assertThat(check("h1:1 /r1\nh1:2 /r1\nh2:1 /r2\nh2:2 /r2\n"))
        .contains(
            "error few-hosts: 2 hosts for 3 replicas: some share a host, and are lost with it");
  }

  @Test
  void of_asManyHostsAsReplicas_isAWarning() {
    assertThat(check("a /r1/n1\nb /r1/n2\nc /r2/n3\nd /r2/n4\n", 4, List.of(), false))
        .containsExactly(
            "warning no-spare-host: 4 hosts for 4 replicas: no host can be retired without"
                + " replicas sharing one");
  }

  @Test
  void of_oneReplica_needsNoSecondRack() {
    assertThat(check("a /r1/n1\nb /r1/n2\n", 1, List.of(), false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "RS-3-2, 2, 3",
    "RS-3-2, 3, 0",
    "RS-6-3, 2, 5",
    "RS-6-3, 3, 0",
    "RS-10-4, 3, 5",
    "RS-10-4, 4, 0",
    "XOR-2-1, 2, 2",
    "XOR-2-1, 3, 0"
  })
  void of_schemas_breakWhenAHostHoldsMoreThanParity(String schema, int hosts, int most) {
    StringBuilder text = new StringBuilder();
    for (int h = 0; h < hosts; h++) {
      text.append("h").append(h).append(" /r").append(h % 2).append("/n").append(h).append('\n');
    }
    List<StripedSchema> schemas = List.of(StripedSchema.parse(schema));
    List<String> asked =
        check(text.toString(), 1, schemas, true).stream().filter(f -> f.contains("ec-")).toList();
    if (most == 0) {
      assertThat(asked).isEmpty();
    } else {
      assertThat(asked)
          .singleElement()
          .asString()
          .startsWith("error ec-host-loss: " + schema + " puts " + most + " of ");
      assertThat(check(text.toString(), 1, schemas, false))
          .anyMatch(f -> f.startsWith("info ec-host-loss"));
    }
  }

  @Test
  void of_unequalRacks_areAWarningFromTwiceOn() {
    assertThat(check(SIX_HOSTS + "g /r2/n7\n"))
        .containsExactly("info unequal-racks: racks weigh from 3 to 4");
    assertThat(check("a /r1/n1\nb /r1/n2\nc /r2/n3\nd /r2/n4\ne /r2/n5\nf /r2/n6\n"))
        .containsExactly("warning unequal-racks: racks weigh from 2 to 4");
  }

  @Test
  void of_hostWithMoreThanHalfOfItsRack_cannotBeProportional() {
    assertThat(
            check("a /r1/n1 weight=3\nb /r1/n2 weight=2\nc /r2/n3 weight=3\nd /r2/n4 weight=2\n"))
        .containsExactly(
            "info unequal-hosts: hosts weigh from 2 to 3",
            "warning heavy-host: 2 hosts hold more than half of their rack, so pairs of replicas"
                + " load the others more than their share, up to 1.17 times the mean beside"
                + " /r1/n1");
  }

  @Test
  void of_slightlyHeavierHost_isOnlyTold() {
    StringBuilder text = new StringBuilder();
    for (int d = 0; d < 79; d++) {
      text.append("v").append(d).append(" /r").append(d / 40).append("/n").append(d / 20);
      text.append('\n');
    }
    assertThat(check(text.toString()))
        .anyMatch(f -> f.startsWith("info heavy-host: 1 hosts"))
        .noneMatch(f -> f.startsWith("warning"));
  }

  @Test
  void of_outOfService_doesNotCount() {
    TopologyNode gone = new TopologyNode.Builder("x", "/r9/n9").inService(false).build();
    List<TopologyNode> nodes = new ArrayList<>(TopologyLines.parse(SIX_HOSTS.lines().toList()));
    nodes.add(gone);
    assertThat(
            TopologyCheck.of(new Topology(nodes, Topology.Layers.AUTO), 3, List.of(), false, null))
        .singleElement()
        .hasToString("info out-of-service: 1 DataNodes are given no blocks");
  }
}
