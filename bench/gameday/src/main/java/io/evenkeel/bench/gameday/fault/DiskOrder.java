package io.evenkeel.bench.gameday.fault;

import java.util.List;
import java.util.Locale;

/**
 * What one volume, or several, of a DataNode shall do from now on. Immutable.
 *
 * @param volume last element of the volume's directory, its storage id or its storage type; a type
 *     means all volumes of it
 * @param effect what happens to file operations
 * @param millis delay of each, above 0 with {@link Effect#SLOW} and 0 otherwise
 */
public record DiskOrder(String volume, Effect effect, long millis) {

  /** What happens to the file operations of a volume. */
  public enum Effect {
    /** They do not return before the order ends. */
    HANG,
    /** Creations do not return before the order ends: they first ask whether the file exists. */
    HANG_CREATIONS,
    /** Each takes longer by the delay. */
    SLOW,
    /** Writes fail for lack of space, and the volume has none to offer. */
    FULL,
    /** All fail with an I/O error, and so does the DataNode's check of the volume. */
    FAIL,
    /** Nothing; but a reference is obtained and never given back, so that a leak can be found. */
    LEAK
  }

  /** Refuses a delay where there is none, none where there is one, and what a line cannot hold. */
  public DiskOrder {
    if (volume.isEmpty() || volume.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("an order for volume '" + volume + "'");
    }
    if (millis < 0 || effect == Effect.SLOW != millis > 0) {
      throw new IllegalArgumentException(effect + " with a delay of " + millis + " ms");
    }
  }

  /** An order without a delay. */
  public DiskOrder(String volume, Effect effect) {
    this(volume, effect, 0);
  }

  /** Whether it is for a volume with one of these names. */
  boolean isFor(List<String> names) {
    return names.contains(volume);
  }

  String toLine() {
    return volume
        + " "
        + effect.name().toLowerCase(Locale.ROOT)
        + (effect == Effect.SLOW ? " " + millis : "");
  }

  static DiskOrder fromWords(List<String> words) {
    if (words.size() < 2 || words.size() > 3) {
      throw new IllegalArgumentException("not an order: " + String.join(" ", words));
    }
    Effect effect = Effect.valueOf(words.get(1).toUpperCase(Locale.ROOT));
    return new DiskOrder(
        words.get(0), effect, words.size() == 3 ? Long.parseLong(words.get(2)) : 0);
  }
}
