package io.evenkeel.terasort;

import java.util.List;

/**
 * A data set and what must be said of it.
 *
 * @param input glob below the data set's directory, or empty for the directory
 * @param options generic options, such as the key of recursion
 * @param sources its files
 * @param good what should have been there: the expectation is its sum
 * @param verdict what must be said
 */
record Damage(
    String name,
    String input,
    List<String> options,
    List<Source> sources,
    List<Source> good,
    Verdict verdict) {

  /** What must be said of a data set. */
  enum Verdict {
    /** Nothing is wrong, with the expectation too. */
    VALID(0),
    /** Wrong by what the files say. */
    INVALID(2),
    /** In order, but not what should be there: wrong with the expectation only. */
    UNEXPECTED(0),
    /** Cannot be validated, as {@code mapred} calls a failed job. */
    REFUSED(1);

    private final int code;

    Verdict(int code) {
      this.code = code;
    }

    /** Exit code without an expectation. */
    int code() {
      return code;
    }

    /** Exit code with an expectation. */
    int expectingCode() {
      return this == UNEXPECTED ? 2 : code;
    }
  }

  /** Whether missing first partitions can be seen: no file was named. */
  boolean wholeDirectories() {
    return input.isEmpty() || input.startsWith("{");
  }

  /** {@code <hex>:<records>} of what should have been there. */
  String expectation() {
    StockRules.Answer answer = StockRules.validate(good);
    return answer.checksum() + ":" + answer.records();
  }

  @Override
  public String toString() {
    return name;
  }
}
