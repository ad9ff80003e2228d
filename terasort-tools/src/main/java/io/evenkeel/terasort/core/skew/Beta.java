package io.evenkeel.terasort.core.skew;

/**
 * The beta distribution. Relative error of a tail about 1e-8 for parameters up to 1e9, where the
 * logarithms of the gamma function cancel most. Stateless.
 *
 * <p>Hadoop's class path has one in commons-math3, but with Hadoop 3.1 and 3.3 in release 3.1.1,
 * which recurses without end for some parameters (MATH-1067).
 */
final class Beta {
  private static final double TINY = 1e-300;
  private static final double EPSILON = 1e-14;
  private static final int MAX_STEPS = 1_000_000;

  private Beta() {}

  /** Probability that a beta variate with parameters {@code a, b > 0} is above {@code x}. */
  static double above(double a, double b, double x) {
    return x <= 0 ? 1 : x >= 1 ? 0 : below(b, a, 1 - x);
  }

  /** Probability that a beta variate with parameters {@code a, b > 0} is at most {@code x}. */
  static double below(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    double front =
        Math.exp(
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    // The fraction converges quickly on this side of the mean only.
    return x < (a + 1) / (a + b + 2)
        ? front * fraction(a, b, x) / a
        : 1 - front * fraction(b, a, 1 - x) / b;
  }

  /** The value that a beta variate stays below with probability {@code p}. */
  static double quantile(double a, double b, double p) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
      double middle = (low + high) / 2;
      if (below(a, b, middle) < p) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** The continued fraction of the incomplete beta function, by Lentz' method. */
  private static double fraction(double a, double b, double x) {
    double c = 1;
    double d = inverse(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < MAX_STEPS; m++) {
      double even = m * (b - m) * x / ((a + 2.0 * m - 1) * (a + 2.0 * m));
      d = inverse(1 + even * d);
      c = away(1 + even / c);
      value *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1));
      d = inverse(1 + odd * d);
      c = away(1 + odd / c);
      value *= d * c;
      if (Math.abs(d * c - 1) < EPSILON) {
        return value;
      }
    }
    throw new ArithmeticException("no convergence for " + a + ", " + b + ", " + x);
  }

  private static double inverse(double v) {
    return 1 / away(v);
  }

  private static double away(double v) {
    return Math.abs(v) < TINY ? TINY : v;
  }

  /**
   * Logarithm of the gamma function for {@code x > 0}: Stirling's series, shifted to 10 or more.
   */
  static double logGamma(double x) {
    double shift = 0;
    double z = x;
    while (z < 10) {
      shift += Math.log(z);
      z++;
    }
    double i = 1 / z;
    double i2 = i * i;
    double series =
        i * (1.0 / 12 - i2 * (1.0 / 360 - i2 * (1.0 / 1260 - i2 * (1.0 / 1680 - i2 / 1188))));
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
  }
}
