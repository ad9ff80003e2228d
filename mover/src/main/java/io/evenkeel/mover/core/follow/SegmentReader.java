package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads records of one segment through a window of bytes. What follows the last whole record does
 * not exist: the writer died there. Not thread-safe.
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

  /** The payload of the record at a position, of any version; null when there is no whole one. */
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
    return payload == null || Frame.crc(payload) != crc ? null : payload;
  }

  /** Where the next whole record begins after a position without one; -1 when none follows. */
  long recordAfter(long position) throws IOException {
    long length = length();
    for (long at = position + 1; at + Frame.HEADER < length; at++) {
      if (Frame.isKnown(bytes(at + Frame.HEADER, 1)[0]) && payloadAt(at) != null) {
        return at;
      }
    }
    return -1;
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
