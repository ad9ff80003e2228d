package io.evenkeel.cli.topology.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class HistogramTest {
  @Test
  void count_everyDataNode_isInOneBin() {
    Histogram histogram =
        new Histogram(List.of(new long[] {90, 104, 131, 131}, new long[] {99, 100, 100, 101}));
    assertThat(histogram.from(0)).isEqualTo(90);
    assertThat(histogram.to(0) + 1).isEqualTo(histogram.from(1)).isEqualTo(92);
    assertThat(histogram.bins()).isEqualTo(21);
    assertThat(histogram.count(0, 20)).isEqualTo(2);
    assertThat(histogram.count(1, 5)).isEqualTo(3);
    assertThat(histogram.count(1, 4)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "5, 5, 1", "0, 21, 22", "1, 22, 22", "100, 10000, 21"})
  void bins_ofTwoValues_areTheirs(long least, long most, int bins) {
    Histogram histogram = new Histogram(List.of(new long[] {least, most}));
    assertThat(histogram.bins()).isEqualTo(bins);
    assertThat(histogram.from(0)).isLessThanOrEqualTo(least);
    assertThat(histogram.to(bins - 1)).isGreaterThanOrEqualTo(most);
  }
}
