package io.evenkeel.mover.core.follow;

import java.io.IOException;

/** Collects records into larger writes. Not thread-safe. */
final class SegmentWriter {
  private final SegmentStore.Output output;
  private final byte[] buffer = new byte[64 << 10];
  private int buffered;
  private long position;

  SegmentWriter(SegmentStore.Output output) {
    this.output = output;
  }

  /** Appends a record. */
  void write(byte[] frame) throws IOException {
    if (buffered + frame.length > buffer.length) {
      flush();
    }
    if (frame.length > buffer.length) {
      output.write(frame, 0, frame.length);
    } else {
      System.arraycopy(frame, 0, buffer, buffered, frame.length);
      buffered += frame.length;
    }
    position += frame.length;
  }

  void flush() throws IOException {
    output.write(buffer, 0, buffered);
    buffered = 0;
  }

  long position() {
    return position;
  }
}
