package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import io.evenkeel.terasort.core.record.Sum128;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;

/** A fragment as bytes, at most about 260 of them. Stateless. */
final class FragmentCodec {
  private static final int PARTS = 4;

  private FragmentCodec() {}

  static BytesWritable write(Fragment fragment) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    out.writeLong(fragment.start());
    out.writeLong(fragment.end());
    out.writeLong(fragment.records());
    out.writeLong(fragment.sum().high());
    out.writeLong(fragment.sum().low());
    byte[] none = {};
    boolean some = fragment.records() > 0;
    byte[][] parts = {
      fragment.head(),
      fragment.tail(),
      some ? fragment.firstKey() : none,
      some ? fragment.lastKey() : none
    };
    for (byte[] part : parts) {
      out.writeByte(part.length);
      out.write(part, 0, part.length);
    }
    return new BytesWritable(out.getData(), out.getLength());
  }

  static Fragment read(BytesWritable bytes) throws IOException {
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(bytes.getBytes(), 0, bytes.getLength()));
    long start = in.readLong();
    long end = in.readLong();
    long records = in.readLong();
    Sum128 sum = Sum128.of(in.readLong(), in.readLong());
    byte[][] parts = new byte[PARTS][];
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new byte[in.readByte()];
      in.readFully(parts[i]);
    }
    return Fragment.of(start, end, parts, records, sum);
  }

  static BytesWritable misorder(byte[] previous, byte[] key) {
    byte[] both = new byte[2 * Records.KEY];
    System.arraycopy(previous, 0, both, 0, Records.KEY);
    System.arraycopy(key, 0, both, Records.KEY, Records.KEY);
    return new BytesWritable(both);
  }
}
