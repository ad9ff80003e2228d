package io.evenkeel.terasort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Small random data sets: mostly sorted, with few different key bytes so that ties are frequent,
 * sometimes with exchanged records, empty files and torn tails.
 */
final class RandomSets {
  private static final byte[] KEY_BYTES = {0, 1, 0x7e, 0x7f, (byte) 0x80, (byte) 0xff};

  private RandomSets() {}

  static List<Source> next(Random random) {
    List<byte[]> records = new ArrayList<>();
    for (int count = random.nextInt(25); count > 0; count--) {
      records.add(record(random));
    }
    records.sort((a, b) -> Arrays.compareUnsigned(a, 0, 10, b, 0, 10));
    if (random.nextInt(3) == 0 && records.size() > 1) {
      int at = random.nextInt(records.size() - 1);
      int other = random.nextBoolean() ? at + 1 : random.nextInt(records.size());
      java.util.Collections.swap(records, at, other);
    }
    int files = 1 + random.nextInt(4);
    List<Source> sources = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < files; i++) {
      int to = i == files - 1 ? records.size() : from + random.nextInt(records.size() - from + 1);
      byte[] bytes = new byte[(to - from) * 100];
      for (int j = from; j < to; j++) {
        System.arraycopy(records.get(j), 0, bytes, (j - from) * 100, 100);
      }
      if (random.nextInt(10) == 0) {
        bytes = Arrays.copyOf(bytes, Math.max(0, bytes.length - random.nextInt(100)));
      }
      sources.add(new Source(String.format("part-r-%05d", i), bytes));
      from = to;
    }
    return sources;
  }

  /** Keys that differ in one or two places, high and low. */
  private static byte[] record(Random random) {
    byte[] record = new byte[100];
    record[random.nextInt(10)] = KEY_BYTES[random.nextInt(KEY_BYTES.length)];
    record[random.nextInt(10)] = KEY_BYTES[random.nextInt(KEY_BYTES.length)];
    record[10 + random.nextInt(90)] = (byte) random.nextInt();
    return record;
  }
}
