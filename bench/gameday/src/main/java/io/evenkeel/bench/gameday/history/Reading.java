package io.evenkeel.bench.gameday.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One read of a path, compared while it goes on with everything that the file may be. Ended once,
 * by {@link #absent}, {@link #whole} or {@link #part}; a reader that got an error drops it.
 * Confined to the thread of the reader.
 */
public final class Reading {
  private final History history;
  private final String path;
  private final boolean settles;
  private final long changes;
  private final List<Candidate> candidates = new ArrayList<>();

  /** A file as it may have been when the read began, and where the read differs from it. */
  static final class Candidate {
    private final FileState file;
    private long matches = Long.MAX_VALUE;
    private String difference = "";

    private Candidate(FileState file) {
      this.file = file;
    }

    private void compare(long position, byte[] buffer, int offset, int length) {
      if (matches < Long.MAX_VALUE) {
        return;
      }
      int same = file.content().matching(position, buffer, offset, length);
      if (same < length) {
        byte[] right = new byte[1];
        matches = position + same;
        file.content().fill(matches, right, 0, 1);
        difference =
            String.format(
                "byte %d is 0x%02x and has to be 0x%02x",
                matches, buffer[offset + same] & 0xff, right[0] & 0xff);
      }
    }

    FileState file() {
      return file;
    }

    /** Position of the first wrong byte; the largest long when there is none. */
    long matches() {
      return matches;
    }

    boolean right() {
      return matches == Long.MAX_VALUE;
    }

    String difference() {
      return difference;
    }
  }

  /**
   * Begins a read.
   *
   * @param settles whether what is seen counts as acknowledged from then on
   * @param changes how often the path had changed
   * @param files everything that the file may be
   */
  Reading(History history, String path, boolean settles, long changes, List<FileState> files) {
    this.history = history;
    this.path = path;
    this.settles = settles;
    this.changes = changes;
    files.forEach(file -> candidates.add(new Candidate(file)));
  }

  String path() {
    return path;
  }

  boolean settles() {
    return settles;
  }

  long changes() {
    return changes;
  }

  List<Candidate> candidates() {
    return candidates;
  }

  /** Bytes that were read, from any position on. */
  public void bytes(long position, byte[] buffer, int offset, int length) {
    candidates.forEach(candidate -> candidate.compare(position, buffer, offset, length));
  }

  /** There was no file. */
  public Optional<Finding> absent() {
    return history.judge(this, new Seen.Absent());
  }

  /** The file had this many bytes, and all were given to {@link #bytes}. */
  public Optional<Finding> whole(long length) {
    return history.judge(this, new Seen.Whole(length));
  }

  /** Only some bytes were read and given to {@link #bytes}. */
  public Optional<Finding> part() {
    return history.judge(this, new Seen.Part());
  }
}
