package io.evenkeel.mover.core.follow;

import java.io.IOException;

/**
 * Puts together what segments, read from the oldest on, say. Not thread-safe. Separate from the
 * journal, which writes.
 */
final class Replay {
  private final RequestTable table;
  private final long now;
  long nextId = 1;
  long lastTxid = -1;
  long lastScan = -1;

  /** Bytes after the last whole record of each segment. */
  long cutBytes;

  /** Bytes before the last whole record that are damaged or of another version. */
  long unreadBytes;

  Replay(RequestTable table, long now) {
    this.table = table;
    this.now = now;
  }

  /** Reads one segment up to its last whole record, past what is damaged or of another version. */
  void segment(SegmentReader segment) throws IOException {
    long at = 0;
    while (at >= 0) {
      byte[] payload = segment.payloadAt(at);
      if (payload != null) {
        if (Frame.isWellFormed(payload)) {
          record(payload);
        } else {
          unreadBytes += Frame.HEADER + payload.length;
        }
        at += Frame.HEADER + payload.length;
      } else {
        long next = segment.recordAfter(at);
        if (next < 0) {
          cutBytes += segment.length() - at;
        } else {
          unreadBytes += next - at;
        }
        at = next;
      }
    }
  }

  private void record(byte[] payload) {
    switch (payload[0]) {
      case Frame.BASE:
        table.clear();
        break;
      case Frame.REQUEST:
        request(Frame.request(payload));
        break;
      case Frame.DONE:
        table.remove(Frame.number(payload));
        nextId = Math.max(nextId, Frame.number(payload) + 1); // of one that is not here any more
        break;
      case Frame.TXID:
        lastTxid = Frame.number(payload);
        break;
      case Frame.READ:
        table.readUpTo(Frame.number(payload), Frame.position(payload));
        break;
      default:
        lastScan = Frame.number(payload);
        break;
    }
  }

  private void request(QueuedRequest request) {
    if (!table.contains(request.id())) {
      table.load(request, now);
    }
    nextId = Math.max(nextId, request.id() + 1);
  }
}
