package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.split.PackedSplit;
import io.evenkeel.terasort.core.split.Range;
import io.evenkeel.terasort.locality.Relocatable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * The ranges one map task reads, each with the path of its file; in arrays, since the job's client
 * may hold a million. Confined to one thread.
 */
public final class BlockSplit extends InputSplit implements Writable, Relocatable {
  private Range[] ranges = {};
  private IntFunction<String> paths = file -> null;
  private String[] hosts = {};

  /** A range and the file it belongs to. */
  static final class Piece {
    final String path;
    final Range range;

    Piece(String path, Range range) {
      this.path = path;
      this.range = range;
    }
  }

  /** For Hadoop, which fills it with {@link #readFields}. */
  public BlockSplit() {}

  /**
   * Creates a split.
   *
   * @param paths path by the number of the file; all splits of a job share it
   */
  BlockSplit(PackedSplit split, IntFunction<String> paths) {
    this.ranges = split.ranges().toArray(new Range[0]);
    this.paths = paths;
    this.hosts = split.hosts().toArray(new String[0]);
  }

  @Override
  public BlockSplit withLocations(String[] names) {
    BlockSplit other = new BlockSplit();
    other.ranges = ranges;
    other.paths = paths;
    other.hosts = names.clone();
    return other;
  }

  List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    for (Range range : ranges) {
      pieces.add(new Piece(paths.apply(range.file()), range));
    }
    return pieces;
  }

  /** Bytes of the ranges that had no replica on this host when they were listed. */
  public long bytesElsewhereThan(String host) {
    return Arrays.stream(ranges)
        .filter(range -> !range.hosts().contains(host))
        .mapToLong(Range::length)
        .sum();
  }

  @Override
  public long getLength() {
    return Arrays.stream(ranges).mapToLong(Range::length).sum();
  }

  @Override
  public String[] getLocations() {
    return hosts; // as stock's splits do: no copy of it, the client keeps them all
  }

  /** Locations are not written: Hadoop keeps them beside the split, for the scheduler only. */
  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, ranges.length);
    for (Range range : ranges) {
      Text.writeString(out, paths.apply(range.file()));
      WritableUtils.writeVInt(out, range.file());
      WritableUtils.writeVLong(out, range.start());
      WritableUtils.writeVLong(out, range.length());
      WritableUtils.writeVInt(out, range.hosts().size());
      for (String host : range.hosts()) {
        Text.writeString(out, host);
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    Map<Integer, String> read = new HashMap<>();
    paths = read::get;
    ranges = new Range[WritableUtils.readVInt(in)];
    for (int i = 0; i < ranges.length; i++) {
      String path = Text.readString(in);
      int file = WritableUtils.readVInt(in);
      long start = WritableUtils.readVLong(in);
      long length = WritableUtils.readVLong(in);
      List<String> replicas = new ArrayList<>();
      for (int more = WritableUtils.readVInt(in); more > 0; more--) {
        replicas.add(Text.readString(in));
      }
      read.put(file, path);
      ranges[i] = new Range(file, start, length, replicas);
    }
  }

  @Override
  public String toString() {
    return ranges.length + " ranges, " + getLength() + " bytes, on " + Arrays.toString(hosts);
  }
}
