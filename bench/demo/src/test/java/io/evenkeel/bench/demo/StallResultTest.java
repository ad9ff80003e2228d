package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.demo.StallResult.Ack;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class StallResultTest {
  private static final Offset<Double> CLOSE = within(1e-9);

  /** Each row: writer, then the ends of its records, which take 0.1 s. */
  private static StallResult result(int writers, double[]... rows) {
    List<Ack> acks = new ArrayList<>();
    for (double[] row : rows) {
      for (int i = 1; i < row.length; i++) {
        acks.add(new Ack((int) row[0], row[i] - 0.1, row[i]));
      }
    }
    return new StallResult(writers, acks, List.of(1.0, 4.0), List.of());
  }

  @Test
  void longestPause_oneOfTwoWritersStops_isThatOfTheWriterNotOfAll() {
    StallResult result = result(2, new double[] {0, 1, 2, 3, 4, 5}, new double[] {1, 1, 2, 4.5});
    assertThat(result.longestPause(0, 5)).isCloseTo(2.5, CLOSE);
    assertThat(result.silence(0, 5)).isCloseTo(1, CLOSE);
  }

  @Test
  void longestPause_reachesOverTheBorders_isCutThere() {
    StallResult result = result(1, new double[] {0, 1, 9});
    assertThat(result.longestPause(0, 2)).isCloseTo(1, CLOSE);
    assertThat(result.longestPause(2, 8)).isCloseTo(6, CLOSE);
    assertThat(result.longestPause(8, 12)).isCloseTo(3, CLOSE);
  }

  @Test
  void longestPause_writerThatNeverWrote_isTheWholeTime() {
    assertThat(result(2, new double[] {0, 1, 2, 3}).longestPause(0, 4)).isCloseTo(4, CLOSE);
    assertThat(result(0).silence(0, 4)).isCloseTo(4, CLOSE);
  }

  @Test
  void perSecond_countsByTheEndOfARecord() {
    StallResult result = result(1, new double[] {0, 1.95, 2, 2.05, 4});
    assertThat(result.perSecond(2, 4)).isCloseTo(1, CLOSE);
    assertThat(result.flushed(2, 4)).isZero();
    assertThat(result.flushed(2, 4.1)).isEqualTo(1);
  }

  @Test
  void p99_ofARecordThatTookLong_isThatOfTheWindowItBeganIn() {
    StallResult result =
        new StallResult(1, List.of(new Ack(0, 1, 1.1), new Ack(0, 2, 6)), List.of(), List.of());
    assertThat(result.p99(2, 4)).isCloseTo(4, CLOSE);
    assertThat(result.p99(0, 2)).isCloseTo(0.1, CLOSE);
    assertThat(result.p99(6, 8)).isNaN();
  }

  @Test
  void waits_duringAPause_climbUntilTheNextRecord() {
    StallResult result = result(1, new double[] {0, 0.4, 0.9, 3.2, 3.9});
    assertThat(result.waits(1, 4)).containsExactly(new double[] {0.5, 1.1, 2.1, 2.3}, CLOSE);
  }

  @Test
  void waits_twoWriters_areThoseOfTheOneThatWaitsLonger() {
    StallResult result = result(2, new double[] {0, 0.5, 1, 1.5, 2}, new double[] {1, 1.75});
    assertThat(result.waits(1, 2)).containsExactly(new double[] {1, 1.75}, CLOSE);
  }

  @Test
  void rates_areOneForEachWholeStep() {
    StallResult result = result(1, new double[] {0, 0.1, 0.2, 0.6, 2.2});
    assertThat(result.rates(0.5, 1.2)).containsExactly(new double[] {4, 2}, CLOSE);
  }
}
