package io.evenkeel.bench.tera;

import io.evenkeel.terasort.core.record.FragmentScanner;
import io.evenkeel.terasort.core.record.Records;
import java.io.IOException;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * Three ways to go through sorted records that are in memory: CRC32 of each alone, all of our
 * check, and stock's record reader and mapper. Confined to one thread.
 */
final class RecordChecks {
  static final int RECORDS = 100_000;

  private static final int BUFFER = 1 << 20;
  private static final int STOCK_PAIRS = 3; // both edges and the checksum

  private final byte[] data = new byte[RECORDS * Records.RECORD];
  private final StockValidator stock = new StockValidator();
  private final Configuration conf = MemoryFileSystem.conf();
  private final FileSplit split =
      new FileSplit(new Path("memory:///part-r-00000"), 0, data.length, new String[0]);

  /** Makes records of random bytes with rising keys. */
  RecordChecks(long seed) {
    new Random(seed).nextBytes(data);
    for (int i = 0; i < RECORDS; i++) {
      for (int b = 0; b < 4; b++) {
        data[i * Records.RECORD + b] = (byte) (i * 40_000 >>> 24 - 8 * b);
      }
    }
    MemoryFileSystem.content(data);
  }

  /** The sum no check can do without. */
  long crc32() {
    CRC32 crc = new CRC32();
    long total = 0;
    for (int i = 0; i < data.length; i += Records.RECORD) {
      crc.reset();
      crc.update(data, i, Records.RECORD);
      total += crc.getValue();
    }
    return total;
  }

  /** Our check, in pieces as a map reads them; the same sum. */
  long evenkeel() {
    FragmentScanner scanner =
        new FragmentScanner(
            0,
            data.length,
            (offset, a, b) -> {
              throw new IllegalStateException("records out of order at " + offset);
            });
    for (int at = 0; at < data.length; at += BUFFER) {
      scanner.update(data, at, Math.min(BUFFER, data.length - at));
    }
    return scanner.finish().sum().low();
  }

  /** Stock's record reader and mapper. */
  long stock() throws IOException, InterruptedException {
    long pairs = stock.map(split, conf, 0);
    if (pairs != STOCK_PAIRS) {
      throw new IllegalStateException("stock wrote " + pairs + " pairs");
    }
    return pairs;
  }
}
