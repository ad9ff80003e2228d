package io.evenkeel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.report.Row.Better;
import io.evenkeel.bench.report.Row.Verdict;
import io.evenkeel.common.svg.ValueFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class RowTest {
  private static final double UNKNOWN = Double.NaN;

  private static Row row(Better better, boolean oneRunDecides, Spread... values) {
    List<Boolean> stock = Stream.of(values).map(v -> v != values[values.length - 1]).toList();
    return Row.of("n", ValueFormat.COUNT, "never", better, oneRunDecides, stock, List.of(values));
  }

  private static Row once(Better better, double... values) {
    Spread[] spreads = new Spread[values.length];
    for (int i = 0; i < values.length; i++) {
      spreads[i] = Spread.of(values[i]);
    }
    return row(better, true, spreads);
  }

  @Test
  void of_severalStockArms_comparedWithTheBestOfThem() {
    Row less = once(Better.LESS, 20, 10, 30, 15);
    assertThat(less.best()).isEqualTo(1);
    assertThat(less.verdict()).isEqualTo(Verdict.WORSE);
    assertThat(less.change()).isEqualTo("+50 %");
    Row more = once(Better.MORE, 20, 10, 30, 60);
    assertThat(more.best()).isEqualTo(2);
    assertThat(more.verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  void of_oneNeverGotThere_theOtherIsBetter() {
    Row row = once(Better.LESS, UNKNOWN, 5);
    assertThat(row.verdict()).isEqualTo(Verdict.BETTER);
    assertThat(row.text(row.best())).isEqualTo("never");
    assertThat(row.change()).isEmpty();
    assertThat(once(Better.LESS, 5, UNKNOWN).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(once(Better.LESS, UNKNOWN, UNKNOWN).verdict()).isEqualTo(Verdict.NONE);
  }

  @Test
  void of_notMeasured_isNotCompared() {
    List<Boolean> stock = List.of(true, false);
    for (double[] values : new double[][] {{UNKNOWN, 5}, {5, UNKNOWN}}) {
      List<Spread> spreads = List.of(Spread.of(values[0]), Spread.of(values[1]));
      Row row = Row.of("n", ValueFormat.COUNT, Row.UNMEASURED, Better.LESS, true, stock, spreads);
      assertThat(row.verdict()).isEqualTo(Verdict.NONE);
    }
  }

  /** As when the jars are not there and the last arm is another of stock. */
  @Test
  void of_lastArmIsStock_isNotCompared() {
    List<Spread> values = List.of(Spread.of(2), Spread.of(1));
    Row row = Row.of("n", ValueFormat.COUNT, "", Better.LESS, true, List.of(true, true), values);
    assertThat(row.verdict()).isEqualTo(Verdict.NONE);
  }

  @Test
  void of_oneRun_judgedOnlyWhereOneDecides() {
    assertThat(row(Better.LESS, false, Spread.of(10), Spread.of(1)).verdict())
        .isEqualTo(Verdict.FEW_RUNS);
    assertThat(once(Better.LESS, 10, 1).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(once(Better.LESS, 10, 10.4).verdict()).isEqualTo(Verdict.SAME);
    assertThat(once(Better.NEITHER, 10, 1).verdict()).isEqualTo(Verdict.NONE);
  }

  @Test
  void of_oneRunOfATime_judgedOnlyWhereFarApart() {
    for (double evenkeel : new double[] {8, 4, 20}) {
      assertThat(seconds(10, evenkeel).verdict()).isEqualTo(Verdict.FEW_RUNS);
    }
    assertThat(seconds(10, 3).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(seconds(10, 40).verdict()).isEqualTo(Verdict.WORSE);
  }

  private static Row seconds(double stock, double evenkeel) {
    List<Spread> values = List.of(Spread.of(stock), Spread.of(evenkeel));
    List<Boolean> arms = List.of(true, false);
    return Row.of("n", ValueFormat.SECONDS, "", Better.LESS, true, arms, values);
  }

  @Test
  void of_threeRuns_judgedByTheirRanges() {
    Spread stock = Spread.of(9, 10, 11);
    assertThat(row(Better.LESS, false, stock, Spread.of(4, 5, 6)).verdict())
        .isEqualTo(Verdict.BETTER);
    assertThat(row(Better.LESS, false, stock, Spread.of(14, 15, 16)).verdict())
        .isEqualTo(Verdict.WORSE);
    assertThat(row(Better.LESS, false, stock, Spread.of(7, 8, 10)).verdict())
        .isEqualTo(Verdict.WITHIN_SPREAD);
    assertThat(row(Better.LESS, false, stock, Spread.of(4, 5)).verdict())
        .isEqualTo(Verdict.FEW_RUNS);
  }

  @Test
  void text_repeats_medianAndRange() {
    Row row = row(Better.LESS, false, Spread.of(3, 1, 8), Spread.of(2));
    assertThat(row.text(0)).isEqualTo("3 (1 to 8)");
    assertThat(row.evenkeelText()).isEqualTo("2");
  }

  @Test
  void text_someRunsDidNotFinish_saysHowManyDid() {
    Row row = row(Better.LESS, false, Spread.of(3, UNKNOWN, 8), Spread.of(2, UNKNOWN, UNKNOWN));
    assertThat(row.text(0)).isEqualTo("5.5 (3 to 8), 2 of 3");
    assertThat(row.evenkeelText()).isEqualTo("2, 1 of 3");
  }

  @Test
  void of_betterOnlyWhereItFinished_isNotJudged() {
    Spread all = Spread.of(10, 11, 12);
    Spread some = Spread.of(1, UNKNOWN, UNKNOWN);
    assertThat(row(Better.LESS, true, all, some).verdict()).isEqualTo(Verdict.FEW_RUNS);
    assertThat(row(Better.LESS, true, some, all).verdict()).isEqualTo(Verdict.FEW_RUNS);
    assertThat(row(Better.LESS, true, Spread.of(10, UNKNOWN, 12), Spread.of(1, 2, 3)).verdict())
        .isEqualTo(Verdict.BETTER);
  }

  @Test
  void change_wasZero_isNoPercentage() {
    Row row = once(Better.LESS, 0, 3);
    assertThat(row.change()).isEqualTo("from 0");
    assertThat(row.verdict()).isEqualTo(Verdict.WORSE);
    assertThat(once(Better.LESS, 0, 0).change()).isEqualTo("0 %");
  }
}
