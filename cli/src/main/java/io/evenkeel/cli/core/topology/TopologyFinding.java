package io.evenkeel.cli.core.topology;

import java.util.Locale;
import java.util.Objects;

/** Something about a topology an operator should know. Immutable. */
public final class TopologyFinding {
  /** How bad it is; ordered. */
  public enum Severity {
    /** Good to know. */
    INFO,
    /** Blocks are safe, but something is not as good as it could be or will need care. */
    WARNING,
    /** The rules of placement cannot be kept, or protect nothing. */
    ERROR;

    /** Name as printed. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What kind of thing; the names in lower case with hyphens are API. */
  public enum Kind {
    /** A policy that does not keep replicas apart by host. */
    POLICY,
    /** DataNodes in the default rack or node group. */
    UNMAPPED,
    /** One host in two places. */
    SPLIT_HOST,
    /** One name of a node group in several racks. */
    REPEATED_GROUP,
    /** Locations of different depth. */
    MIXED_DEPTH,
    /** All hosts in one rack. */
    ONE_RACK,
    /** Racks of unequal weight. */
    UNEQUAL_RACKS,
    /** Hosts of unequal weight. */
    UNEQUAL_HOSTS,
    /** A host with more than half of its rack's weight. */
    HEAVY_HOST,
    /** Fewer hosts than replicas. */
    FEW_HOSTS,
    /** As many hosts as replicas. */
    NO_SPARE_HOST,
    /** An erasure coding schema that the failure of one host would break. */
    EC_HOST_LOSS,
    /** DataNodes that are leaving, left or in maintenance. */
    OUT_OF_SERVICE;

    /** Name as printed, for example {@code split-host}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final Severity severity;
  private final String message;

  /** Creates it with one line that says what and where. */
  public TopologyFinding(Kind kind, Severity severity, String message) {
    this.kind = Objects.requireNonNull(kind);
    this.severity = Objects.requireNonNull(severity);
    this.message = Objects.requireNonNull(message);
  }

  /** What kind of thing. */
  public Kind kind() {
    return kind;
  }

  /** How bad it is. */
  public Severity severity() {
    return severity;
  }

  /** One line with what and where. */
  public String message() {
    return message;
  }

  @Override
  public String toString() {
    return severity.label() + " " + kind.label() + ": " + message;
  }
}
