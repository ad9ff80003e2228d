package io.evenkeel.terasort.core.dataset;

import io.evenkeel.terasort.core.record.Sum128;
import java.util.ArrayList;
import java.util.List;

/**
 * What the records of a data set must add up to, as TeraGen or TeraChecksum said. Immutable.
 *
 * <p>Its text form, {@code hex}, {@code hex:records} or {@code counter:decimal}, is what {@code
 * --expect} takes. TeraGen's counter holds the lower 64 bits only, as a signed number.
 */
public final class Expectation {
  private static final String COUNTER = "counter:";

  private final Sum128 sum;
  private final boolean lowOnly;
  private final long records;

  private Expectation(Sum128 sum, boolean lowOnly, long records) {
    this.sum = sum;
    this.lowOnly = lowOnly;
    this.records = records;
  }

  /** Exactly this checksum and number of records; -1 is any number. */
  public static Expectation of(Sum128 sum, long records) {
    return new Expectation(sum, false, records);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static Expectation parse(String text) {
    try {
      if (text.startsWith(COUNTER)) {
        long low = Long.parseLong(text.substring(COUNTER.length()));
        return new Expectation(Sum128.of(0, low), true, -1);
      }
      int colon = text.indexOf(':');
      if (colon < 0) {
        return of(Sum128.parse(text), -1);
      }
      long records = Long.parseLong(text.substring(colon + 1));
      if (records < 0) {
        throw new IllegalArgumentException("'" + text + "': records below 0");
      }
      return of(Sum128.parse(text.substring(0, colon)), records);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not <hex>, <hex>:<records> or counter:<decimal>", e);
    }
  }

  /** What does not agree; empty when all does. */
  public List<Violation> compare(Sum128 found, long foundRecords) {
    List<Violation> violations = new ArrayList<>();
    if (lowOnly ? found.low() != sum.low() : !found.equals(sum)) {
      violations.add(Violation.checksum(found.toString(), words()));
    }
    if (records >= 0 && records != foundRecords) {
      violations.add(Violation.count(foundRecords, records));
    }
    return violations;
  }

  private String words() {
    return lowOnly ? "..." + String.format("%016x", sum.low()) : sum.toString();
  }

  @Override
  public String toString() {
    if (lowOnly) {
      return COUNTER + sum.low();
    }
    return records < 0 ? sum.toString() : sum + ":" + records;
  }
}
