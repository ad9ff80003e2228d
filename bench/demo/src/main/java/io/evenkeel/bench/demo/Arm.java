package io.evenkeel.bench.demo;

import java.util.Locale;

/** What is compared: Hadoop as it is, and with Evenkeel's modules. */
enum Arm {
  STOCK,
  EVENKEEL;

  /** As in the report. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
