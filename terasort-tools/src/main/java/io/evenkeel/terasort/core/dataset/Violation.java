package io.evenkeel.terasort.core.dataset;

import io.evenkeel.terasort.core.record.Records;
import java.util.Locale;
import java.util.Objects;

/**
 * One thing that is wrong with a data set, in the words of a report. Immutable.
 *
 * <p>The first two kinds are stock's and keep stock's text, so that scripts which look for it go on
 * working; the others are what stock cannot see, or dies of.
 */
public final class Violation {
  /** What is wrong. */
  public enum Kind {
    /** A record sorts before the one in front of it. */
    MISORDER("misordered records"),
    /** The edge keys of two neighbouring partitions, or of one, do not rise. */
    PARTITIONING("partitions out of order"),
    /** A file ends in the middle of a record. */
    TRUNCATED("truncated files"),
    /** Numbers of partitions that are not there. */
    MISSING_PARTITION("gaps in the partition numbers"),
    /** Two files are the same partition. */
    DUPLICATE_PARTITION("partitions there twice"),
    /** The checksum is not the expected one. */
    CHECKSUM("unexpected checksum"),
    /** The number of records is not the expected one. */
    COUNT("unexpected number of records");

    private final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }

    /** The word used in JSON, for example {@code missing-partition}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A few words for people. */
    public String meaning() {
      return meaning;
    }
  }

  private final Kind kind;
  private final String text;

  private Violation(Kind kind, String text) {
    this.kind = kind;
    this.text = Objects.requireNonNull(text);
  }

  /** Stock's {@code misorder in part-r-00000 between <key> and <key>}. */
  public static Violation misorder(InputFile file, byte[] previous, byte[] key) {
    return new Violation(
        Kind.MISORDER,
        "misorder in "
            + file.name()
            + " between "
            + Records.hex(previous)
            + " and "
            + Records.hex(key));
  }

  /** Stock's {@code bad key partitioning} of two edges such as {@code part-r-00000:end}. */
  static Violation partitioning(String before, byte[] beforeKey, String after, byte[] afterKey) {
    return new Violation(
        Kind.PARTITIONING,
        "bad key partitioning:\n  file "
            + before
            + " key "
            + Records.hex(beforeKey)
            + "\n  file "
            + after
            + " key "
            + Records.hex(afterKey));
  }

  static Violation truncated(InputFile file, int bytes) {
    return new Violation(
        Kind.TRUNCATED,
        "truncated record in "
            + file.name()
            + " at offset "
            + (file.length() - bytes)
            + ": "
            + bytes
            + " of "
            + Records.RECORD
            + " bytes");
  }

  static Violation missing(long from, long to) {
    return new Violation(
        Kind.MISSING_PARTITION,
        from == to ? "missing partition " + from : "missing partitions " + from + " to " + to);
  }

  static Violation duplicate(InputFile first, InputFile again) {
    return new Violation(
        Kind.DUPLICATE_PARTITION, "duplicate partition: " + first.path() + " and " + again.path());
  }

  static Violation checksum(String found, String expected) {
    return new Violation(Kind.CHECKSUM, "checksum is " + found + ", expected " + expected);
  }

  static Violation count(long found, long expected) {
    return new Violation(Kind.COUNT, found + " records, expected " + expected);
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** The report's text; that of {@link Kind#PARTITIONING} has three lines, as stock's. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
