package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads records of one segment through a window of bytes. Whatever follows the last whole record,
 * or a damaged one, does not exist for it: the writer died there. Not thread-safe.
 */
final class SegmentReader implements Closeable {
  private static final int WINDOW = 256 << 10;

  private final SegmentStore.Input input;
  private final byte[] window = new byte[WINDOW];
  private long windowAt;
  private int windowLength;

  SegmentReader(SegmentStore.Input input) {
    this.input = input;
  }

  /**
   * The payload of the record at a position; null when there is no whole one.
   *
   * @throws IOException also when the record is whole and not known here: cutting off what another
   *     version wrote would lose requests
   */
  byte[] payloadAt(long position) throws IOException {
    byte[] header = bytes(position, Frame.HEADER);
    if (header == null) {
      return null;
    }
    ByteBuffer head = ByteBuffer.wrap(header);
    int length = head.getInt();
    int crc = head.getInt();
    if (length < 1 || length > Frame.MAX_PAYLOAD) {
      return null;
    }
    byte[] payload = bytes(position + Frame.HEADER, length);
    if (payload == null || Frame.crc(payload) != crc) {
      return null;
    }
    if (!Frame.isWellFormed(payload)) {
      throw new IOException(
          "the journal has a record of type " + payload[0] + ", of another version of Evenkeel");
    }
    return payload;
  }

  long length() throws IOException {
    return input.length();
  }

  private byte[] bytes(long position, int count) throws IOException {
    byte[] found = new byte[count];
    int have = 0;
    while (have < count) {
      long at = position + have;
      if (at < windowAt || at >= windowAt + windowLength) {
        windowAt = at;
        windowLength = Math.max(0, input.read(at, window, 0, WINDOW));
        if (windowLength == 0) {
          return null;
        }
      }
      int inWindow = (int) (at - windowAt);
      int part = Math.min(count - have, windowLength - inWindow);
      System.arraycopy(window, inWindow, found, have, part);
      have += part;
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
