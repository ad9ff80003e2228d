package io.evenkeel.bench.gameday.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a file: of several sources after truncations and concatenations. It says what each
 * byte is, also of those that are still to be appended. Immutable.
 */
public final class Content {
  private final List<Segment> segments;
  private final Source tail;

  /**
   * Bytes of one source.
   *
   * @param start position in the file of the first
   * @param end position after the last
   * @param shift position in the file less that in the source
   */
  private record Segment(long start, long end, Source source, long shift) {}

  private Content(List<Segment> segments, Source tail) {
    this.segments = List.copyOf(segments);
    this.tail = tail;
  }

  /** No bytes yet; those that are appended come from the source. */
  static Content startingWith(Source source) {
    return new Content(List.of(), source);
  }

  /** How many bytes there are. */
  public long length() {
    return segments.isEmpty() ? 0 : last().end;
  }

  private Segment last() {
    return segments.get(segments.size() - 1);
  }

  /** The same and more, with the bytes that {@link #fill} gives behind its end. */
  Content grown(long bytes) {
    if (bytes == 0) {
      return this;
    }
    List<Segment> more = new ArrayList<>(segments);
    long start = length();
    if (!more.isEmpty() && last().source.equals(tail) && last().shift == 0) {
      start = more.remove(more.size() - 1).start;
    }
    more.add(new Segment(start, length() + bytes, tail, 0));
    return new Content(more, tail);
  }

  /**
   * The first bytes alone.
   *
   * @param next source of the bytes that are appended from now on
   */
  Content cut(long length, Source next) {
    List<Segment> fewer = new ArrayList<>();
    for (Segment s : segments) {
      if (s.start < length) {
        fewer.add(new Segment(s.start, Math.min(s.end, length), s.source, s.shift));
      }
    }
    return new Content(fewer, next);
  }

  /** The same with all bytes of another file behind it. */
  Content with(Content other) {
    List<Segment> more = new ArrayList<>(segments);
    long by = length();
    for (Segment s : other.segments) {
      more.add(new Segment(s.start + by, s.end + by, s.source, s.shift + by));
    }
    return new Content(more, tail);
  }

  /** Whether it is an earlier content, or that with bytes appended. */
  boolean isGrowthOf(Content earlier) {
    return tail.equals(earlier.tail)
        && length() >= earlier.length()
        && earlier.grown(length() - earlier.length()).equals(this);
  }

  /** Produces the bytes from a position on; behind the end, those that an append has to write. */
  public void fill(long position, byte[] buffer, int offset, int length) {
    int done = 0;
    while (done < length) {
      Segment s = at(position + done);
      int bytes = (int) Math.min(length - done, s.end - position - done);
      s.source.fill(position + done - s.shift, buffer, offset + done, bytes);
      done += bytes;
    }
  }

  /** How many bytes are those from a position on, before the first that is not. */
  public int matching(long position, byte[] buffer, int offset, int length) {
    int done = 0;
    while (done < length) {
      Segment s = at(position + done);
      int bytes = (int) Math.min(length - done, s.end - position - done);
      int same = s.source.matching(position + done - s.shift, buffer, offset + done, bytes);
      done += same;
      if (same < bytes) {
        break;
      }
    }
    return done;
  }

  private Segment at(long position) {
    for (Segment s : segments) {
      if (position < s.end) {
        return s;
      }
    }
    return new Segment(length(), Long.MAX_VALUE, tail, 0);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Content c && segments.equals(c.segments) && tail.equals(c.tail);
  }

  @Override
  public int hashCode() {
    return 31 * segments.hashCode() + tail.hashCode();
  }

  @Override
  public String toString() {
    return length() + " bytes " + segments;
  }
}
