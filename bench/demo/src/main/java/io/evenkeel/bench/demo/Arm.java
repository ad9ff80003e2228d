package io.evenkeel.bench.demo;

import java.util.Locale;
import java.util.Map;

/**
 * One side of a comparison.
 *
 * @param name short, as the report shows it
 * @param evenkeel whether a module of Evenkeel is in it
 * @param keys Hadoop keys that this side sets and others do not
 */
record Arm(String name, boolean evenkeel, Map<String, String> keys) {
  static Arm stock(String name, Map<String, String> keys) {
    return new Arm(name, false, keys);
  }

  static Arm evenkeel(String name, Map<String, String> keys) {
    return new Arm(name, true, keys);
  }

  /** Its name as that of a directory. */
  String directory() {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
