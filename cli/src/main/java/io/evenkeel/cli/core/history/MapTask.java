package io.evenkeel.cli.core.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One map task: the hosts its split names and the attempt that succeeded. Immutable. */
public final class MapTask {
  private final String id;
  private final int number;
  private final List<String> locations;
  private final Attempt successful;

  MapTask(String id, int number, List<String> locations, Attempt successful) {
    this.id = id;
    this.number = number;
    this.locations = Collections.unmodifiableList(new ArrayList<>(locations));
    this.successful = successful;
  }

  /** Identifier, as {@code task_1700000000000_0001_m_000000}. */
  public String id() {
    return id;
  }

  /** Its number, counted from 0 in the order of the splits as submitted. */
  public int number() {
    return number;
  }

  /** The hosts its split names. */
  public List<String> locations() {
    return locations;
  }

  /** The attempt that succeeded; null when none did as far as is told. */
  public Attempt successful() {
    return successful;
  }
}
