package io.evenkeel.placement.core;

/** One placement under way: looks for replicas one by one, for the {@link Plan} to decide where. */
final class Session {
  final BlockRequest request;
  final ClusterView view;
  final Demand demand;
  final Placement placement = new Placement();
  private final PlacementEngine engine;
  private final LoadTable loads;
  private final NodeState state;
  private final Targets targets;

  Session(BlockRequest request, PlacementEngine engine, NodeState state, Targets targets) {
    this.request = request;
    this.view = engine.view();
    this.engine = engine;
    this.loads = engine.loads();
    this.state = state;
    this.targets = targets;
    this.demand = new Demand(view, request.replicas + request.chosen.length);
    for (int node : request.excluded) {
      demand.refuse(node);
    }
    for (int node : request.chosen) {
      chose(node);
    }
    for (int host : request.softHosts) {
      demand.softHost(host);
    }
    demand.rackLimit = request.rackLimit;
    demand.everyone = request.everyone;
  }

  /** Replicas still to be found. */
  int missing() {
    return request.replicas - placement.size();
  }

  /** Whether none was chosen and there was none before. */
  boolean first() {
    return demand.chosenCount() == 0;
  }

  /**
   * The fewest replicas of the block that a rack with a DataNode in service has. Only racks that
   * have one are looked at: where there are others the answer is 0.
   */
  int fewestInRack() {
    int fewest = Integer.MAX_VALUE;
    int seen = 0;
    for (int i = 0; i < demand.chosenCount(); i++) {
      int rack = view.rackOf(demand.chosen(i));
      if (loads.serves(rack) && demand.firstInRack(i)) {
        fewest = Math.min(fewest, demand.inRack(rack));
        seen++;
      }
    }
    return seen < loads.racksServing() ? 0 : fewest;
  }

  /** Says why nothing more was found, beyond the DataNodes that refused. */
  void explainShortage() {
    int wanted = targets.wantedTypes();
    boolean exists = wanted != 0 && loads.anyServes(wanted);
    placement.add(exists ? Refusal.NO_OTHER_HOST_OR_RACK : Refusal.NO_REQUIRED_STORAGE_TYPE);
  }

  /** Gives the replica to a DataNode of the scope: the least loaded one that takes it. */
  boolean choose(Scope scope) {
    boolean local = scope.kind == Scope.Kind.HOST && !request.hostByLoad;
    int wanted = targets.wantedTypes();
    while (wanted != 0) {
      int type = Integer.numberOfTrailingZeros(wanted);
      demand.type = type;
      LoadTable ofType = engine.loads(type, state);
      NodeState stateOfType = engine.state(type, state);
      int node = ofType.take(scope, demand, stateOfType);
      for (; node >= 0; node = ofType.take(scope, demand, stateOfType)) {
        Refusal refusal = targets.take(node, type, local);
        if (refusal == null) {
          chosen(node);
          return true;
        }
        refused(node, refusal);
        ofType.refused(node, demand);
      }
      wanted &= wanted - 1;
    }
    return false;
  }

  /** Gives the replica to one DataNode, if it takes it, whatever its load. */
  boolean chooseNode(int node) {
    if (!demand.admits(node)) {
      return false;
    }
    Refusal refusal = Refusal.NOT_ENOUGH_STORAGE_SPACE;
    int left = targets.wantedTypes();
    for (; left != 0 && refusal == Refusal.NOT_ENOUGH_STORAGE_SPACE; left &= left - 1) {
      int type = Integer.numberOfTrailingZeros(left);
      refusal = targets.take(node, type, true);
      if (refusal == null) {
        chosen(node);
        engine.loads(type, state).give(node);
        return true;
      }
    }
    refused(node, refusal);
    return false;
  }

  private void chose(int node) {
    demand.chose(node);
    for (int dependent : targets.dependents(node)) {
      demand.refuse(dependent);
    }
  }

  private void chosen(int node) {
    chose(node);
    placement.add(node);
  }

  private void refused(int node, Refusal refusal) {
    demand.refusedBy(node);
    placement.add(refusal);
  }
}
