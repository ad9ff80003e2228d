package io.evenkeel.bench.sim.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.sim.placement.Shape.Disks;
import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ShapeTest {
  @Test
  void places_mastersDropped_lackOneDataNodeOnBothHostsOfTheFirstRacks() {
    Shape shape = Shape.of(16, 2, 20).drop(4);
    List<Place> places = shape.places();
    assertThat(shape.size()).isEqualTo(636);
    assertThat(places).hasSize(636);
    Map<Integer, Long> perHost =
        places.stream().collect(Collectors.groupingBy(Place::host, Collectors.counting()));
    assertThat(perHost).hasSize(32);
    assertThat(perHost.entrySet())
        .allMatch(e -> e.getValue() == (e.getKey() < 4 ? 19 : 20), "19 on hosts 0 to 3");
    assertThat(places).allMatch(p -> p.rack() == p.host() / 2);
    assertThat(places).extracting(Place::index).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void unequal_oneToFourHosts_repeatOverTheRacks() {
    Shape shape = Shape.unequal(16, List.of(1, 2, 3, 4), 4);
    assertThat(shape.racks()).isEqualTo(16);
    assertThat(shape.hosts()).isEqualTo(40);
    assertThat(shape.size()).isEqualTo(160);
    assertThat(shape.places().stream().filter(p -> p.rack() == 4)).hasSize(4);
    assertThat(shape.places().stream().filter(p -> p.rack() == 7)).hasSize(16);
  }

  @Test
  void disks_twoAndThree_alternateByHostOrWithinOne() {
    Shape byHost = Shape.of(2, 2, 4).with(new Disks(List.of(2, 3), false, 0));
    assertThat(byHost.places()).allMatch(p -> p.disks() == 2 + p.host() % 2);
    Shape within = Shape.of(2, 2, 4).with(new Disks(List.of(2, 3), true, 0));
    assertThat(within.places()).allMatch(p -> p.disks() == 2 + p.slot() % 2);
  }

  @Test
  void ssds_ten_areSpreadOverAllDataNodes() {
    Shape shape = Shape.of(125, 2, 4).with(new Disks(List.of(2), false, 10));
    List<Place> fast = shape.places().stream().filter(Place::ssd).toList();
    assertThat(fast).hasSize(10);
    assertThat(fast).extracting(p -> p.index() / 100).doesNotHaveDuplicates();
    assertThat(Shape.of(2, 2, 4).places()).noneMatch(Place::ssd);
  }

  @Test
  void rackCap_knownCases_isThatOfStock() {
    assertThat(PlacementScenario.rackCap(3, 16)).isEqualTo(2);
    assertThat(PlacementScenario.rackCap(3, 2)).isEqualTo(2);
    assertThat(PlacementScenario.rackCap(4, 4)).isEqualTo(2);
    assertThat(PlacementScenario.rackCap(10, 4)).isEqualTo(4);
    assertThat(PlacementScenario.rackCap(3, 1)).isEqualTo(3);
    assertThat(PlacementScenario.rackCap(1, 5)).isEqualTo(1);
  }
}
