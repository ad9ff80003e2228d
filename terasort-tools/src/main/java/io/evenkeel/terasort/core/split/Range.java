package io.evenkeel.terasort.core.split;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Contiguous bytes of one file that stand on the same hosts: a block, or a part of one. Immutable.
 */
public final class Range {
  private final int file;
  private final long start;
  private final long length;
  private final List<String> hosts;

  /**
   * Creates a range.
   *
   * @param file position of the file in the listing
   * @param start offset of the first byte
   * @param length bytes, at least 1
   * @param hosts host names of the replicas, kept once each: two DataNodes may share a host; empty
   *     when no host is nearer than another
   */
  public Range(int file, long start, long length, List<String> hosts) {
    check(start, length);
    this.file = file;
    this.start = start;
    this.length = length;
    this.hosts =
        hosts instanceof RangeTable.Hosts
            ? hosts
            : Collections.unmodifiableList(new ArrayList<>(new LinkedHashSet<>(hosts)));
  }

  static void check(long start, long length) {
    if (start < 0 || length < 1) {
      throw new IllegalArgumentException("no range: " + length + " bytes at " + start);
    }
  }

  /** Position of the file in the listing. */
  public int file() {
    return file;
  }

  /** Offset of the first byte. */
  public long start() {
    return start;
  }

  /** Bytes. */
  public long length() {
    return length;
  }

  /** Host names of the replicas, each once, nearest first as the file system listed them. */
  public List<String> hosts() {
    return hosts;
  }

  @Override
  public String toString() {
    return file + "@" + start + "+" + length + hosts;
  }
}
