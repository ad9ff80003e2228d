package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;

/**
 * One line of the comparison.
 *
 * @param name what was measured
 * @param stock as shown
 * @param evenkeel as shown
 * @param change as shown, empty when there is nothing to compare
 * @param verdict what the change means
 */
record Row(String name, String stock, String evenkeel, String change, Verdict verdict) {
  /** Below this relative difference two numbers are called the same. */
  static final double SAME = 0.01;

  /** With fewer repeats each, ranges that do not touch are too likely by chance. */
  static final int ENOUGH_RUNS = 3;

  private static final String MISSING = "not measured";

  /** What a change means to an operator. */
  enum Verdict {
    BETTER("better"),
    WORSE("worse"),
    SAME("same"),
    WITHIN_SPREAD("within the spread"),
    FEW_RUNS("too few runs to tell"),
    NOT_COMPARED("not compared"),
    NONE("");

    final String words;

    Verdict(String words) {
      this.words = words;
    }
  }

  /** A number of which less is better. */
  static Row less(String name, ValueFormat format, double stock, double evenkeel) {
    Verdict verdict = Verdict.NONE;
    if (Double.isFinite(stock) && Double.isFinite(evenkeel)) {
      double scale = Math.max(Math.abs(stock), Math.abs(evenkeel));
      boolean same = Math.abs(stock - evenkeel) <= SAME * scale;
      verdict = same ? Verdict.SAME : evenkeel < stock ? Verdict.BETTER : Verdict.WORSE;
    }
    return new Row(
        name, show(format, stock), show(format, evenkeel), change(stock, evenkeel), verdict);
  }

  /** Repeated times: called better or worse only when the two ranges do not touch. */
  static Row times(String name, Spread stock, Spread evenkeel) {
    Verdict verdict = Verdict.NONE;
    if (stock.known() && evenkeel.known()) {
      int runs = Math.min(stock.runs(), evenkeel.runs());
      boolean less = evenkeel.mean() < stock.mean();
      verdict = less ? Verdict.BETTER : Verdict.WORSE;
      if (runs > 1 && stock.overlaps(evenkeel)) {
        verdict = Verdict.WITHIN_SPREAD;
      } else if (runs < ENOUGH_RUNS) {
        verdict = Verdict.FEW_RUNS;
      }
    }
    return new Row(
        name, show(stock), show(evenkeel), change(stock.mean(), evenkeel.mean()), verdict);
  }

  /** A count out of a total, of which less is better. */
  static Row count(String name, double[] stock, double[] evenkeel) {
    Row row = less(name, ValueFormat.COUNT, stock[0], evenkeel[0]);
    return new Row(
        name, row.stock + outOf(stock), row.evenkeel + outOf(evenkeel), row.change, row.verdict);
  }

  /** Words without a comparison. */
  static Row words(String name, String stock, String evenkeel) {
    boolean both = stock.equals(evenkeel) && stock.length() > 12;
    return new Row(name, stock, both ? "the same" : evenkeel, "", Verdict.NONE);
  }

  /** The same row without a judgement where the halves do not allow one. */
  Row onlyIf(boolean comparable) {
    boolean judged = verdict == Verdict.BETTER || verdict == Verdict.WORSE;
    return comparable || !judged
        ? this
        : new Row(name, stock, evenkeel, change, Verdict.NOT_COMPARED);
  }

  /** The same row, called "same" while the two values differ by less than this fraction. */
  Row orSame(double tolerance, double a, double b) {
    boolean judged = verdict == Verdict.BETTER || verdict == Verdict.WORSE;
    boolean close = Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
    return judged && close ? new Row(name, stock, evenkeel, change, Verdict.SAME) : this;
  }

  /** The same row of a number of which more is better. */
  Row moreIsBetter() {
    Verdict turned =
        switch (verdict) {
          case BETTER -> Verdict.WORSE;
          case WORSE -> Verdict.BETTER;
          default -> verdict;
        };
    return new Row(name, stock, evenkeel, change, turned);
  }

  /** The same row of a run that says nothing of it. */
  Row notCompared() {
    return verdict == Verdict.NONE
        ? this
        : new Row(name, stock, evenkeel, change, Verdict.NOT_COMPARED);
  }

  /** The same row where neither more nor less is better. */
  Row unjudged() {
    return new Row(name, stock, evenkeel, change, Verdict.NONE);
  }

  /** Whether either half has a value. */
  boolean measured() {
    return !(stock.equals(MISSING) && evenkeel.equals(MISSING));
  }

  private static String outOf(double[] countAndTotal) {
    boolean known = Double.isFinite(countAndTotal[0]) && Double.isFinite(countAndTotal[1]);
    return known ? " of " + ValueFormat.COUNT.format(countAndTotal[1]) : "";
  }

  private static String show(ValueFormat format, double value) {
    return Double.isFinite(value) ? format.format(value) : MISSING;
  }

  private static String show(Spread spread) {
    if (!spread.known()) {
      return MISSING;
    }
    String mean = ValueFormat.SECONDS.format(spread.mean());
    if (spread.runs() == 1 || spread.low() == spread.high()) {
      return mean;
    }
    return mean
        + " ("
        + ValueFormat.SECONDS.format(spread.low()).replace(" s", "")
        + "\u2013"
        + ValueFormat.SECONDS.format(spread.high()).replace(" s", "")
        + ")";
  }

  private static String change(double stock, double evenkeel) {
    if (!Double.isFinite(stock) || !Double.isFinite(evenkeel)) {
      return "";
    }
    if (stock == evenkeel) {
      return "0 %";
    }
    if (stock == 0) {
      return "from 0";
    }
    double percent = (evenkeel / stock - 1) * 100;
    if (Math.abs(percent) >= 1000) {
      return "x " + ValueFormat.COUNT.format(Math.rint(evenkeel / stock));
    }
    String number = ValueFormat.COUNT.format(Math.rint(Math.abs(percent) * 10) / 10);
    if (Math.abs(percent) >= 10) {
      number = ValueFormat.COUNT.format(Math.rint(Math.abs(percent)));
    }
    return (percent < 0 ? "\u2212" : "+") + number + " %";
  }
}
