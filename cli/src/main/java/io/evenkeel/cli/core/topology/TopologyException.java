package io.evenkeel.cli.core.topology;

/** A description of a topology that cannot be read; the message is one line and says where. */
public final class TopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates it. */
  public TopologyException(String message) {
    super(message);
  }

  /** Creates it for one line, counted from 1. */
  static TopologyException atLine(int line, String message) {
    return new TopologyException("line " + line + ": " + message);
  }
}
