package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PlacementTest {
  @Test
  void reasons_severalRefusals_countsInTheOrderOfTheEnum() {
    Placement placement = new Placement();
    assertThat(placement.reasons()).isEmpty();
    placement.add(Refusal.NOT_ENOUGH_STORAGE_SPACE);
    placement.add(Refusal.NOT_IN_SERVICE);
    placement.add(Refusal.NOT_ENOUGH_STORAGE_SPACE);
    assertThat(placement.reasons()).isEqualTo("NOT_IN_SERVICE=1, NOT_ENOUGH_STORAGE_SPACE=2");
    assertThat(placement.refusals(Refusal.NOT_ENOUGH_STORAGE_SPACE)).isEqualTo(2);
    assertThat(placement.refusals(Refusal.NO_REQUIRED_STORAGE_TYPE)).isZero();
  }

  @Test
  void nodes_moreThanFour_keepsAllInOrder() {
    Placement placement = new Placement();
    for (int node = 9; node >= 0; node--) {
      placement.add(node);
    }
    assertThat(placement.nodes()).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    assertThat(placement.size()).isEqualTo(10);
  }

  @Test
  void relaxations_counted_eachOnItsOwn() {
    Placement placement = new Placement();
    placement.add(Relaxation.SHAPE);
    placement.add(Relaxation.SHAPE);
    placement.add(Relaxation.ONE_RACK);
    assertThat(placement.relaxations(Relaxation.SHAPE)).isEqualTo(2);
    assertThat(placement.relaxations(Relaxation.ONE_RACK)).isEqualTo(1);
    assertThat(placement.relaxations(Relaxation.SHARED_HOST)).isZero();
  }
}
