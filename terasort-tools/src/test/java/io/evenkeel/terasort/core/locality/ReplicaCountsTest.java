package io.evenkeel.terasort.core.locality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class ReplicaCountsTest {
  @Test
  void format_runs_areCounted() {
    assertThat(ReplicaCounts.format(new int[] {3, 3, 3})).isEqualTo("3");
    assertThat(ReplicaCounts.format(new int[] {3, 3, 0, 2, 2})).isEqualTo("3x2,0x1,2x2");
    assertThat(ReplicaCounts.format(new int[0])).isEmpty();
  }

  @Test
  void format_tooManyRuns_isNothing() {
    int[] mixed = IntStream.range(0, 10_000).map(i -> i % 3).toArray();
    assertThat(ReplicaCounts.format(mixed)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void parse_whatWasFormatted_isTheSame(int seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      int[] counts = random.ints(1 + random.nextInt(60), 0, 1 + random.nextInt(3)).toArray();
      assertThat(ReplicaCounts.parse(ReplicaCounts.format(counts), counts.length))
          .isEqualTo(counts);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "3x", "-1", "3x2,", "3x2 1x1", "3x1", "3x3", "3x999999999,1x1"})
  void parse_otherTextOrNumberOfTasks_isNull(String text) {
    assertThat(ReplicaCounts.parse(text, 2)).isNull();
  }

  @Test
  void parse_null_isNull() {
    assertThat(ReplicaCounts.parse(null, 2)).isNull();
  }
}
