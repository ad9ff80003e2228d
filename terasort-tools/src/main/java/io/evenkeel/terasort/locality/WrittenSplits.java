package io.evenkeel.terasort.locality;

import io.evenkeel.terasort.core.locality.SplitMetaSize;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapreduce.InputSplit;

/** What the job's client will write of its splits. Stateless and thread-safe. */
public final class WrittenSplits {
  private WrittenSplits() {}

  /** The order in which splits become tasks: the longest first, else as they were. */
  static Integer[] order(List<InputSplit> splits) throws IOException, InterruptedException {
    Integer[] order = new Integer[splits.size()];
    long[] lengths = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
      lengths[i] = splits.get(i).getLength();
    }
    Arrays.sort(order, Comparator.comparingLong((Integer i) -> lengths[i]).reversed());
    return order;
  }

  /**
   * Predicts the length of the split meta information file.
   *
   * @throws IOException when a split cannot be serialised, as the client will find too
   */
  public static SplitMetaSize metaSize(List<InputSplit> splits, Configuration conf)
      throws IOException, InterruptedException {
    return metaSize(splits, order(splits), conf);
  }

  static SplitMetaSize metaSize(List<InputSplit> splits, Integer[] order, Configuration conf)
      throws IOException, InterruptedException {
    SplitMetaSize size = new SplitMetaSize(SplitRewriter.stockLimit(conf));
    Counting out = new Counting();
    SerializationFactory factory = new SerializationFactory(conf);
    for (int index : order) {
      InputSplit split = splits.get(index);
      out.bytes = SplitMetaSize.textWidth(split.getClass().getName());
      serialise(split, factory, out);
      size.add(Arrays.asList(split.getLocations()), out.bytes, split.getLength());
    }
    return size;
  }

  @SuppressWarnings("unchecked")
  private static void serialise(InputSplit split, SerializationFactory factory, OutputStream out)
      throws IOException {
    Serializer<InputSplit> serializer =
        (Serializer<InputSplit>) factory.getSerializer(split.getClass());
    if (serializer == null) {
      throw new IOException("no serialization for " + split.getClass().getName());
    }
    serializer.open(out);
    serializer.serialize(split);
    serializer.close();
  }

  /** Counts what is written. */
  private static final class Counting extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
      bytes += length;
    }
  }
}
