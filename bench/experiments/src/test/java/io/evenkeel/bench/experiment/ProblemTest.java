package io.evenkeel.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Problem.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemTest {
  private static Comparison row(String quantity, String opponent, double stock, double ours) {
    return Comparison.counted(quantity, "%", stock, ours).against(opponent);
  }

  @Test
  void of_severalOpponents_namesTheFirstAndTheBestOverAllRows() {
    List<Comparison> rows =
        List.of(
            row("W=4: kept", "found", 76, 98.04),
            row("W=4: kept", "good", 80, 98.04),
            row("W=4: kept", "once", 99, 98.04),
            row("W=64: kept", "found", 55, 99.95),
            row("W=64: kept", "good", 95.5, 99.95),
            row("W=64: kept", "once", 10, 99.95),
            row("p99", "found", 1, 2));
    Summary kept = Problem.more("Kept", "W=\\d+: kept").of(rows).orElseThrow();
    assertThat(kept)
        .isEqualTo(
            new Summary("Kept", "55 to 76 % (found)", "80 to 95.5 % (good)", "98.04 to 99.95 %"));
    assertThat(kept.json()).containsOnlyKeys("problem", "found", "best", "evenkeel");
    assertThat(Problem.less("Kept", "W=\\d+: kept").of(rows).orElseThrow().best())
        .isEqualTo("10 to 99 % (once)");
  }

  @Test
  void of_repeatedRuns_showsTheirRange() {
    Comparison runs =
        Comparison.repeated("q", "", new double[] {1.0984, 1.1112}, new double[] {1.0004});
    assertThat(Problem.less("P", "q").of(List.of(runs)))
        .contains(new Summary("P", "1.098 to 1.111", "1.098 to 1.111", "1"));
    Comparison many =
        Comparison.repeated("q", "of 112,000", new double[] {54321}, new double[] {0.28, 0.084});
    assertThat(Problem.less("P", "q").of(List.of(many)))
        .contains(
            new Summary("P", "54,321 of 112,000", "54,321 of 112,000", "0.084 to 0.28 of 112,000"));
  }

  @Test
  void of_whatNeverHappened_isNotBest() {
    List<Comparison> rows = List.of(row("q", "waits", Double.NaN, 1), row("q", "asked", 3.2, 1));
    Summary summary = Problem.less("P", "q").of(rows).orElseThrow();
    assertThat(summary.found()).isEqualTo("not in time (waits)");
    assertThat(summary.best()).isEqualTo("3.2 % (asked)");
  }

  @Test
  void of_oneOfSeveralRunsNotInTime_showsTheLeast() {
    double[] twoOfThree = {2.6, Double.NaN, 5.6};
    Comparison waits = Comparison.repeated("q", "s", twoOfThree, new double[] {1, 1.5, 2});
    assertThat(waits.stock()).isNaN();
    assertThat(waits.certain()).isFalse();
    Summary summary = Problem.less("P", "q").of(List.of(waits)).orElseThrow();
    assertThat(summary.found()).isEqualTo("from 2.6 s, not always in time");
    assertThat(summary.evenkeel()).isEqualTo("1 to 2 s");
    Comparison never =
        Comparison.repeated("q", "s", new double[] {Double.NaN}, new double[] {1, 2});
    assertThat(Problem.less("P", "q").of(List.of(never)).orElseThrow().found())
        .isEqualTo("not in time");
  }

  @Test
  void of_noRowIsAboutIt_isEmpty() {
    assertThat(Problem.less("P", "q").of(List.of(row("p", "x", 1, 1)))).isEmpty();
  }

  @Test
  void inTurn_threeArms_eachBeginsARound() throws Exception {
    List<String> order = new ArrayList<>();
    Arms<Integer> arms =
        Arms.inTurn(
            3,
            Map.of("a", "stock"),
            "ours",
            (arm, round) -> {
              order.add(arm + round);
              return round;
            });
    assertThat(order).containsExactly("stock0", "ours0", "ours1", "stock1", "stock2", "ours2");
    assertThat(arms.from(1).mean("q", "s", value -> value))
        .containsExactly(
            new Comparison("q", "s", 1.5, 1.5, null, new Comparison.Range(1, 2, 1, 2, 2), "a"));
  }
}
