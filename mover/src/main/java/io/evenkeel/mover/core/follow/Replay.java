package io.evenkeel.mover.core.follow;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.TreeMap;

/**
 * What segments say, read from the oldest on. Not thread-safe. Separate from the journal, which
 * writes.
 */
final class Replay {
  private static final int BUFFER = 64 << 10;

  /** Those without an end, by their ids. */
  final TreeMap<Long, QueuedRequest> requests = new TreeMap<>();

  long nextId = 1;
  long lastTxid = -1;
  long lastScan = -1;

  /** Bytes after the last whole record of each segment, where its writer died. */
  long cutBytes;

  /** Bytes before the last whole record that are damaged or of another version. */
  long unreadBytes;

  /** Reads one segment up to its last whole record, past what is damaged or of another version. */
  void segment(InputStream segment) throws IOException {
    InputStream in = new BufferedInputStream(segment, BUFFER);
    long skipped = 0; // since the last whole record
    boolean ended = false;
    while (!ended) {
      in.mark(Frame.HEADER + Frame.MAX_PAYLOAD);
      byte[] payload = Frame.next(in);
      if (payload == null) {
        in.reset();
        ended = in.read() < 0;
        skipped += ended ? 0 : 1;
      } else {
        unreadBytes += skipped;
        skipped = 0;
        if (Frame.isWellFormed(payload)) {
          record(payload);
        } else {
          unreadBytes += Frame.HEADER + payload.length;
        }
      }
    }
    cutBytes += skipped;
  }

  private void record(byte[] payload) {
    switch (payload[0]) {
      case Frame.BASE:
        requests.clear();
        break;
      case Frame.REQUEST:
        QueuedRequest request = Frame.request(payload);
        requests.putIfAbsent(request.id(), request);
        nextId = Math.max(nextId, request.id() + 1);
        break;
      case Frame.DONE:
        requests.remove(Frame.number(payload));
        nextId = Math.max(nextId, Frame.number(payload) + 1); // of one that is not here any more
        break;
      case Frame.TXID:
        lastTxid = Frame.number(payload);
        break;
      case Frame.READ:
        String position = Frame.position(payload);
        requests.computeIfPresent(
            Frame.number(payload), (id, found) -> found.withReadUpTo(position));
        break;
      default:
        lastScan = Frame.number(payload);
        break;
    }
  }
}
