package io.evenkeel.mover.mixed;

import java.util.Locale;

/** What is special about the cluster of a mixed load. */
enum Kind {
  PLAIN,
  /**
   * The root is erasure coded, as are the files of one region; the other ones are replicated. XOR
   * with one parity block needs as many DataNodes as three replicas.
   */
  ERASURE_CODED_ROOT,
  /** DataNodes that leave also do so for maintenance, in which they may be stopped. */
  MAINTENANCE,
  /** All SSD volumes become full and empty again. */
  FULL_TIER;

  /** That of {@code -Devenkeel.mover.mixed.kind}, like {@code full-tier}. */
  static Kind ofThisRun() {
    String name = System.getProperty("evenkeel.mover.mixed.kind", "plain");
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
