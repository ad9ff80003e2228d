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
class ClusterViewTest {
  private static ClusterView.Place at(String rack, String host) {
    return new ClusterView.Place(rack, host);
  }

  @Test
  void of_unsortedPlaces_numbersByRackThenHostAndKeepsTheGivenOrderOnAHost() {
    List<ClusterView.Place> places =
        Arrays.asList(at("/b", "y"), at("/a", "x"), at("/b", "w"), at("/a", "x"), at("/a", "v"));
    assertThat(ClusterView.order(places)).containsExactly(4, 1, 3, 2, 0);
    ClusterView view = ClusterView.of(places);
    assertThat(new int[] {view.nodes(), view.hosts(), view.racks()}).containsExactly(5, 4, 2);
    assertThat(new int[] {view.hostOf(0), view.hostOf(1), view.hostOf(2), view.hostOf(4)})
        .containsExactly(0, 1, 1, 3);
    assertThat(view.rackOf(2)).isZero();
    assertThat(view.rackOf(3)).isEqualTo(1);
    assertThat(view.rackOfHost(2)).isEqualTo(1);
    assertThat(view.hostKey(1)).isEqualTo("x");
    assertThat(view.rackKey(1)).isEqualTo("/b");
  }

  @Test
  void ranges_randomClusters_agreeWithASearch() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      List<ClusterView.Place> places = new ArrayList<>();
      for (int n = random.nextInt(1, 40); n > 0; n--) {
        places.add(at("/r" + random.nextInt(4), "h" + random.nextInt(6)));
      }
      ClusterView view = ClusterView.of(places);
      int[] order = ClusterView.order(places);
      for (int node = 0; node < view.nodes(); node++) {
        ClusterView.Place place = places.get(order[node]);
        int host = view.hostOf(node);
        int rack = view.rackOf(node);
        assertThat(view.rackKey(rack)).isEqualTo(place.rack);
        assertThat(view.hostKey(host)).isEqualTo(place.host);
        assertThat(view.rackOf(place.rack)).isEqualTo(rack);
        assertThat(view.hostOf(place.rack, place.host)).isEqualTo(host);
        assertThat(node)
            .isBetween(view.firstNodeOfHost(host), view.firstNodeOfHost(host + 1) - 1)
            .isBetween(view.firstNodeOfRack(rack), view.endOfRack(rack) - 1);
        assertThat(host).isBetween(view.firstHostOfRack(rack), view.firstHostOfRack(rack + 1) - 1);
        for (int other = 0; other < view.nodes(); other++) {
          assertThat(view.sameHost(node, other))
              .isEqualTo(place.host.equals(places.get(order[other]).host));
        }
      }
      TreeSet<String> racks = new TreeSet<>();
      places.forEach(p -> racks.add(p.rack));
      assertThat(view.racks()).isEqualTo(racks.size());
    }
  }

  @Test
  void sameHost_oneKeyInTwoRacks_isTwoHostsThatFailAsOne() {
    ClusterView view = ClusterView.of(Arrays.asList(at("/a", "h"), at("/b", "g"), at("/b", "h")));
    assertThat(view.hosts()).isEqualTo(3);
    assertThat(view.hostOf(0)).isNotEqualTo(view.hostOf(2));
    assertThat(view.sameHost(0, 2)).isTrue();
    assertThat(view.sameHost(0, 1)).isFalse();
    assertThat(view.hostOf("/a", "h")).isZero();
    assertThat(view.hostOf("/b", "h")).isEqualTo(2);
  }

  @Test
  void find_unknownKeys_minusOne() {
    ClusterView view = FakeCluster.of("b:1,1 d:1").view;
    for (String rack : new String[] {"a", "c", "e", ""}) {
      assertThat(view.rackOf(rack)).isEqualTo(-1);
      assertThat(view.hostOf(rack, "b0")).isEqualTo(-1);
    }
    for (String host : new String[] {"a", "b00", "b2", "d0"}) {
      assertThat(view.hostOf("b", host)).isEqualTo(-1);
    }
  }

  @Test
  void of_noDataNode_isEmpty() {
    ClusterView view = ClusterView.of(new ArrayList<>());
    assertThat(new int[] {view.nodes(), view.hosts(), view.racks()}).containsExactly(0, 0, 0);
    assertThat(view.rackOf("/a")).isEqualTo(-1);
  }
}
