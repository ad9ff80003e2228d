package io.evenkeel.terasort.core.locality;

import java.util.Arrays;

/**
 * How many of the hosts a split names have a replica themselves, for each task of a job; what
 * follows them in the list are siblings.
 *
 * <p>A job's history keeps the list of names only. So the counts travel in the job's configuration:
 * runs of {@code COUNTxTASKS} in the order of the tasks, such as {@code 3x400,2x1,3x17}; a single
 * number stands for all tasks. Stateless.
 */
public final class ReplicaCounts {
  /** Longer texts are not worth their place in every task's configuration. */
  static final int MAX_LENGTH = 16 * 1024;

  private ReplicaCounts() {}

  /**
   * The text for these counts.
   *
   * @return empty when there is no task, or when it would become too long
   */
  public static String format(int[] counts) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    while (from < counts.length) {
      int to = from + 1;
      while (to < counts.length && counts[to] == counts[from]) {
        to++;
      }
      if (from == 0 && to == counts.length) {
        return String.valueOf(counts[0]);
      }
      text.append(from == 0 ? "" : ",").append(counts[from]).append('x').append(to - from);
      from = to;
    }
    return text.length() > MAX_LENGTH ? "" : text.toString();
  }

  /**
   * Reads such a text for a number of tasks.
   *
   * @return null when it is no such text or is for another number of tasks
   */
  public static int[] parse(String text, int tasks) {
    if (text == null || !text.matches("\\d{1,9}|\\d{1,9}x\\d{1,9}(,\\d{1,9}x\\d{1,9})*")) {
      return null;
    }
    int[] counts = new int[tasks];
    if (text.indexOf('x') < 0) {
      Arrays.fill(counts, Integer.parseInt(text));
      return counts;
    }
    int at = 0;
    for (String run : text.split(",")) {
      int x = run.indexOf('x');
      int length = Integer.parseInt(run.substring(x + 1));
      if (length > tasks - at) {
        return null;
      }
      Arrays.fill(counts, at, at + length, Integer.parseInt(run.substring(0, x)));
      at += length;
    }
    return at == tasks ? counts : null;
  }
}
