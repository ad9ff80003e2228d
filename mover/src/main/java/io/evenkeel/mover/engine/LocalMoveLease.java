package io.evenkeel.mover.engine;

import java.io.IOException;

/**
 * Which process may have moves inside DataNodes under way. A DataNode does not keep two moves of
 * one replica inside it apart, so only one process at a time asks for such moves. When it dies,
 * nobody gets the lease for a while, in which DataNodes end what they were asked for. Thread-safe.
 */
public interface LocalMoveLease {
  /** What became of a lease that was taken. */
  enum State {
    /** It is still held, and nobody else wants it. */
    HELD,
    /** Another process waits for it. */
    WANTED,
    /** It is still held, but nothing may be begun with it, since a mover of stock runs. */
    FORBIDDEN,
    /** Another process may have it. */
    LOST
  }

  /**
   * Takes it, or tells the process that holds it that somebody waits.
   *
   * @return null when it was taken, else in one line who or what is in the way
   * @throws IOException when it cannot be taken for a reason that may not pass by itself
   */
  String take() throws IOException;

  /**
   * Asks about a lease that was taken; to be called every few seconds.
   *
   * @throws IOException when nobody could be asked
   */
  State look() throws IOException;

  /** Gives it back, if it was taken. When that fails others get it after a while. */
  void release();

  /**
   * Ends its use; takes at most some seconds.
   *
   * @param goesOn whether DataNodes may be at work on moves: then others get it after a while only
   */
  void close(boolean goesOn);
}
