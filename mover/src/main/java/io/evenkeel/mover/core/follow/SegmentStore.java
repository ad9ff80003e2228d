package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Where the journal keeps its segments: append-only sequences of bytes. One store belongs to one
 * owner; {@link #fence} takes all segments away from earlier owners.
 */
public interface SegmentStore extends Closeable {
  /**
   * Makes every write of an earlier owner fail from now on.
   *
   * @return the names of the published segments they left, oldest first, ready to be read
   */
  List<String> fence() throws IOException;

  /** Starts a segment that nobody finds before it is published. */
  Output create() throws IOException;

  /** Opens a published segment; of one being written, as much as was synced. */
  Input open(String name) throws IOException;

  /** Keeps the fenced segments where nobody reads or deletes them, for people to look at. */
  void setFencedAside() throws IOException;

  /** Deletes all segments of this owner and of the fenced ones, except one. */
  void keepOnly(String name) throws IOException;

  /** Lets go of everything; deletes nothing. */
  @Override
  void close() throws IOException;

  /** A segment being written. Not thread-safe. */
  interface Output extends Closeable {
    /** Its name once it is published. */
    String name();

    /** Appends bytes; they are safe only after {@link #sync}. */
    void write(byte[] bytes) throws IOException;

    /** Returns after the bytes are on the disks of several machines. */
    void sync() throws IOException;

    /** Lets {@link SegmentStore#fence} find it, at once and whole; it can still be written to. */
    void publish() throws IOException;
  }

  /** A segment being read. Not thread-safe. */
  interface Input extends Closeable {
    /** Bytes that can be read. */
    long length() throws IOException;

    /** Reads at most {@code length} bytes from {@code position}; -1 at the end. */
    int read(long position, byte[] into, int offset, int length) throws IOException;
  }
}
