package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class BlockTargetsTest {
  @Test
  void reasons_severalRefusals_countsInTheOrderOfTheEnum() {
    BlockTargets targets = new BlockTargets(FakeCluster.of("a:10").topology, 1);
    assertThat(targets.reasons()).isEmpty();
    targets.add(NotChosenReason.NOT_ENOUGH_STORAGE_SPACE);
    targets.add(NotChosenReason.NOT_IN_SERVICE);
    targets.add(NotChosenReason.NOT_ENOUGH_STORAGE_SPACE);
    assertThat(targets.reasons()).isEqualTo("NOT_IN_SERVICE=1, NOT_ENOUGH_STORAGE_SPACE=2");
    assertThat(targets.refusals(NotChosenReason.NOT_ENOUGH_STORAGE_SPACE)).isEqualTo(2);
    assertThat(targets.refusals(NotChosenReason.NO_REQUIRED_STORAGE_TYPE)).isZero();
  }

  @Test
  void nodes_moreThanFour_keepsAllInOrder() {
    BlockTargets targets = new BlockTargets(FakeCluster.of("a:10").topology, 1);
    for (int node = 9; node >= 0; node--) {
      targets.chose(node);
    }
    assertThat(targets.nodes()).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    assertThat(targets.size()).isEqualTo(10);
  }

  @Test
  void relaxations_counted_eachOnItsOwn() {
    BlockTargets targets = new BlockTargets(FakeCluster.of("a:10").topology, 1);
    targets.add(Relaxation.SHAPE);
    targets.add(Relaxation.SHAPE);
    targets.add(Relaxation.ONE_RACK);
    assertThat(targets.relaxations(Relaxation.SHAPE)).isEqualTo(2);
    assertThat(targets.relaxations(Relaxation.ONE_RACK)).isEqualTo(1);
    assertThat(targets.relaxations(Relaxation.SHARED_HOST)).isZero();
  }
}
