package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.split.PackedSplit;
import io.evenkeel.terasort.core.split.Range;
import io.evenkeel.terasort.locality.Relocatable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;

/** The ranges one map task reads, each with the path of its file. Confined to one thread. */
public final class BlockSplit extends InputSplit implements Writable, Relocatable {
  private final List<Piece> pieces = new ArrayList<>();
  private List<String> hosts = Collections.emptyList();

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

  BlockSplit(PackedSplit split, List<InputFile> files) {
    for (Range range : split.ranges()) {
      pieces.add(new Piece(files.get(range.file()).path(), range));
    }
    hosts = split.hosts();
  }

  @Override
  public BlockSplit withLocations(String[] names) {
    BlockSplit other = new BlockSplit();
    other.pieces.addAll(pieces);
    other.hosts = Arrays.asList(names);
    return other;
  }

  List<Piece> pieces() {
    return Collections.unmodifiableList(pieces);
  }

  /** Bytes of the ranges that had no replica on this host when they were listed. */
  public long bytesElsewhereThan(String host) {
    return pieces.stream()
        .filter(piece -> !piece.range.hosts().contains(host))
        .mapToLong(piece -> piece.range.length())
        .sum();
  }

  @Override
  public long getLength() {
    return pieces.stream().mapToLong(piece -> piece.range.length()).sum();
  }

  @Override
  public String[] getLocations() {
    return hosts.toArray(new String[0]);
  }

  /** Locations are not written: Hadoop keeps them beside the split, for the scheduler only. */
  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, pieces.size());
    for (Piece piece : pieces) {
      Text.writeString(out, piece.path);
      WritableUtils.writeVInt(out, piece.range.file());
      WritableUtils.writeVLong(out, piece.range.start());
      WritableUtils.writeVLong(out, piece.range.length());
      WritableUtils.writeVInt(out, piece.range.hosts().size());
      for (String host : piece.range.hosts()) {
        Text.writeString(out, host);
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    pieces.clear();
    for (int left = WritableUtils.readVInt(in); left > 0; left--) {
      String path = Text.readString(in);
      int file = WritableUtils.readVInt(in);
      long start = WritableUtils.readVLong(in);
      long length = WritableUtils.readVLong(in);
      List<String> replicas = new ArrayList<>();
      for (int more = WritableUtils.readVInt(in); more > 0; more--) {
        replicas.add(Text.readString(in));
      }
      pieces.add(new Piece(path, new Range(file, start, length, replicas)));
    }
  }

  @Override
  public String toString() {
    return pieces.size() + " ranges, " + getLength() + " bytes, on " + hosts;
  }
}
