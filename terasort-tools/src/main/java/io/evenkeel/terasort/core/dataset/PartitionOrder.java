package io.evenkeel.terasort.core.dataset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
    return Long.parseLong(file.name().substring(file.name().lastIndexOf('-') + 1));
  }

  /** What stands before the number in a name that is MapReduce's. */
  private static String prefix(InputFile file) {
    return file.name().substring(0, file.name().lastIndexOf('-') + 1);
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
   * Finds partitions whose number is missing, and names or numbers that are there twice. Besides
   * the files it keeps two numbers for each, and an entry for each number that is there twice.
   *
   * @param sorted the files in order
   * @param fromZero whether whole directories were asked for, so that the first one is number 0
   * @param found takes what is wrong: there may be as much of it as there are files
   */
  public static void gaps(List<InputFile> sorted, boolean fromZero, Consumer<Violation> found) {
    if (numbered(sorted)) {
      long[] numbers = sorted.stream().mapToLong(PartitionOrder::number).toArray();
      long[] rising = numbers.clone();
      Arrays.sort(rising);
      repeated(sorted, numbers, rising, found);
      missing(rising, fromZero, found);
      return;
    }
    InputFile first = null; // of those of one name, which follow one another
    for (InputFile file : sorted) {
      if (first != null && first.name().equals(file.name())) {
        found.accept(Violation.duplicate(first, file));
      } else {
        first = file;
      }
    }
  }

  private static void repeated(
      List<InputFile> files, long[] numbers, long[] rising, Consumer<Violation> found) {
    Map<Long, InputFile> first = new HashMap<>();
    for (int i = 1; i < rising.length; i++) {
      if (rising[i] == rising[i - 1]) {
        first.put(rising[i], null);
      }
    }
    for (int i = 0; i < numbers.length && !first.isEmpty(); i++) {
      if (first.containsKey(numbers[i])) {
        InputFile before = first.putIfAbsent(numbers[i], files.get(i));
        if (before != null) {
          found.accept(Violation.duplicate(before, files.get(i)));
        }
      }
    }
  }

  private static void missing(long[] rising, boolean fromZero, Consumer<Violation> found) {
    long expected = fromZero || rising.length == 0 ? 0 : rising[0];
    for (long number : rising) {
      if (number > expected) {
        found.accept(Violation.missing(expected, number - 1));
      }
      expected = number + 1;
    }
  }
}
