package io.evenkeel.terasort.core.record;

/**
 * What mutants call in place of the real method; a method that was not static gets its object
 * first. In this package since mutated classes are.
 */
public final class MutantHooks {
  private static final Misorders NOWHERE = (offset, a, b) -> {};

  private MutantHooks() {}

  /** Joins runs without comparing anything. */
  public static Fragment.Run joinUnchecked(
      Fragment.Run run, Fragment.Run next, long offset, Misorders misorders) {
    return run.then(next, offset, NOWHERE);
  }

  /** Leaves out the checksum of what follows. */
  public static Fragment.Run joinUnsummed(
      Fragment.Run run, Fragment.Run next, long offset, Misorders misorders) {
    return run.then(
        new Fragment.Run(next.records, Sum128.ZERO, next.first, next.last), offset, misorders);
  }

  /** Does not count the records of what follows. */
  public static Fragment.Run joinUncounted(
      Fragment.Run run, Fragment.Run next, long offset, Misorders misorders) {
    Fragment.Run both = run.then(next, offset, misorders);
    return new Fragment.Run(both.records - next.records, both.sum, both.first, both.last);
  }

  /** Leaves out what follows. */
  public static Fragment.Run joinNothing(
      Fragment.Run run, Fragment.Run next, long offset, Misorders misorders) {
    return run;
  }

  /** A comparison of keys that is never true. */
  public static boolean never(byte[] key, byte[] other) {
    return false;
  }

  /** A comparison of keys that takes ties for misorders. */
  public static boolean beforeOrSame(byte[] key, byte[] other) {
    return !Records.before(other, key);
  }

  /** A border one byte too far. */
  public static int pastBorder(long offset) {
    return Records.toBorder(offset) + 1;
  }

  /** A border one byte too near. */
  public static int shortOfBorder(long offset) {
    return Math.max(0, Records.toBorder(offset) - 1);
  }

  /** The border behind a record, where there is one in front of it too. */
  public static int nextBorder(long offset) {
    int bytes = Records.toBorder(offset);
    return bytes == 0 ? Records.RECORD : bytes;
  }
}
