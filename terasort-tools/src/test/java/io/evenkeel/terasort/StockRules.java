package io.evenkeel.terasort;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.zip.CRC32;

/**
 * What stock's TeraValidate says of a data set, record after record and file after file. Shares no
 * code with the validator; the corpus compares it with the real one.
 */
final class StockRules {
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);

  /**
   * Its answer.
   *
   * @param answers false where the real one dies (a truncated file) or compares at random (two
   *     files of one name); the sums hold all the same
   * @param errors their texts
   * @param checksum hex digits
   */
  record Answer(boolean answers, List<String> errors, String checksum, long records) {}

  private record Edge(String name, byte[] key) {
    byte[] bytes() {
      return name.getBytes(StandardCharsets.UTF_8);
    }
  }

  private StockRules() {}

  static Answer validate(List<Source> sources) {
    List<String> errors = new ArrayList<>();
    List<Edge> edges = new ArrayList<>();
    Set<String> names = new HashSet<>();
    BigInteger sum = BigInteger.ZERO;
    long records = 0;
    boolean answers = true;
    for (Source source : sources) {
      if (source.hidden()) {
        continue;
      }
      byte[] bytes = source.bytes();
      answers &= bytes.length % 100 == 0 && names.add(source.name());
      byte[] last = null;
      for (int at = 0; at + 100 <= bytes.length; at += 100) {
        byte[] key = Arrays.copyOfRange(bytes, at, at + 10);
        if (last == null) {
          edges.add(new Edge(source.name() + ":begin", key));
        } else if (Arrays.compareUnsigned(key, last) < 0) {
          errors.add("misorder in " + source.name() + " between " + hex(last) + " and " + hex(key));
        }
        last = key;
        CRC32 crc = new CRC32();
        crc.update(bytes, at, 100);
        sum = sum.add(BigInteger.valueOf(crc.getValue())).mod(MODULUS);
        records++;
      }
      if (last != null) {
        edges.add(new Edge(source.name() + ":end", last));
      }
    }
    edges.sort(Comparator.comparing(Edge::bytes, Arrays::compareUnsigned));
    for (int i = 1; i < edges.size(); i++) {
      Edge before = edges.get(i - 1);
      Edge after = edges.get(i);
      if (Arrays.compareUnsigned(after.key, before.key) < 0) {
        errors.add(
            "bad key partitioning:\n  file "
                + before.name
                + " key "
                + hex(before.key)
                + "\n  file "
                + after.name
                + " key "
                + hex(after.key));
      }
    }
    return new Answer(answers, errors, sum.toString(16), records);
  }

  private static String hex(byte[] key) {
    StringJoiner text = new StringJoiner(" ");
    for (byte b : key) {
      text.add(String.format("%02x", b));
    }
    return text.toString();
  }
}
