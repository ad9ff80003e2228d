package io.evenkeel.common.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the known word nearest to a mistyped one, for error messages. Stateless. */
public final class Nearest {
  private Nearest() {}

  /**
   * The member of {@code known} with the smallest edit distance to {@code word}.
   *
   * @throws IllegalArgumentException when {@code known} is empty
   */
  public static String of(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      int d = distance(word, candidate);
      if (d < bestDistance) {
        best = candidate;
        bestDistance = d;
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("nothing to choose from");
    }
    return best;
  }

  /**
   * The same where the word is likely to be that member mistyped: at most a third of its letters
   * differ.
   */
  public static Optional<String> mistyped(String word, Collection<String> known) {
    return known.isEmpty()
        ? Optional.empty()
        : Optional.of(of(word, known)).filter(near -> 3 * distance(word, near) <= near.length());
  }

  /** Levenshtein distance (insertions, deletions, substitutions). */
  static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
