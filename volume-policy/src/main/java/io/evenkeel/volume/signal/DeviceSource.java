package io.evenkeel.volume.signal;

import io.evenkeel.volume.core.DeviceCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counters of one block device from its {@code stat} file in sysfs, which answers from memory even
 * when the device hangs. Volumes on one device share one instance.
 *
 * <p>Thread-safe: {@code this} guards the fields.
 */
final class DeviceSource {
  // Places in the file, see Documentation/block/stat.rst of Linux.
  private static final int READS = 0;
  private static final int SECTORS_READ = 2;
  private static final int WRITES = 4;
  private static final int SECTORS_WRITTEN = 6;
  private static final int WRITE_MILLIS = 7;
  private static final int IN_FLIGHT = 8;
  private static final int BUSY_MILLIS = 9;
  private static final int DISCARDS = 11; // from 4.18
  private static final int FLUSHES = 15; // from 5.5

  /** Bytes of a sector in this file, whatever the device has. */
  private static final double SECTOR = 512;

  private final String number;
  private final Path stat;
  private long lastWrites;
  private long lastMillis;
  private long wrapped;

  /**
   * Creates a source.
   *
   * @param blockDevices {@code /sys/dev/block}
   * @param number {@code major:minor}
   */
  DeviceSource(Path blockDevices, String number) {
    this.number = number;
    this.stat = blockDevices.resolve(number).resolve("stat");
  }

  /**
   * The number of the device {@code path} is on, as Linux writes it: {@code 8:16}. Blocks for as
   * long as the file system does.
   *
   * @throws IOException when the path cannot be asked
   * @throws UnsupportedOperationException on a system without device numbers
   */
  static String numberOf(Path path) throws IOException {
    return decode(((Number) Files.getAttribute(path, "unix:dev")).longValue());
  }

  /** Splits a dev_t of Linux: 12 low and 20 high bits of major, 8 low and 24 high bits of minor. */
  static String decode(long dev) {
    long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & 0xfffff000L);
    long minor = (dev & 0xff) | (dev >>> 12 & 0xffffff00L);
    return major + ":" + minor;
  }

  String number() {
    return number;
  }

  /**
   * The counters at this moment; they start again from 0 when the device does.
   *
   * @throws IOException when there are none
   */
  synchronized DeviceCounters read() throws IOException {
    String text = new String(Files.readAllBytes(stat), StandardCharsets.US_ASCII);
    long[] fields = parse(text.trim());
    long writes = fields[WRITES];
    // The kernel sums milliseconds in 32 bits: with 32 requests in flight they last 37 hours.
    if (writes < lastWrites) {
      wrapped = 0;
    } else if (fields[WRITE_MILLIS] < lastMillis) {
      wrapped += 1L << 32;
    }
    lastWrites = writes;
    lastMillis = fields[WRITE_MILLIS];
    // Discards and flushes are among the requests in flight, so they count when they complete.
    long completed = fields[READS] + writes + at(fields, DISCARDS) + at(fields, FLUSHES);
    // Never busy means not told: NVMe multipath and md before they kept account of it.
    long busy = fields[BUSY_MILLIS] == 0 ? -1 : fields[BUSY_MILLIS];
    return new DeviceCounters(
        completed,
        writes,
        (double) (lastMillis + wrapped),
        fields[IN_FLIGHT],
        busy,
        SECTOR * fields[SECTORS_WRITTEN],
        SECTOR * fields[SECTORS_READ]);
  }

  private static long at(long[] fields, int place) {
    return place < fields.length ? fields[place] : 0;
  }

  private static long[] parse(String text) throws IOException {
    String[] words = text.split("\\s+", -1);
    if (words.length <= BUSY_MILLIS) {
      throw new IOException("not the statistics of a block device: '" + text + "'");
    }
    long[] fields = new long[words.length];
    try {
      for (int i = 0; i < words.length; i++) {
        fields[i] = Long.parseLong(words[i]);
      }
    } catch (NumberFormatException e) {
      throw new IOException("not the statistics of a block device: '" + text + "'", e);
    }
    return fields;
  }
}
