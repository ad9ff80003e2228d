package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.List;

/**
 * One line of a comparison: a value of each arm. The last arm is Evenkeel's; it is compared with
 * the stock arm that is the best in this line.
 *
 * @param name what was measured
 * @param absent what a missing value means, in words: but for {@link #UNMEASURED} a failure
 * @param best index of the stock arm compared with; negative where stock was not measured
 * @param verdict what the difference means
 */
record Row(
    String name,
    ValueFormat format,
    String absent,
    List<Spread> values,
    int best,
    Verdict verdict) {
  /** What is random and was run once differs by about this much for no reason. */
  static final double SAME = 0.05;

  /** With fewer repeats each, ranges that do not touch are too likely by chance. */
  static final int ENOUGH_RUNS = 3;

  /** A time of fewer runs is only judged when it is this many times another. */
  static final double FAR = 3;

  /** Said of a value that is missing because nobody knows it. */
  static final String UNMEASURED = "not measured";

  /** Which direction is better. */
  enum Better {
    LESS,
    MORE,
    NEITHER
  }

  /** What a difference means to an operator. */
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

  /**
   * A row as recorded.
   *
   * @param oneRunDecides whether fewer than {@value #ENOUGH_RUNS} runs may be judged; of times only
   *     those that are far apart
   * @param stock of each arm whether it is stock's
   */
  static Row of(
      String name,
      ValueFormat format,
      String absent,
      Better better,
      boolean oneRunDecides,
      List<Boolean> stock,
      List<Spread> values) {
    int best = -1;
    for (int i = 0; i < values.size(); i++) {
      if (stock.get(i) && values.get(i).known()) {
        boolean first = best < 0;
        best = first || isBetter(better, values.get(i), values.get(best)) ? i : best;
      }
    }
    int last = values.size() - 1;
    Verdict verdict = Verdict.NONE;
    boolean judged = !stock.get(last) && better != Better.NEITHER;
    if (judged && best >= 0 && values.get(last).known()) {
      boolean few = oneRunDecides && (!isTime(format) || far(values.get(best), values.get(last)));
      verdict = verdict(better, few, values.get(best), values.get(last));
    } else if (judged && oneRunDecides && !absent.equals(UNMEASURED)) { // one never got there
      verdict = best >= 0 ? Verdict.WORSE : Verdict.NONE;
      verdict = values.get(last).known() ? Verdict.BETTER : verdict;
    }
    return new Row(name, format, absent, values, best, verdict);
  }

  private static boolean isBetter(Better better, Spread one, Spread other) {
    return switch (better) {
      case LESS -> one.median() < other.median();
      case MORE -> one.median() > other.median();
      case NEITHER -> false;
    };
  }

  private static boolean isTime(ValueFormat format) {
    return format == ValueFormat.SECONDS || format == ValueFormat.MILLISECONDS;
  }

  private static boolean far(Spread one, Spread other) {
    double less = Math.min(one.median(), other.median());
    return Math.max(one.median(), other.median()) >= FAR * less;
  }

  private static Verdict verdict(
      Better better, boolean oneRunDecides, Spread stock, Spread evenkeel) {
    double a = stock.median();
    double b = evenkeel.median();
    int runs = Math.min(stock.runs(), evenkeel.runs());
    if (runs < ENOUGH_RUNS && !oneRunDecides) {
      return Verdict.FEW_RUNS;
    }
    if (Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b))) {
      return Verdict.SAME;
    }
    if (runs > 1 && stock.overlaps(evenkeel)) {
      return Verdict.WITHIN_SPREAD;
    }
    boolean wins = isBetter(better, evenkeel, stock);
    Spread winner = wins ? evenkeel : stock;
    if (winner.finished() < (wins ? stock : evenkeel).finished()) {
      return Verdict.FEW_RUNS; // better where it finished only
    }
    return wins ? Verdict.BETTER : Verdict.WORSE;
  }

  /** The same row where the module took no part: no difference is its effect. */
  Row notCompared() {
    return verdict == Verdict.NONE
        ? this
        : new Row(name, format, absent, values, best, Verdict.NOT_COMPARED);
  }

  /** The value of an arm as shown, with the range of its repeats and how many of them finished. */
  String text(int arm) {
    Spread spread = arm < 0 ? Spread.NONE : values.get(arm);
    if (!spread.known()) {
      return absent;
    }
    String median = format.format(spread.median());
    String range =
        spread.low() == spread.high()
            ? ""
            : " (" + format.format(spread.low()) + " to " + format.format(spread.high()) + ")";
    String finished =
        spread.runs() == spread.repeats() ? "" : ", " + spread.runs() + " of " + spread.repeats();
    return median + range + finished;
  }

  /** What the last arm shows. */
  String evenkeelText() {
    return text(values.size() - 1);
  }

  /** The difference to the best stock arm as shown; empty when there is nothing to compare. */
  String change() {
    Spread last = values.isEmpty() ? Spread.NONE : values.get(values.size() - 1);
    if (best < 0 || !last.known() || verdict == Verdict.NONE) {
      return "";
    }
    double a = values.get(best).median();
    double b = last.median();
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
