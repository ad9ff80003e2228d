package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HostTopologyTest {
  private static HostTopology.Place at(String rack, String host) {
    return new HostTopology.Place(rack, host);
  }

  @Test
  void of_unsortedPlaces_numbersByRackThenHostAndKeepsTheGivenOrderOnAHost() {
    List<HostTopology.Place> places =
        Arrays.asList(at("/b", "y"), at("/a", "x"), at("/b", "w"), at("/a", "x"), at("/a", "v"));
    assertThat(HostTopology.order(places)).containsExactly(4, 1, 3, 2, 0);
    HostTopology topology = HostTopology.of(places);
    assertThat(new int[] {topology.nodes(), topology.hosts(), topology.racks()})
        .containsExactly(5, 4, 2);
    assertThat(
            new int[] {
              topology.hostOf(0), topology.hostOf(1), topology.hostOf(2), topology.hostOf(4)
            })
        .containsExactly(0, 1, 1, 3);
    assertThat(topology.rackOf(2)).isZero();
    assertThat(topology.rackOf(3)).isEqualTo(1);
    assertThat(topology.rackOfHost(2)).isEqualTo(1);
    assertThat(topology.hostKey(1)).isEqualTo("x");
    assertThat(topology.rackKey(1)).isEqualTo("/b");
  }

  @Test
  void ranges_randomClusters_agreeWithASearch() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      List<HostTopology.Place> places = new ArrayList<>();
      for (int n = random.nextInt(1, 40); n > 0; n--) {
        places.add(at("/r" + random.nextInt(4), "h" + random.nextInt(6)));
      }
      HostTopology topology = HostTopology.of(places);
      int[] order = HostTopology.order(places);
      for (int node = 0; node < topology.nodes(); node++) {
        HostTopology.Place place = places.get(order[node]);
        int host = topology.hostOf(node);
        int rack = topology.rackOf(node);
        assertThat(topology.rackKey(rack)).isEqualTo(place.rack);
        assertThat(topology.hostKey(host)).isEqualTo(place.host);
        assertThat(topology.rackOf(place.rack)).isEqualTo(rack);
        assertThat(topology.hostOf(place.rack, place.host)).isEqualTo(host);
        assertThat(node)
            .isBetween(topology.firstNodeOfHost(host), topology.firstNodeOfHost(host + 1) - 1)
            .isBetween(topology.firstNodeOfRack(rack), topology.endOfRack(rack) - 1);
        assertThat(host)
            .isBetween(topology.firstHostOfRack(rack), topology.firstHostOfRack(rack + 1) - 1);
        for (int other = 0; other < topology.nodes(); other++) {
          assertThat(topology.sameHost(node, other))
              .isEqualTo(place.host.equals(places.get(order[other]).host));
        }
      }
      TreeSet<String> racks = new TreeSet<>();
      places.forEach(p -> racks.add(p.rack));
      assertThat(topology.racks()).isEqualTo(racks.size());
    }
  }

  @Test
  void sameHost_oneKeyInTwoRacks_isTwoHostsThatFailAsOne() {
    HostTopology topology =
        HostTopology.of(Arrays.asList(at("/a", "h"), at("/b", "g"), at("/b", "h")));
    assertThat(topology.hosts()).isEqualTo(3);
    assertThat(topology.hostOf(0)).isNotEqualTo(topology.hostOf(2));
    assertThat(topology.sameHost(0, 2)).isTrue();
    assertThat(topology.sameHost(0, 1)).isFalse();
    assertThat(topology.hostOf("/a", "h")).isZero();
    assertThat(topology.hostOf("/b", "h")).isEqualTo(2);
  }

  @Test
  void find_unknownKeys_minusOne() {
    HostTopology topology = FakeCluster.of("b:1,1 d:1").topology;
    for (String rack : new String[] {"a", "c", "e", ""}) {
      assertThat(topology.rackOf(rack)).isEqualTo(-1);
      assertThat(topology.hostOf(rack, "b0")).isEqualTo(-1);
    }
    for (String host : new String[] {"a", "b00", "b2", "d0"}) {
      assertThat(topology.hostOf("b", host)).isEqualTo(-1);
    }
  }

  @Test
  void of_noDataNode_isEmpty() {
    HostTopology topology = HostTopology.of(new ArrayList<>());
    assertThat(new int[] {topology.nodes(), topology.hosts(), topology.racks()})
        .containsExactly(0, 0, 0);
    assertThat(topology.rackOf("/a")).isEqualTo(-1);
  }
}
