package io.evenkeel.mover.follow;

import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Carries out move requests for the daemon and the command; {@link io.evenkeel.mover.FileMover} is
 * one. Thread-safe.
 */
@FunctionalInterface
public interface MoveService extends AutoCloseable {
  /** Starts the work; the future ends with its report, or fails when nothing could be told. */
  CompletableFuture<MoveReport> move(MoveRequest request);

  /** Why nothing may be moved now, one line; null when it may. May ask the NameNode. */
  default String refusal() {
    return null;
  }

  /** Whether what it works on only waits, as for a DataNode that hangs, so that it can do more. */
  default boolean isStarved() {
    return false;
  }

  /** Ends all requests as cancelled. */
  @Override
  default void close() {}
}
