package io.evenkeel.placement.core;

/**
 * State of the search for one block's DataNodes; the {@link Plan} says where each is looked for.
 * Confined to one placement.
 */
final class ReplicaSearch {
  final BlockRequest request;
  final ClusterView view;
  final Constraints constraints;
  final Placement placement = new Placement();
  private final PlacementEngine engine;
  private final LoadTable loads;
  private final NodeState state;
  private final TargetChecks checks;

  ReplicaSearch(
      BlockRequest request, PlacementEngine engine, NodeState state, TargetChecks checks) {
    this.request = request;
    this.view = engine.view();
    this.engine = engine;
    this.loads = engine.loads();
    this.state = state;
    this.checks = checks;
    this.constraints = new Constraints(view, request.replicas + request.chosen.length);
    for (int node : request.excluded) {
      constraints.refuse(node);
    }
    for (int node : request.chosen) {
      chose(node);
    }
    for (int host : request.maintenanceHosts) {
      constraints.maintenanceHost(host);
    }
    constraints.rackLimit = request.rackLimit;
    constraints.everyone = request.everyone;
  }

  /** Replicas still to be found. */
  int missing() {
    return request.replicas - placement.size();
  }

  /** Whether none was chosen and there was none before. */
  boolean first() {
    return constraints.chosenCount() == 0;
  }

  /**
   * The fewest replicas of the block that a rack with a DataNode in service has. Only racks that
   * have one are looked at: where there are others the answer is 0.
   */
  int fewestInRack() {
    int fewest = Integer.MAX_VALUE;
    int seen = 0;
    for (int i = 0; i < constraints.chosenCount(); i++) {
      int rack = view.rackOf(constraints.chosen(i));
      if (loads.serves(rack) && constraints.firstInRack(i)) {
        fewest = Math.min(fewest, constraints.inRack(rack));
        seen++;
      }
    }
    return seen < loads.racksServing() ? 0 : fewest;
  }

  /** Says why nothing more was found, beyond the DataNodes that refused. */
  void explainShortage() {
    int wanted = checks.wantedTypes();
    boolean exists = wanted != 0 && loads.anyServes(wanted);
    placement.add(exists ? Refusal.NO_OTHER_HOST_OR_RACK : Refusal.NO_REQUIRED_STORAGE_TYPE);
  }

  /** Gives the replica to a DataNode of the scope: the least loaded one that takes it. */
  boolean choose(Scope scope) {
    boolean local = scope.kind == Scope.Kind.HOST && !request.hostByLoad;
    int wanted = checks.wantedTypes();
    while (wanted != 0) {
      int type = Integer.numberOfTrailingZeros(wanted);
      constraints.type = type;
      LoadTable ofType = engine.loads(type, state);
      NodeState stateOfType = engine.state(type, state);
      int node = ofType.take(scope, constraints, stateOfType);
      for (; node >= 0; node = ofType.take(scope, constraints, stateOfType)) {
        Refusal refusal = checks.take(node, type, local);
        if (refusal == null) {
          chosen(node);
          return true;
        }
        refused(node, refusal);
        ofType.refused(node, constraints);
      }
      wanted &= wanted - 1;
    }
    return false;
  }

  /** Gives the replica to one DataNode, if it takes it, whatever its load. */
  boolean chooseNode(int node) {
    if (!constraints.admits(node)) {
      return false;
    }
    Refusal refusal = Refusal.NOT_ENOUGH_STORAGE_SPACE;
    int left = checks.wantedTypes();
    for (; left != 0 && refusal == Refusal.NOT_ENOUGH_STORAGE_SPACE; left &= left - 1) {
      int type = Integer.numberOfTrailingZeros(left);
      refusal = checks.take(node, type, true);
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
    constraints.chose(node);
    for (int dependent : checks.dependents(node)) {
      constraints.refuse(dependent);
    }
  }

  private void chosen(int node) {
    chose(node);
    placement.add(node);
  }

  private void refused(int node, Refusal refusal) {
    constraints.refusedBy(node);
    placement.add(refusal);
  }
}
