package io.evenkeel.terasort.core.record;

import java.util.Arrays;

/**
 * What is known of the bytes {@code [start, end)} of one file: the bytes before its first record
 * border (head), those behind its last one (tail), and count, checksum, first and last key of the
 * whole records between them. Immutable; arrays are not copied and must not be changed.
 *
 * <p>A range that reaches no border is all head. Joining neighbours is associative: any grouping of
 * the ranges of a file gives the same fragment and the same misorders.
 */
public final class Fragment {
  private static final byte[] NONE = {};

  private final long start;
  private final long end;
  private final byte[] head;
  private final byte[] tail;
  private final Run run;

  /** Whole records that follow one another; first and last are null when there are none. */
  public static final class Run {
    static final Run EMPTY = new Run(0, Sum128.ZERO, null, null);

    final long records;
    final Sum128 sum;
    final byte[] first;
    final byte[] last;

    /**
     * Creates a run.
     *
     * @param first key of the first record; of no use when there is none
     * @param last key of the last record
     */
    public Run(long records, Sum128 sum, byte[] first, byte[] last) {
      this.records = records;
      this.sum = sum;
      this.first = first;
      this.last = last;
    }

    /** This run followed by another whose first record starts at {@code offset}. */
    Run then(Run next, long offset, Misorders misorders) {
      if (records == 0 || next.records == 0) {
        return records == 0 ? next : this;
      }
      if (Records.before(next.first, last)) {
        misorders.found(offset, last, next.first);
      }
      return new Run(records + next.records, sum.plus(next.sum), first, next.last);
    }
  }

  Fragment(long start, long end, byte[] head, byte[] tail, Run run) {
    this.start = start;
    this.end = end;
    this.head = head;
    this.tail = tail;
    this.run = run;
  }

  /** The empty range at {@code offset}. */
  public static Fragment empty(long offset) {
    return new Fragment(offset, offset, NONE, NONE, Run.EMPTY);
  }

  /** Makes a fragment of its parts, as they were read from storage. */
  public static Fragment of(long start, long end, byte[] head, byte[] tail, Run run) {
    return new Fragment(start, end, head, tail, run.records == 0 ? Run.EMPTY : run);
  }

  /**
   * This fragment and the one that begins where it ends, as one. A record that lies on the edge is
   * checked as any other.
   *
   * @throws IllegalArgumentException when {@code next} begins elsewhere
   */
  public Fragment join(Fragment next, Misorders misorders) {
    if (next.start != end) {
      throw new IllegalArgumentException("gap or overlap: " + end + " to " + next.start);
    }
    if (!reachesBorder()) {
      return new Fragment(start, next.end, concat(head, next.head), next.tail, next.run);
    }
    byte[] middle = concat(tail, next.head);
    if (!next.reachesBorder()) {
      return new Fragment(start, next.end, head, middle, run);
    }
    Run joined = run;
    if (middle.length > 0) {
      joined = joined.then(single(middle), end - tail.length, misorders);
    }
    joined = joined.then(next.run, next.start + next.head.length, misorders);
    return new Fragment(start, next.end, head, next.tail, joined);
  }

  /** Whether a border between two records lies in or at an edge of the range. */
  private boolean reachesBorder() {
    return Records.toBorder(start) <= end - start;
  }

  private static Run single(byte[] record) {
    if (record.length != Records.RECORD) {
      throw new IllegalStateException("stitched a record of " + record.length + " bytes");
    }
    FragmentScanner scanner = new FragmentScanner(0, Records.RECORD, (o, a, b) -> {});
    scanner.update(record, 0, record.length);
    return scanner.finish().run;
  }

  private static byte[] concat(byte[] a, byte[] b) {
    if (a.length == 0 || b.length == 0) {
      return a.length == 0 ? b : a;
    }
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** Offset of the first byte in its file. */
  public long start() {
    return start;
  }

  /** Offset behind the last byte. */
  public long end() {
    return end;
  }

  /** The bytes before the first border: the end of a record that began before this range. */
  public byte[] head() {
    return head;
  }

  /** The bytes behind the last border: a record that has not ended yet. */
  public byte[] tail() {
    return tail;
  }

  /** Whole records, those stitched by {@link #join} included. */
  public long records() {
    return run.records;
  }

  /** The sum of their CRC32. */
  public Sum128 sum() {
    return run.sum;
  }

  /** Key of the first whole record; null when there is none. */
  public byte[] firstKey() {
    return run.first;
  }

  /** Key of the last whole record; null when there is none. */
  public byte[] lastKey() {
    return run.last;
  }
}
