package io.evenkeel.terasort.core.dataset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Puts the files of a data set into the order in which their keys must rise, and says which are
 * missing or there twice. Stateless.
 *
 * <p>Stock compares names as bytes, so {@code part-r-100000} comes before {@code part-r-99999} and
 * a good data set of more than 100,000 partitions is called bad.
 */
public final class PartitionOrder {
  /** How the partitions of a data set follow one another. */
  public enum Rule {
    /**
     * By number where every name is MapReduce's, else as {@link #STOCK}; {@code part-m-} comes
     * before {@code part-r-} by either rule.
     */
    NUMBER,
    /** By the bytes of the name, as stock's TeraValidate compares them. */
    STOCK
  }

  /** The name MapReduce gives an output file: {@code part-r-00012} is partition 12. */
  private static final Pattern PART = Pattern.compile("(part-(?:[mr]-)?)([0-9]{1,18})");

  private PartitionOrder() {}

  /** The files in order; those of one name by their directory. */
  public static List<InputFile> sort(List<InputFile> files, Rule rule) {
    List<InputFile> sorted = new ArrayList<>(files);
    Comparator<InputFile> byName = PartitionOrder::compareAsStock;
    if (rule == Rule.NUMBER && numbered(files)) {
      byName =
          Comparator.comparing(PartitionOrder::prefix)
              .thenComparingLong(PartitionOrder::number)
              .thenComparing(byName);
    }
    sorted.sort(byName.thenComparing(InputFile::path));
    return sorted;
  }

  /** The number in a name that is MapReduce's. */
  private static long number(InputFile file) {
    return Long.parseLong(PART.matcher(file.name()).replaceFirst("$2"));
  }

  /** What stands before the number in a name that is MapReduce's. */
  private static String prefix(InputFile file) {
    return PART.matcher(file.name()).replaceFirst("$1");
  }

  /** Stock's keys are the name and a colon, so a longer name may come first. */
  private static int compareAsStock(InputFile a, InputFile b) {
    byte[] left = (a.name() + ":").getBytes(StandardCharsets.UTF_8);
    byte[] right = (b.name() + ":").getBytes(StandardCharsets.UTF_8);
    int common = Math.min(left.length, right.length);
    for (int i = 0; i < common; i++) {
      int difference = (left[i] & 0xff) - (right[i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return left.length - right.length;
  }

  private static boolean numbered(List<InputFile> files) {
    return files.stream().allMatch(file -> PART.matcher(file.name()).matches());
  }

  /**
   * Partitions whose number is missing, and names or numbers that are there twice.
   *
   * @param sorted the files in order
   * @param fromZero whether whole directories were asked for, so that the first one is number 0
   */
  public static List<Violation> gaps(List<InputFile> sorted, boolean fromZero) {
    List<Violation> found = new ArrayList<>();
    boolean numbered = numbered(sorted);
    Map<String, InputFile> seen = new HashMap<>();
    for (InputFile file : sorted) {
      String identity = numbered ? "" + number(file) : file.name();
      InputFile first = seen.putIfAbsent(identity, file);
      if (first != null) {
        found.add(Violation.duplicate(first, file));
      }
    }
    if (numbered && !sorted.isEmpty()) {
      found.addAll(missing(sorted, fromZero));
    }
    return found;
  }

  private static List<Violation> missing(List<InputFile> files, boolean fromZero) {
    List<Violation> found = new ArrayList<>();
    long[] numbers = files.stream().mapToLong(PartitionOrder::number).sorted().toArray();
    long expected = fromZero ? 0 : numbers[0];
    for (long number : numbers) {
      if (number > expected) {
        found.add(Violation.missing(expected, number - 1));
      }
      expected = number + 1;
    }
    return found;
  }
}
