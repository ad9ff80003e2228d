package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.NameNodeChecks;
import io.evenkeel.placement.core.PlacementEngine;
import io.evenkeel.placement.core.RackLimit;
import io.evenkeel.placement.core.Refusal;
import io.evenkeel.placement.core.Tuning;
import java.util.SplittableRandom;

/** The production engine in a simulation. */
public final class UniformPlacer implements Placer, NameNodeChecks {
  private final Fleet fleet;
  private final PlacementEngine engine;

  /** Creates a policy without a past. */
  public UniformPlacer(Fleet fleet, Tuning tuning, SplittableRandom random) {
    this.fleet = fleet;
    this.engine = new PlacementEngine(fleet.view(), tuning, random::nextDouble);
    engine.refreshAll(fleet);
  }

  @Override
  public int[] place(int writer, int replicas) {
    BlockRequest request = new BlockRequest(replicas);
    request.rackLimit(RackLimit.of(replicas, engine.racksServing()));
    if (writer >= 0) {
      request.writtenOn(fleet.view(), writer);
    }
    return engine.replicated(request, fleet, this).nodes();
  }

  @Override
  public int wantedTypes() {
    return 1;
  }

  @Override
  public Refusal take(int node, int type, boolean local) {
    return fleet.inService(node) ? null : Refusal.NOT_IN_SERVICE;
  }
}
