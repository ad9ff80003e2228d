package io.evenkeel.terasort.core.locality;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The exact length of the file {@code job.splitmetainfo} that a job's client writes and its
 * application master refuses above {@code mapreduce.job.split.metainfo.maxsize}.
 *
 * <p>The file holds {@code META-SPL}, a version, the number of splits, and for each split the hosts
 * it names, the offset of its bytes in {@code job.split}, and its length; all numbers have variable
 * width. Splits must be added in the order they are written, as the width of an offset depends on
 * what stands before. Not thread-safe.
 */
public final class SplitMetaSize {
  private static final int HEADER = "META-SPL".length() + 1; // and the version, 1
  private static final int SPLIT_FILE_HEADER = "SPL".length() + Integer.BYTES;

  private final int mostLocations;
  private long offset = SPLIT_FILE_HEADER;
  private long body;
  private long splits;

  /**
   * Starts with no split.
   *
   * @param mostLocations {@code mapreduce.job.max.split.locations}: names beyond are cut off
   */
  public SplitMetaSize(int mostLocations) {
    this.mostLocations = mostLocations;
  }

  /**
   * Adds a split.
   *
   * @param written bytes it takes in {@code job.split}, its class name included
   * @param length bytes of input it stands for
   */
  public SplitMetaSize add(List<String> locations, long written, long length) {
    int named = Math.min(mostLocations, locations.size());
    body += width(named);
    for (String location : locations.subList(0, named)) {
      body += textWidth(location);
    }
    body += width(offset) + width(length);
    offset += written;
    splits++;
    return this;
  }

  /** Length of the file in bytes. */
  public long bytes() {
    return HEADER + width(splits) + body;
  }

  /**
   * Whether the application master would refuse the job.
   *
   * @param limit {@code mapreduce.job.split.metainfo.maxsize} in bytes; 0 or less is none
   */
  public boolean exceeds(long limit) {
    return limit > 0 && bytes() > limit;
  }

  /** Bytes of a text with its length before it. */
  public static int textWidth(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return width(bytes) + bytes;
  }

  /** Bytes of a number in Hadoop's variable width: 1 from -112 to 127, else 1 and its own bytes. */
  static int width(long number) {
    if (number >= -112 && number <= 127) {
      return 1;
    }
    long magnitude = number < 0 ? ~number : number;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(magnitude);
    return 1 + (bits + Byte.SIZE - 1) / Byte.SIZE;
  }
}
