package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.BlockPlanner;
import java.io.IOException;
import java.util.Random;
import java.util.function.Function;

/**
 * The planner all requests share, with a view of the cluster that is not older than some seconds.
 * Thread-safe.
 */
final class Planning {
  private static final long FRESH_MILLIS = 10_000;

  private final Namespace namespace;
  private final Clock clock;
  private BlockPlanner planner;
  private long takenAt;

  Planning(Namespace namespace, Clock clock) {
    this.namespace = namespace;
    this.clock = clock;
  }

  /** Uses the planner, alone. */
  synchronized <T> T with(Function<BlockPlanner, T> use) throws IOException {
    if (planner == null || clock.millis() - takenAt > FRESH_MILLIS) {
      planner = new BlockPlanner(namespace.cluster(), namespace.movableRule(), new Random());
      takenAt = clock.millis();
    }
    return use.apply(planner);
  }
}
