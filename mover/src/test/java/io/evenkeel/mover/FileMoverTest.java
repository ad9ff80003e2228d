package io.evenkeel.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided before a NameNode is asked. */
class FileMoverTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "10, 5", "100, 50"})
  void movesPerDataNode_manyWanted_areHalfOfTheQuotaAndOneAtLeast(int quota, int most) {
    assertThat(FileMover.movesPerDataNode(1000, quota)).isEqualTo(most);
  }

  @Test
  void movesPerDataNode_fewerWantedThanHalf_areAsWanted() {
    assertThat(FileMover.movesPerDataNode(8, 100)).isEqualTo(8);
  }
}
