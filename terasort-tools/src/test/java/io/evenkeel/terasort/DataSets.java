package io.evenkeel.terasort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes sorted data sets of 100-byte records on the local file system. */
final class DataSets {
  private DataSets() {}

  /** {@code count} records with random keys and values, sorted by key as unsigned bytes. */
  static List<byte[]> sorted(int count, long seed) {
    Random random = new Random(seed);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[100];
      random.nextBytes(record);
      records.add(record);
    }
    sort(records);
    return records;
  }

  static void sort(List<byte[]> records) {
    records.sort((a, b) -> Arrays.compareUnsigned(a, 0, 10, b, 0, 10));
  }

  /** Writes the records to {@code files} partitions of nearly equal size. */
  static void write(Path directory, List<byte[]> records, int files) throws IOException {
    Files.createDirectories(directory);
    for (int i = 0; i < files; i++) {
      int from = records.size() * i / files;
      int to = records.size() * (i + 1) / files;
      try (OutputStream out =
          Files.newOutputStream(directory.resolve(String.format("part-r-%05d", i)))) {
        for (byte[] record : records.subList(from, to)) {
          out.write(record);
        }
      }
    }
  }
}
