package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class PlacementRulesTest {
  /** Worked out by hand from (replicas - 1) / racks + 2, one less if that is all replicas. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "1, 1, 1",
    "1, 5, 1",
    "3, 0, 3",
    "3, 1, 3",
    "10, 1, 10",
    "2, 2, 1",
    "2, 3, 1",
    "2, 100, 1",
    "3, 2, 2",
    "3, 3, 2",
    "3, 16, 2",
    "4, 2, 3",
    "4, 3, 3",
    "4, 4, 2",
    "4, 5, 2",
    "5, 2, 4",
    "5, 3, 3",
    "5, 4, 3",
    "5, 5, 2",
    "6, 2, 4",
    "6, 5, 3",
    "6, 6, 2",
    "9, 3, 4",
    "9, 8, 3",
    "9, 9, 2",
    "10, 2, 6",
    "10, 3, 5",
    "10, 4, 4",
    "10, 9, 3",
    "10, 10, 2"
  })
  void rackLimit_replicated_stockFormula(int replicas, int racks, int limit) {
    assertThat(PlacementRules.REPLICATED.rackLimit(replicas, racks)).isEqualTo(limit);
  }
}
