package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads keys of an existing input: those that TeraSort would sample, and others from anywhere.
 * Reads only; what the keys say is {@code core.skew}'s to tell. Splits are blocks in the order of
 * the listing; TeraScheduler may hand TeraSort others of them. Confined to one thread.
 */
final class KeySampler {
  /** Bytes of a row. */
  static final int ROW = 100;

  private static final int KEY = 10;

  /** A rest of a file up to a tenth of a block goes with the block before it. */
  private static final double SLOP = 1.1;

  private final FileSystem fs;
  private final List<FileStatus> files = new ArrayList<>();
  private final List<Split> splits = new ArrayList<>();
  private final long rows;

  /** A part of a file. */
  private static final class Split {
    private final FileStatus file;
    private final long start;
    private final long length;

    Split(FileStatus file, long start, long length) {
      this.file = file;
      this.start = start;
      this.length = length;
    }

    private long firstRow() {
      return (start + ROW - 1) / ROW;
    }

    /** Rows that begin in it. */
    private long rows() {
      return Math.min((start + length + ROW - 1) / ROW, file.getLen() / ROW) - firstRow();
    }
  }

  KeySampler(Configuration conf, String dir) throws IOException {
    Path path = new Path(dir);
    fs = path.getFileSystem(conf);
    try {
      for (FileStatus file : fs.listStatus(path)) {
        String name = file.getPath().getName();
        if (file.isFile() && !name.startsWith("_") && !name.startsWith(".")) {
          files.add(file);
          split(file);
        }
      }
    } catch (FileNotFoundException e) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, "no such directory: " + dir, e);
    }
    rows = files.stream().mapToLong(file -> file.getLen() / ROW).sum();
    if (rows == 0) {
      throw new CommandException(ExitCode.NOTHING_TO_DO, dir + " holds no row of 100 bytes");
    }
  }

  private void split(FileStatus file) {
    long block = Math.max(1, file.getBlockSize());
    long start = 0;
    long left = file.getLen();
    while (left / (double) block > SLOP) {
      splits.add(new Split(file, start, block));
      start += block;
      left -= block;
    }
    if (left > 0) {
      splits.add(new Split(file, start, left));
    }
  }

  /** Whole rows of the input. */
  long rows() {
    return rows;
  }

  /** Splits of the input. */
  int splits() {
    return splits.size();
  }

  /** Rows of the smallest split that is read when at most {@code most} are. */
  long rowsOfSmallestRead(int most) {
    return read(most).stream().mapToLong(Split::rows).min().orElse(0);
  }

  private List<Split> read(int most) {
    int count = Math.min(most, splits.size());
    int step = splits.size() / count;
    List<Split> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(splits.get(step * i));
    }
    return chosen;
  }

  /** The keys TeraSort samples: the first rows of evenly spaced splits. */
  byte[][] sampled(int keys, int mostSplits) throws IOException {
    List<Split> chosen = read(mostSplits);
    long each = Math.max(1, keys / chosen.size());
    List<byte[]> sample = new ArrayList<>();
    byte[] row = new byte[ROW];
    for (Split split : chosen) {
      try (FSDataInputStream in = fs.open(split.file.getPath(), 1 << 16)) {
        in.seek(split.firstRow() * ROW);
        for (long i = Math.min(each, split.rows()); i > 0; i--) {
          in.readFully(row);
          sample.add(Arrays.copyOf(row, KEY));
        }
      } catch (EOFException e) {
        throw new IOException(split.file.getPath() + " became shorter while it was read", e);
      }
    }
    return sample.toArray(new byte[0][]);
  }

  /** Keys of rows drawn independently from all; the same seed draws the same. */
  byte[][] random(int count, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long[] drawn = random.longs(count, 0, rows).toArray();
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    // Each file is opened once; the keys keep the order in which they were drawn.
    Arrays.sort(order, Comparator.comparingLong(i -> drawn[i]));
    byte[][] keys = new byte[count][KEY];
    long before = 0;
    int next = 0;
    for (FileStatus file : files) {
      long end = before + file.getLen() / ROW;
      if (next < count && drawn[order[next]] < end) {
        try (FSDataInputStream in = fs.open(file.getPath())) {
          for (; next < count && drawn[order[next]] < end; next++) {
            in.readFully((drawn[order[next]] - before) * ROW, keys[order[next]]);
          }
        }
      }
      before = end;
    }
    return keys;
  }
}
