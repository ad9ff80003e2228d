package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.Tuning;
import java.util.Locale;
import java.util.SplittableRandom;

/** The placement policies a simulation knows. */
public enum Policy {
  /** A model of BlockPlacementPolicyDefault on plain racks. */
  STOCK_DEFAULT,
  /** A model of BlockPlacementPolicyWithNodeGroup. */
  STOCK_NODEGROUP,
  /** The production engine of UniformBlockPlacementPolicy. */
  UNIFORM;

  /** Name as given and printed, for example {@code stock-default}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One without a past. */
  Placer on(Fleet fleet, SplittableRandom random) {
    return this == UNIFORM
        ? new UniformPlacer(fleet, Tuning.DEFAULT, random)
        : new StockPlacer(fleet, this == STOCK_NODEGROUP, random);
  }
}
