package io.evenkeel.mover.core.plan;

import java.util.List;

/** The cluster's placement policy, asked whether a replica may change its DataNode. */
public interface MovableRule {
  /**
   * Whether moving one replica keeps the placement as good as it is; {@code BlockPlacementPolicy
   * .isMovable} answers it.
   *
   * @param replicas UUIDs of the DataNodes that hold replicas now, {@code source} among them
   */
  boolean isMovable(boolean striped, List<String> replicas, String source, String target);
}
