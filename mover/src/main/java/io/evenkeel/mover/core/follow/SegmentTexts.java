package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** Finds texts of requests by where they lie in one of several segments. Not thread-safe. */
final class SegmentTexts implements Closeable {
  /** A position is the number of the segment and the place in it. */
  static final int PLACE_BITS = 40;

  /** Reads the text at a position of the only segment there is. */
  interface Current {
    String at(long position) throws IOException;
  }

  private final SegmentStore store;
  private final List<String> names;
  private final Current current;
  private SegmentReader open;
  private int openIndex = -1;

  SegmentTexts(SegmentStore store, List<String> names) {
    this.store = store;
    this.names = names;
    this.current = null;
  }

  SegmentTexts(Current current) {
    this.store = null;
    this.names = Collections.emptyList();
    this.current = current;
  }

  String at(long position) throws IOException {
    if (current != null) {
      return current.at(position);
    }
    int index = (int) (position >>> PLACE_BITS);
    if (index != openIndex) {
      close();
      open = new SegmentReader(store.open(names.get(index)));
      openIndex = index;
    }
    return text(open.payloadAt(position & ((1L << PLACE_BITS) - 1)), position);
  }

  static String text(byte[] payload, long position) throws IOException {
    if (payload == null || payload[0] != Frame.REQUEST) {
      throw new IOException("the journal has no request any more at position " + position);
    }
    return Frame.request(payload).text();
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
      open = null;
      openIndex = -1;
    }
  }
}
