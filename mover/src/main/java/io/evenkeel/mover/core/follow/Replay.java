package io.evenkeel.mover.core.follow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Puts together what segments, read from the oldest on, say. Not thread-safe. */
final class Replay {
  private final RequestTable table;
  private final long now;
  private long nextId = 1;
  private long lastTxid = -1;
  private long lastScan = -1;
  private long cutBytes;
  private long unreadBytes;

  Replay(RequestTable table, long now) {
    this.table = table;
    this.now = now;
  }

  /** Reads one segment up to its last whole record, past what is damaged or of another version. */
  void segment(SegmentReader segment, int index) throws IOException {
    long at = 0;
    while (at >= 0) {
      byte[] payload = segment.payloadAt(at);
      if (payload != null) {
        if (Frame.isWellFormed(payload)) {
          record(payload, ((long) index << SegmentTexts.PLACE_BITS) | at);
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

  private void record(byte[] payload, long position) {
    switch (payload[0]) {
      case Frame.BASE:
        for (long id : table.idsInOrder()) {
          table.remove(table.find(id));
        }
        break;
      case Frame.REQUEST:
        request(Frame.request(payload), position);
        break;
      case Frame.DONE:
        int slot = table.find(Frame.number(payload));
        if (slot >= 0) {
          table.remove(slot);
        }
        break;
      case Frame.TXID:
        lastTxid = Frame.number(payload);
        break;
      default:
        lastScan = Frame.number(payload);
        break;
    }
  }

  private void request(QueuedRequest request, long position) {
    if (table.find(request.id()) < 0) {
      byte[] text = request.text().getBytes(StandardCharsets.UTF_8);
      table.load(request, text, position, now);
    }
    nextId = Math.max(nextId, request.id() + 1);
  }

  /** Bytes after the last whole record of each segment. */
  long cutBytes() {
    return cutBytes;
  }

  /** Bytes before the last whole record that are damaged or of another version. */
  long unreadBytes() {
    return unreadBytes;
  }

  long nextId() {
    return nextId;
  }

  long lastTxid() {
    return lastTxid;
  }

  long lastScan() {
    return lastScan;
  }
}
