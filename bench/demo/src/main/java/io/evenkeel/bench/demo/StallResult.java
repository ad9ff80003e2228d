package io.evenkeel.bench.demo;

import java.util.Arrays;
import java.util.List;

/**
 * What one side of the section "a disk that stalls" saw. Times are seconds from the beginning of
 * the measurement. Immutable.
 *
 * @param writers number of WAL writers, which are numbered from 0
 * @param acks every acknowledged record of every WAL writer, in any order
 * @param flushes when each file of the slow tier was complete
 * @param failures writes that failed, in words
 */
public record StallResult(
    int writers, List<Ack> acks, List<Double> flushes, List<String> failures) {
  /** A record a WAL writer has written and that was acknowledged. */
  public record Ack(int writer, double begun, double ended) {}

  /** Records acknowledged between two times, per second. */
  public double perSecond(double from, double to) {
    return acks.stream().filter(a -> a.ended >= from && a.ended < to).count() / (to - from);
  }

  /** Slow files completed between two times. */
  long flushed(double from, double to) {
    return flushes.stream().filter(time -> time >= from && time < to).count();
  }

  /** Longest time within two times in which one writer got no acknowledgement. */
  public double longestPause(double from, double to) {
    double longest = 0;
    for (int writer = 0; writer < writers; writer++) {
      longest = Math.max(longest, longestGap(times(writer), from, to));
    }
    return longest;
  }

  /** Longest time within two times in which no writer got an acknowledgement. */
  double silence(double from, double to) {
    return longestGap(acks.stream().mapToDouble(Ack::ended).sorted().toArray(), from, to);
  }

  private double[] times(int writer) {
    return acks.stream().filter(a -> a.writer == writer).mapToDouble(Ack::ended).sorted().toArray();
  }

  private static double longestGap(double[] times, double from, double to) {
    double longest = 0;
    double last = from;
    for (double time : times) {
      if (time > from && time < to) {
        longest = Math.max(longest, time - last);
        last = time;
      }
    }
    return Math.max(longest, to - last);
  }

  /** Time that 99 % of the records begun between two times stayed within; NaN without any. */
  double p99(double from, double to) {
    double[] times =
        acks.stream()
            .filter(a -> a.begun >= from && a.begun < to)
            .mapToDouble(a -> a.ended - a.begun)
            .sorted()
            .toArray();
    return times.length == 0 ? Double.NaN : times[(int) Math.ceil(times.length * 0.99) - 1];
  }

  /**
   * How long the writer that waits longest has been waiting, the largest value of each step.
   *
   * @param step seconds
   * @return one value for each whole step from 0 to {@code end}
   */
  double[] waits(double step, double end) {
    double[] waits = new double[(int) Math.floor(end / step + 1e-9)];
    for (int writer = 0; writer < writers; writer++) {
      double[] times = times(writer);
      double last = times.length > 0 && times[0] < 0 ? times[0] : 0;
      int next = 0;
      for (int i = 0; i < waits.length; i++) {
        double stepEnd = (i + 1) * step;
        while (next < times.length && times[next] <= stepEnd) {
          if (times[next] > i * step) {
            waits[i] = Math.max(waits[i], times[next] - last);
          }
          last = times[next++];
        }
        waits[i] = Math.max(waits[i], stepEnd - last);
      }
    }
    return waits;
  }

  /** Records acknowledged per second in each whole step from 0 to {@code end}. */
  double[] rates(double step, double end) {
    double[] rates = new double[(int) Math.floor(end / step + 1e-9)];
    Arrays.setAll(rates, i -> perSecond(i * step, (i + 1) * step));
    return rates;
  }
}
