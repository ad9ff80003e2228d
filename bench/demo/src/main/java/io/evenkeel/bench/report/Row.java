package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;

/**
 * One line of the comparison.
 *
 * @param name what was measured
 * @param stock its values, none where the line holds words
 * @param stockText as shown
 * @param verdict what the change means
 */
record Row(
    String name,
    Spread stock,
    Spread evenkeel,
    String stockText,
    String evenkeelText,
    Verdict verdict) {
  /** Below this relative difference two numbers are called the same. */
  static final double SAME = 0.01;

  /** What is random or sampled and was run once differs by about this much for no reason. */
  static final double SAMPLED = 0.05;

  /** With fewer repeats each, ranges that do not touch are too likely by chance. */
  static final int ENOUGH_RUNS = 3;

  private static final String MISSING = "not measured";

  /** Which direction is better. */
  enum Better {
    LESS,
    MORE,
    NEITHER
  }

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

  /** A number that was measured once. */
  static Row of(String name, ValueFormat format, Better better, double stock, double evenkeel) {
    Spread a = Spread.of(stock);
    Spread b = Spread.of(evenkeel);
    Verdict verdict = Verdict.NONE;
    if (a.known() && b.known() && better != Better.NEITHER) {
      boolean less = evenkeel < stock;
      verdict = less == (better == Better.LESS) ? Verdict.BETTER : Verdict.WORSE;
    }
    return new Row(name, a, b, show(format, a), show(format, b), verdict).orSame(SAME);
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
    ValueFormat format = ValueFormat.SECONDS;
    return new Row(name, stock, evenkeel, show(format, stock), show(format, evenkeel), verdict);
  }

  /** Words without a comparison. */
  static Row words(String name, String stock, String evenkeel) {
    boolean both = stock.equals(evenkeel) && stock.length() > 12;
    String second = both ? "the same" : evenkeel;
    return new Row(name, Spread.NONE, Spread.NONE, stock, second, Verdict.NONE);
  }

  /** The same row by another name. */
  Row named(String other) {
    return new Row(other, stock, evenkeel, stockText, evenkeelText, verdict);
  }

  /** The same row of counts, each out of a total; a total that is not a number is not shown. */
  Row outOf(double stockTotal, double evenkeelTotal) {
    String first = stockText + outOf(stock, stockTotal);
    return new Row(
        name, stock, evenkeel, first, evenkeelText + outOf(evenkeel, evenkeelTotal), verdict);
  }

  private static String outOf(Spread count, double total) {
    boolean known = count.known() && Double.isFinite(total);
    return known ? " of " + ValueFormat.COUNT.format(total) : "";
  }

  /** The same row without a judgement where the two arms do not allow one. */
  Row onlyIf(boolean comparable) {
    return comparable || !judged() ? this : with(Verdict.NOT_COMPARED);
  }

  /** The same row, called "same" while the two values differ by less than this fraction. */
  Row orSame(double tolerance) {
    double scale = Math.max(Math.abs(stock.mean()), Math.abs(evenkeel.mean()));
    boolean close = Math.abs(stock.mean() - evenkeel.mean()) <= tolerance * scale;
    return judged() && close ? with(Verdict.SAME) : this;
  }

  /** The same row of a run that says nothing of it. */
  Row notCompared() {
    return verdict == Verdict.NONE ? this : with(Verdict.NOT_COMPARED);
  }

  private boolean judged() {
    return verdict == Verdict.BETTER || verdict == Verdict.WORSE;
  }

  private Row with(Verdict other) {
    return new Row(name, stock, evenkeel, stockText, evenkeelText, other);
  }

  /** Whether either arm has a value. */
  boolean measured() {
    return !(stockText.equals(MISSING) && evenkeelText.equals(MISSING));
  }

  private static String show(ValueFormat format, Spread spread) {
    if (!spread.known()) {
      return MISSING;
    }
    String mean = format.format(spread.mean());
    if (spread.low() == spread.high()) {
      return mean;
    }
    String low = format.format(spread.low()).replace(" s", "");
    String high = format.format(spread.high()).replace(" s", "");
    return mean + " (" + low + "\u2013" + high + ")";
  }

  /** The change as shown, empty when there is nothing to compare. */
  String change() {
    double a = stock.mean();
    double b = evenkeel.mean();
    if (!stock.known() || !evenkeel.known()) {
      return "";
    }
    if (a == b) {
      return "0 %";
    }
    if (a == 0) {
      return "from 0";
    }
    double percent = (b / a - 1) * 100;
    double size = Math.abs(percent);
    if (size >= 1000) {
      return "x " + ValueFormat.COUNT.format(Math.rint(b / a));
    }
    double rounded = size >= 10 ? Math.rint(size) : Math.rint(size * 10) / 10;
    return (percent < 0 ? "\u2212" : "+") + ValueFormat.COUNT.format(rounded) + " %";
  }
}
