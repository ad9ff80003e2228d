package io.evenkeel.cli.volumes.core;

import java.util.Locale;
import java.util.Objects;

/** Something an operator should look at. Immutable. */
public final class VolumesFinding {
  /** What kind of thing; the names in lower case with hyphens are API. Worst first. */
  public enum Kind {
    /** The free space of a volume cannot be read. */
    FAILING,
    /** A device completes nothing. */
    HUNG,
    /** A volume is set aside for its latency, or on probation. */
    EJECTED,
    /** The plugin lets the stock policy decide. */
    FALLBACK,
    /** Some DataNodes have the policy and others have not. */
    PARTIAL,
    /** A daemon did not answer, or a DataNode is dead for the NameNode. */
    INCOMPLETE;

    /** Name as printed, for example {@code hung}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final String message;

  /** Creates it with one line that says what and where. */
  public VolumesFinding(Kind kind, String message) {
    this.kind = Objects.requireNonNull(kind);
    this.message = Objects.requireNonNull(message);
  }

  /** What kind of thing. */
  public Kind kind() {
    return kind;
  }

  /** One line with what and where. */
  public String message() {
    return message;
  }
}
