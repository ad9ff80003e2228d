package io.evenkeel.mover.core.follow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One record of a segment: length of the payload (4 bytes), its CRC-32 (4 bytes), payload. The
 * payload is a type byte and what that type needs. Stateless.
 */
final class Frame {
  static final int HEADER = 8;

  /** Longest payload; a longer one in a file is damage. */
  static final int MAX_PAYLOAD = 1 << 20;

  /** Longest text of a request. */
  static final int MAX_TEXT = MAX_PAYLOAD - 64;

  static final byte BASE = 1;
  static final byte REQUEST = 2;
  static final byte DONE = 3;
  static final byte TXID = 4;
  static final byte SCANNED = 5;
  static final byte READ = 6;

  /** Bytes of a request's payload before its text. */
  static final int TEXT_AT = 1 + 8 + 1 + 1;

  private Frame() {}

  /** The first record of a segment that replaces all earlier ones. */
  static byte[] base() {
    return frame(ByteBuffer.allocate(1).put(BASE));
  }

  static byte[] request(QueuedRequest request) {
    byte[] text = request.text().getBytes(StandardCharsets.UTF_8);
    if (text.length == 0 || text.length > MAX_TEXT) {
      throw new IllegalArgumentException("a request of " + text.length + " bytes");
    }
    return frame(
        ByteBuffer.allocate(TEXT_AT + text.length)
            .put(REQUEST)
            .putLong(request.id())
            .put((byte) request.kind().code())
            .put((byte) request.attempts())
            .put(text));
  }

  /** How far the tree of a request was read; an empty position means its beginning. */
  static byte[] read(long id, String position) {
    byte[] text = position.getBytes(StandardCharsets.UTF_8);
    return frame(ByteBuffer.allocate(1 + 8 + text.length).put(READ).putLong(id).put(text));
  }

  static byte[] number(byte type, long value) {
    return frame(ByteBuffer.allocate(9).put(type).putLong(value));
  }

  /** Of a payload whose buffer is full. */
  private static byte[] frame(ByteBuffer full) {
    byte[] payload = full.array();
    return ByteBuffer.allocate(HEADER + payload.length)
        .putInt(payload.length)
        .putInt(crc(payload))
        .put(payload)
        .array();
  }

  /** The payload of the record that begins here, of any version; null when no whole one does. */
  static byte[] next(InputStream in) throws IOException {
    byte[] header = bytes(in, HEADER);
    if (header == null) {
      return null;
    }
    int length = ByteBuffer.wrap(header).getInt();
    if (length < 1 || length > MAX_PAYLOAD) {
      return null;
    }
    byte[] payload = bytes(in, length);
    return payload != null && crc(payload) == ByteBuffer.wrap(header).getInt(4) ? payload : null;
  }

  /**
   * So many bytes; null at the end. Not by {@link java.io.DataInputStream}: it ends with the same
   * exception as a read of HDFS whose DataNode goes away, which is no end.
   */
  private static byte[] bytes(InputStream in, int count) throws IOException {
    byte[] bytes = new byte[count];
    int have = 0;
    while (have < count) {
      int part = in.read(bytes, have, count - have);
      if (part < 0) {
        return null;
      }
      have += part;
    }
    return bytes;
  }

  private static int crc(byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(payload, 0, payload.length);
    return (int) crc.getValue();
  }

  /** Whether the payload has the length its type needs. */
  static boolean isWellFormed(byte[] payload) {
    switch (payload[0]) {
      case BASE:
        return payload.length == 1;
      case REQUEST:
        return payload.length > TEXT_AT && RequestKind.of(payload[9]) != null;
      case DONE:
      case TXID:
      case SCANNED:
        return payload.length == 9;
      case READ:
        return payload.length >= 9;
      default:
        return false;
    }
  }

  /** The number after the type. */
  static long number(byte[] payload) {
    return ByteBuffer.wrap(payload).getLong(1);
  }

  /** The position of {@link #read}; null for the beginning. */
  static String position(byte[] payload) {
    return payload.length == 9
        ? null
        : new String(payload, 9, payload.length - 9, StandardCharsets.UTF_8);
  }

  static QueuedRequest request(byte[] payload) {
    return new QueuedRequest(
        number(payload),
        RequestKind.of(payload[9]),
        payload[10],
        new String(payload, TEXT_AT, payload.length - TEXT_AT, StandardCharsets.UTF_8));
  }
}
