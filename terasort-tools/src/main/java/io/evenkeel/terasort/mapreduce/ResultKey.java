package io.evenkeel.terasort.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;

/**
 * What maps say, in the order in which the reducer wants it: all fragments by file and offset, then
 * all misorders by file and offset, then how many were left out, then what is known of the tasks.
 * Mutable, as Hadoop's keys are.
 *
 * <p>Seventeen fixed bytes, big-endian and never negative, so that keys compare as bytes.
 */
public final class ResultKey implements WritableComparable<ResultKey> {
  /** A {@code Fragment}. */
  static final byte FRAGMENT = 0;

  /** Two keys in the wrong order. */
  static final byte MISORDER = 1;

  /** How many more misorders a range has than were handed on. */
  static final byte UNLISTED = 2;

  /** A line of {@link ReportFiles#TASKS}. */
  static final byte TASK = 3;

  private static final int BYTES = 1 + 8 + 8;

  private byte kind;
  private long file;
  private long offset;

  static {
    WritableComparator.define(ResultKey.class, new Bytes());
  }

  /** For Hadoop, which fills it with {@link #readFields}. */
  public ResultKey() {}

  ResultKey set(byte newKind, long newFile, long newOffset) {
    kind = newKind;
    file = newFile;
    offset = newOffset;
    return this;
  }

  byte kind() {
    return kind;
  }

  int file() {
    return (int) file;
  }

  long offset() {
    return offset;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(kind);
    out.writeLong(file);
    out.writeLong(offset);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    kind = in.readByte();
    file = in.readLong();
    offset = in.readLong();
  }

  @Override
  public int compareTo(ResultKey other) {
    int byKind = Byte.compare(kind, other.kind);
    int byFile = byKind != 0 ? byKind : Long.compare(file, other.file);
    return byFile != 0 ? byFile : Long.compare(offset, other.offset);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResultKey && compareTo((ResultKey) other) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, file, offset);
  }

  /** Compares the written form. */
  private static final class Bytes extends WritableComparator {
    Bytes() {
      super(ResultKey.class);
    }

    @Override
    public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
      return compareBytes(a, aStart, BYTES, b, bStart, BYTES);
    }
  }
}
