package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The core against stock's rules: the corpus in many block sizes, and random data sets. */
@Tag("once")
class CoreChecksTest {
  @Test
  void corpusAndRandomSets_anyRangesAndGrouping_sameAsStockRules() {
    assertThat(new CoreChecks(5_000).call()).isNull();
  }
}
