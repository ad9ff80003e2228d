package io.evenkeel.cli.core.history;

import java.util.Objects;

/** One thing that cost locality, or that keeps it from being told. Immutable. */
public final class LocalityFinding {
  private final String kind;
  private final String message;

  LocalityFinding(String kind, String message) {
    this.kind = Objects.requireNonNull(kind);
    this.message = Objects.requireNonNull(message);
  }

  /** A word for programs, such as {@code rack-delay}. */
  public String kind() {
    return kind;
  }

  /** One line with what, how often, and which setting. */
  public String message() {
    return message;
  }

  @Override
  public String toString() {
    return kind + ": " + message;
  }
}
