package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.PairedWaits.Sample;
import io.evenkeel.bench.cluster.PairedWaits.Wait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class PairedWaitsTest {
  /** The values of the tables of the sign test, from 0. */
  @ParameterizedTest
  @CsvSource({"1,0", "5,0", "6,0", "8,0", "9,1", "10,1", "12,2", "15,3", "20,5", "25,7"})
  void bound_ofTheMedian_isTheSignTests(int n, int index) {
    assertThat(PairedWaits.bound(n)).isEqualTo(index);
  }

  @Test
  void line_ofPairs_comparesThemOneByOne() {
    PairedWaits waits = new PairedWaits();
    for (int i = 1; i <= 9; i++) { // pairs get slower, both halves; ratios 1.1 to 1.9
      waits.add(sample(i * (1 + i / 10.0)), sample(i));
    }
    assertThat(waits.line(Wait.NAMENODE_WORK)).isEqualTo("7.50 | 5.00 | 1.50 | 1.20..1.80 | 9");
  }

  @Test
  void line_ofWhatWasNotSeen_saysSo() {
    PairedWaits waits = new PairedWaits();
    waits.add(new Sample(), sample(1));
    assertThat(waits.line(Wait.NAMENODE_WORK)).isEqualTo("- | - | - | - | 0");
    assertThat(waits.pairsWith(Wait.NAMENODE_WORK)).isZero();
    waits.add(sample(2), sample(1));
    assertThat(waits.pairsWith(Wait.NAMENODE_WORK)).isEqualTo(1);
  }

  @Test
  void isEnough_ofFewCalls_isFalse() {
    Sample sample = new Sample();
    assertThat(sample.isEnough()).isFalse();
    for (int i = 0; i < 300; i++) {
      sample.call(Wait.CREATE, 1_000_000L * i);
    }
    assertThat(sample.isEnough()).isTrue();
    assertThat(sample.p99(Wait.CREATE)).isBetween(296.0, 299.0);
    sample.call(Wait.LIST_STATUS, 1);
    assertThat(sample.isEnough()).isFalse();
  }

  private static Sample sample(double millis) {
    Sample sample = new Sample();
    sample.window(Wait.NAMENODE_WORK, millis);
    return sample;
  }
}
