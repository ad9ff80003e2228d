package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import io.evenkeel.terasort.core.record.Sum128;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;

/** A fragment as bytes, at most about 260 of them. Stateless. */
final class FragmentCodec {
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
    writePart(out, fragment.head());
    writePart(out, fragment.tail());
    writePart(out, some ? fragment.firstKey() : none);
    writePart(out, some ? fragment.lastKey() : none);
    return new BytesWritable(out.getData(), out.getLength());
  }

  static Fragment read(BytesWritable bytes) throws IOException {
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(bytes.getBytes(), 0, bytes.getLength()));
    long start = in.readLong();
    long end = in.readLong();
    long records = in.readLong();
    Sum128 sum = Sum128.of(in.readLong(), in.readLong());
    byte[] head = readPart(in);
    byte[] tail = readPart(in);
    Fragment.Run run = new Fragment.Run(records, sum, readPart(in), readPart(in));
    return Fragment.of(start, end, head, tail, run);
  }

  private static void writePart(DataOutputBuffer out, byte[] part) throws IOException {
    out.writeByte(part.length);
    out.write(part, 0, part.length);
  }

  private static byte[] readPart(DataInputStream in) throws IOException {
    byte[] part = new byte[in.readByte()];
    in.readFully(part);
    return part;
  }

  static BytesWritable count(long number) {
    return new BytesWritable(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  static long count(BytesWritable bytes) {
    return ByteBuffer.wrap(bytes.getBytes(), 0, bytes.getLength()).getLong();
  }

  static BytesWritable misorder(byte[] previous, byte[] key) {
    byte[] both = new byte[2 * Records.KEY];
    System.arraycopy(previous, 0, both, 0, Records.KEY);
    System.arraycopy(key, 0, both, Records.KEY, Records.KEY);
    return new BytesWritable(both);
  }
}
