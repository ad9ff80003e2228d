package io.evenkeel.terasort.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.FragmentScanner;
import io.evenkeel.terasort.core.split.Range;
import io.evenkeel.terasort.core.split.SplitPlanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes between client, maps and reducer comes back as it was. */
class WrittenFormsTest {
  @TempDir private Path dir;

  @Test
  void fragment_anyRange_comesBack() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(i % 2 == 0 ? 120 : 1000)];
      random.nextBytes(bytes);
      long start = random.nextInt(5) * 0x1_0000_0000L + random.nextInt(300);
      FragmentScanner scanner = new FragmentScanner(start, start + bytes.length, (o, a, b) -> {});
      scanner.update(bytes, 0, bytes.length);
      Fragment fragment = scanner.finish();
      Fragment back = FragmentCodec.read(FragmentCodec.write(fragment));
      assertThat(back).usingRecursiveComparison().isEqualTo(fragment);
      assertThat(FragmentCodec.write(fragment).getLength()).isLessThanOrEqualTo(264);
    }
  }

  @Test
  void key_writtenAndNot_sameOrder() throws IOException {
    List<ResultKey> keys = new ArrayList<>();
    long[] numbers = {0, 1, 127, 128, 255, 256, 65535, 1L << 31, 1L << 40, Long.MAX_VALUE};
    for (byte kind : new byte[] {ResultKey.FRAGMENT, ResultKey.MISORDER, ResultKey.TASK}) {
      for (long file : numbers) {
        for (long offset : numbers) {
          keys.add(new ResultKey().set(kind, file, offset));
        }
      }
    }
    WritableComparator raw = WritableComparator.get(ResultKey.class);
    for (ResultKey a : keys) {
      byte[] left = bytes(a);
      for (ResultKey b : keys) {
        byte[] right = bytes(b);
        int order = raw.compare(left, 0, left.length, right, 0, right.length);
        assertThat(Integer.signum(order)).isEqualTo(Integer.signum(a.compareTo(b)));
        assertThat(a.equals(b)).isEqualTo(order == 0);
      }
    }
    ResultKey back = new ResultKey();
    back.readFields(buffer(bytes(keys.get(123))));
    assertThat(back).isEqualTo(keys.get(123)).hasSameHashCodeAs(keys.get(123));
  }

  @Test
  void splitAndListing_ranges_comeBack() throws IOException {
    List<InputFile> files =
        List.of(
            new InputFile("file:/d \"x\"/part-r-00000", 5L << 40, 77, 3),
            new InputFile("file:/d/\u00e4\n\u4e2d", 0, -1, 0));
    List<Range> ranges =
        List.of(
            new Range(0, 0, 1L << 40, List.of("a", "b")),
            new Range(0, 1L << 40, 4L << 40, List.of()));
    Listing listing = new Listing(files, ranges, Map.of());
    org.apache.hadoop.fs.Path stored =
        new org.apache.hadoop.fs.Path(dir.resolve("listing").toUri());
    Configuration conf = new Configuration();
    listing.write(stored, conf, () -> {});
    assertThat(Listing.read(stored, conf)).usingRecursiveComparison().isEqualTo(listing);
    assertThat(Listing.filesOf(stored, conf)).usingRecursiveComparison().isEqualTo(files);

    BlockSplit split =
        new BlockSplit(
            new SplitPlanner(0, 0, 1).plan(ranges).get(0), file -> files.get(file).path());
    BlockSplit back = new BlockSplit();
    back.readFields(buffer(bytes(split)));
    assertThat(back.pieces()).usingRecursiveComparison().isEqualTo(split.pieces());
    assertThat(back.getLength()).isEqualTo(4L << 40);
  }

  private static byte[] bytes(Writable writable) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    writable.write(out);
    return java.util.Arrays.copyOf(out.getData(), out.getLength());
  }

  private static DataInputBuffer buffer(byte[] bytes) {
    DataInputBuffer in = new DataInputBuffer();
    in.reset(bytes, bytes.length);
    return in;
  }
}
