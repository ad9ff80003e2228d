package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.PlacementEngine;
import io.evenkeel.placement.core.PlacementRules;
import io.evenkeel.placement.core.TargetChecks;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.SplittableRandom;

/**
 * A writer on each DataNode writes block after block of three replicas with the production engine;
 * a block is in flight until its writer asks for the next one.
 */
final class WriteLoad implements TargetChecks {
  private static final int REPLICAS = 3;

  private final Fleet fleet;
  private final int[][] current;
  private final Outcome outcome;
  private final boolean randomOrder;
  private final SplittableRandom order;
  private PlacementEngine engine;
  private int turn;

  /**
   * Creates the load with an engine without a past.
   *
   * @param randomOrder whether blocks complete in random order, else in turn
   */
  WriteLoad(Fleet fleet, boolean randomOrder, long seed) {
    this.fleet = fleet;
    this.randomOrder = randomOrder;
    order = new SplittableRandom(~seed);
    current = new int[fleet.topology().nodes()][];
    outcome = new Outcome(fleet);
    restart(seed);
  }

  /** The engine forgets everything. */
  void restart(long seed) {
    engine = new PlacementEngine(fleet.topology(), fleet, new SplittableRandom(seed)::nextDouble);
    engine.refreshAll();
  }

  /** Writes that many blocks; the outcome is that of all so far. */
  Outcome write(int blocks) {
    for (int i = 0; i < blocks; i++) {
      int writer = next();
      if (current[writer] != null) {
        for (int node : current[writer]) {
          fleet.complete(node);
        }
        outcome.completed(current[writer]);
      }
      BlockRequest request = new BlockRequest(REPLICAS);
      request.rackLimit(PlacementRules.REPLICATED.rackLimit(REPLICAS, engine.racksServing()));
      request.writtenOn(fleet.topology(), writer);
      int[] nodes = engine.replicated(request, this).nodes();
      for (int node : nodes) {
        fleet.allocate(node);
      }
      current[writer] = nodes;
      outcome.allocated(nodes, REPLICAS);
    }
    return outcome;
  }

  private int next() {
    turn = turn + 1 < current.length ? turn + 1 : 0;
    int writer = randomOrder && current[turn] != null ? order.nextInt(current.length) : turn;
    return fleet.inService(writer) ? writer : next();
  }

  @Override
  public int wantedTypes() {
    return 1;
  }

  @Override
  public NotChosenReason take(int node, int type, boolean local) {
    return fleet.inService(node) ? null : NotChosenReason.NOT_IN_SERVICE;
  }
}
