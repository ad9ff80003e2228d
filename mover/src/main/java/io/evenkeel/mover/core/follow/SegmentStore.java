package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
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

  /** Opens a segment that was fenced. */
  InputStream open(String name) throws IOException;

  /** Lets go of all segments being written. Again it does nothing. */
  @Override
  void close() throws IOException;

  /** A segment being written. Not thread-safe. */
  interface Output {
    /** Appends bytes; they are safe only after {@link #sync}. */
    void write(byte[] bytes) throws IOException;

    /** Returns after the bytes are on the disks of several machines. */
    void sync() throws IOException;

    /**
     * Lets {@link SegmentStore#fence} find it, at once and whole, and then deletes all earlier
     * segments, those of this owner and the fenced ones. It can still be written to.
     *
     * @param keepFenced whether the fenced ones are kept where nobody reads or deletes them, for
     *     people to look at
     */
    void publish(boolean keepFenced) throws IOException;
  }
}
