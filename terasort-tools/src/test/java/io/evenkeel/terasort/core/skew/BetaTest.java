package io.evenkeel.terasort.core.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class BetaTest {
  /** P(Beta(a, b) <= x) is P(Binomial(a + b - 1, x) >= a), summed term by term. */
  private static double byBinomial(int a, int b, double x) {
    int n = a + b - 1;
    double sum = 0;
    for (int k = a; k <= n; k++) {
      double log = k * Math.log(x) + (n - k) * Math.log(1 - x);
      for (int i = 1; i <= k; i++) {
        log += Math.log((double) (n - k + i) / i);
      }
      sum += Math.exp(log);
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1,1,0.3", "2,5,0.1", "2,5,0.9", "40,3,0.95", "10,990,0.02", "130,870,0.12"})
  void below_wholeParameters_isTheBinomialTail(int a, int b, double x) {
    double expected = byBinomial(a, b, x);
    assertThat(Beta.below(a, b, x)).isCloseTo(expected, within(1e-11));
    assertThat(Beta.above(a, b, x)).isCloseTo(1 - expected, within(1e-11));
  }

  @Test
  void below_closeToWhereTheFractionTurns_ends() {
    // MATH-1067; the value is that of commons-math3 3.6.1
    assertThat(Beta.below(64.33333333333334, 223, 0.22580645161290325))
        .isCloseTo(0.5411927470100741, within(1e-11));
  }

  @Test
  void below_outsideZeroToOne_isCertain() {
    assertThat(Beta.below(2, 3, 0)).isZero();
    assertThat(Beta.below(2, 3, 1)).isEqualTo(1);
    assertThat(Beta.above(2, 3, -1)).isEqualTo(1);
  }

  @Test
  void above_hugeParameters_isNearlyNormal() {
    // mean + 3 sd of Beta(1e6, 1e9): the normal tail is 0.00135, the skewness is 0.002
    double p = 1e6 / (1e9 + 1e6);
    double sd = Math.sqrt(p * (1 - p) / (1e9 + 1e6 + 1));
    assertThat(Beta.above(1e6, 1e9, p + 3 * sd)).isCloseTo(0.0013499, within(2e-5));
  }

  @ParameterizedTest
  @CsvSource({"1,99", "2645,1997355", "0.5,0.5"})
  void quantile_ofAnyProbability_invertsBelow(double a, double b) {
    for (double p : new double[] {1e-6, 0.05, 0.5, 0.99}) {
      assertThat(Beta.below(a, b, Beta.quantile(a, b, p))).isCloseTo(p, within(1e-8));
    }
  }

  @Test
  void logGamma_wholeNumbers_isTheFactorial() {
    double log = 0;
    for (int n = 1; n < 30; n++) {
      assertThat(Beta.logGamma(n)).isCloseTo(log, within(1e-11));
      log += Math.log(n);
    }
    assertThat(Beta.logGamma(0.5)).isCloseTo(Math.log(Math.PI) / 2, within(1e-12));
  }
}
