package io.evenkeel.bench.gameday.schedule;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The schedules that {@code --replay} knows by name: what happens to clusters, and defects that are
 * known. Stateless. Apart from the launcher: they are resources beside this class.
 */
public final class NamedSchedules {
  /** All names. */
  public static final List<String> NAMES =
      List.of(
          "append-during-deletion",
          "decommission-of-a-tier",
          "deletion-during-lazy-save",
          "duplicate-creation",
          "full-tier",
          "hung-disk-under-log",
          "mover-metrics",
          "read-during-finalize",
          "requests-below-erasure-coding",
          "rolling-upgrade",
          "teragen-host-lost",
          "writer-of-removed-volume");

  private NamedSchedules() {}

  /**
   * The schedule of a name.
   *
   * @throws IllegalArgumentException when there is none, says which there are
   */
  public static Schedule get(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException("neither a file nor one of " + String.join(", ", NAMES));
    }
    try (InputStream in = NamedSchedules.class.getResourceAsStream(name + ".json")) {
      byte[] text = Objects.requireNonNull(in, name).readAllBytes();
      return Schedule.fromJson(new String(text, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
