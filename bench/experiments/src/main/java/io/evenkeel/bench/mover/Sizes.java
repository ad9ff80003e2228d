package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.RunSettings;
import java.util.Arrays;

/**
 * How much an experiment moves, and how often daemons report. A system property replaces a number;
 * the JVM that runs the experiments reads {@code JDK_JAVA_OPTIONS}. Stateless.
 */
final class Sizes {
  /** Blocks of each file, of {@link MoverRig#BLOCK} bytes. */
  static final int BLOCKS = 10;

  private static final String PREFIX = "evenkeel.bench.mover.";

  /** Hadoop's default for heartbeats and for the NameNode's redundancy monitor. */
  private static final int INTERVAL_SECONDS = 3;

  private Sizes() {}

  /** One number. */
  static int of(RunSettings settings, String name, int full, int quick) {
    return Integer.getInteger(PREFIX + name, settings.quick() ? quick : full);
  }

  /** How often DataNodes report and the NameNode looks for work. */
  static int intervalSeconds() {
    return Integer.getInteger(PREFIX + "interval", INTERVAL_SECONDS);
  }

  /** Numbers separated by commas, in rising order. */
  static int[] list(RunSettings settings, String name, String full, String quick) {
    String text = System.getProperty(PREFIX + name, settings.quick() ? quick : full);
    return Arrays.stream(text.split(",")).map(String::trim).mapToInt(Integer::parseInt).toArray();
  }
}
