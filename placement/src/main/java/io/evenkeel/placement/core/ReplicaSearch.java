package io.evenkeel.placement.core;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.LoadTree.Scope;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;

/**
 * The search for one block's DataNodes: where the next replica is looked for, and in which order
 * rules give way. Distinct hosts, two racks and the limit per rack are rules; the shape of stock
 * HDFS is a wish and gives way first. Confined to the thread that places the block.
 *
 * <p>A <b>replicated</b> block has the first replica with the writer, the second in another rack,
 * the third in the rack of the second, the others anywhere. A replica is looked for
 *
 * <ol>
 *   <li>at its place in the shape;
 *   <li>where it keeps the rules, anywhere;
 *   <li>beside a replica that is in maintenance;
 *   <li>in one rack with all others, if no other rack is eligible;
 *   <li>beside a replica on the same host, once as many hosts are in use as the request says.
 * </ol>
 *
 * <p>Of a <b>striped</b> block every internal block goes where the block has the fewest, first by
 * host and then by rack. So no host gets more than its fair share, ceil(internal blocks / hosts),
 * and racks stay as even as hosts allow. A host with an internal block in maintenance comes after
 * the others with as many. A host gets a second one once as many hosts are in use as the request
 * says: the storage policy's fallback comes first, if it has one. The first internal block goes to
 * the writer, as in stock.
 */
final class ReplicaSearch {
  private final BlockRequest request;
  private final HostTopology topology;
  private final BlockTargets targets;
  private final PlacementEngine engine;
  private final LoadTable loads;
  private final TargetChecks checks;

  ReplicaSearch(BlockRequest request, PlacementEngine engine, TargetChecks checks) {
    this.request = request;
    this.topology = engine.topology();
    this.engine = engine;
    this.loads = engine.loads();
    this.checks = checks;
    this.targets = new BlockTargets(topology, request.total());
    for (int node : request.excluded) {
      targets.refuse(node);
    }
    for (int node : request.chosen) {
      targets.had(node);
      refuseDependents(node);
    }
    for (int host : request.maintenanceHosts) {
      targets.maintenanceHost(host);
    }
    targets.rackLimit = request.rackLimit;
    targets.everyone = request.everyone;
  }

  /** Finds all replicas of a replicated block, or as many as there are. */
  BlockTargets replicated() {
    boolean found = true;
    while (found && missing() > 0) {
      found = replica();
    }
    return ended(found);
  }

  /** Finds all internal blocks of a striped block, or as many as there are. */
  BlockTargets striped() {
    boolean found = true;
    while (found && missing() > 0) {
      found = internalBlock();
    }
    return ended(found);
  }

  /** Says why nothing more was found, beyond the DataNodes that refused. */
  private BlockTargets ended(boolean found) {
    if (!found) {
      int wanted = checks.wantedTypes();
      boolean exists = wanted != 0 && loads.anyServes(wanted);
      targets.add(
          exists
              ? NotChosenReason.NO_OTHER_HOST_OR_RACK
              : NotChosenReason.NO_REQUIRED_STORAGE_TYPE);
    }
    return targets;
  }

  private int missing() {
    return request.replicas - targets.size();
  }

  private boolean replica() {
    targets.hostLimit = 1;
    targets.avoidMaintenanceHosts = targets.anyMaintenanceHost();
    if (onOwnHost()) {
      return true;
    }
    if (targets.avoidMaintenanceHosts) {
      targets.avoidMaintenanceHosts = false;
      if (onOwnHost()) {
        if (targets.lastOnMaintenanceHost()) {
          targets.add(Relaxation.MAINTENANCE_HOST);
        }
        return true;
      }
    }
    return targets.hostsInUse() >= request.sharedHostsAfter && onSharedHost();
  }

  private boolean onOwnHost() {
    if (targets.replicas() == 0) {
      return firstReplica();
    }
    int onlyRack = targets.onlyRack();
    if (onlyRack >= 0) {
      return inAnotherRack(onlyRack);
    }
    int rack = targets.replicas() == 2 ? rackOfThird() : -1;
    if (rack >= 0 && choose(Scope.rack(rack))) {
      return true;
    }
    return relaxed(Scope.ANYWHERE, rack >= 0 ? Relaxation.SHAPE : null);
  }

  private boolean firstReplica() {
    if (request.writer == BlockRequest.Writer.ON_NODE && chooseNode(request.writerNode)) {
      return true;
    }
    if (request.writerHost >= 0 && choose(Scope.host(request.writerHost))) {
      return true;
    }
    boolean pairFollows = missing() > 2 && targets.rackLimit > 1;
    if (request.writerRack < 0) {
      return choose(pairFollows ? Scope.BESIDE_PAIR : Scope.ANYWHERE);
    }
    if (request.writer == BlockRequest.Writer.NEAR_RACK) {
      return choose(Scope.nearRack(request.writerRack, pairFollows));
    }
    boolean near = request.writer == BlockRequest.Writer.IN_RACK;
    return relaxed(Scope.rack(request.writerRack), near ? null : Relaxation.NOT_LOCAL)
        || relaxed(Scope.ANYWHERE, Relaxation.NOT_LOCAL);
  }

  private boolean inAnotherRack(int onlyRack) {
    boolean pair = targets.replicas() == 1 && missing() > 1;
    if (choose(pair ? Scope.pairInOtherRacks(onlyRack) : Scope.otherRacks(onlyRack))) {
      return true;
    }
    if (targets.avoidMaintenanceHosts) {
      return false; // two racks come before hosts in maintenance
    }
    targets.avoidMaintenanceHosts = targets.anyMaintenanceHost();
    boolean found = relaxed(Scope.rack(onlyRack), Relaxation.ONE_RACK);
    targets.avoidMaintenanceHosts = false;
    return found || relaxed(Scope.rack(onlyRack), Relaxation.ONE_RACK);
  }

  /** The rack the third replica belongs to: of the second, or of the source of a copy. */
  private int rackOfThird() {
    int second = topology.rackOf(targets.chosen(1));
    boolean copy = !request.newBlock && request.writerRack >= 0;
    return copy && targets.inRack(request.writerRack) > 0 ? request.writerRack : second;
  }

  private boolean onSharedHost() {
    int most = targets.replicas() + 1;
    for (int limit = 2; limit <= most; limit++) {
      targets.hostLimit = limit;
      if (onOwnHost()) {
        targets.add(Relaxation.SHARED_HOST);
        return true;
      }
    }
    return false;
  }

  private boolean relaxed(Scope scope, Relaxation relaxation) {
    boolean found = choose(scope);
    if (found && relaxation != null) {
      targets.add(relaxation);
    }
    return found;
  }

  private boolean internalBlock() {
    int all = request.total();
    for (int onHost = 1; onHost <= all && (onHost == 1 || mayShareHost()); onHost++) {
      targets.hostLimit = onHost;
      targets.avoidMaintenanceHosts = targets.anyMaintenanceHost();
      if (evenOverRacks(all)) {
        return true;
      }
      if (targets.avoidMaintenanceHosts) {
        targets.avoidMaintenanceHosts = false;
        if (evenOverRacks(all)) {
          targets.add(Relaxation.MAINTENANCE_HOST);
          return true;
        }
      }
    }
    return false;
  }

  /** Also where stale DataNodes are avoided: sharing comes before those, which may be dead. */
  private boolean mayShareHost() {
    return targets.hostsInUse() >= request.sharedHostsAfter
        || targets.refusals(NotChosenReason.NODE_STALE) > 0;
  }

  private boolean evenOverRacks(int all) {
    int fewest = Math.min(fewestInRack(), all - 1);
    for (int inRack = fewest + 1; inRack <= all; inRack++) {
      targets.rackLimit = inRack;
      boolean atWriter = targets.replicas() == 0 && request.writerNode >= 0;
      if ((atWriter && chooseNode(request.writerNode)) || choose(Scope.ANYWHERE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The fewest internal blocks that a rack with a DataNode in service has. Only racks that have one
   * are looked at: where there are others the answer is 0.
   */
  private int fewestInRack() {
    int fewest = Integer.MAX_VALUE;
    int seen = 0;
    for (int i = 0; i < targets.replicas(); i++) {
      int rack = topology.rackOf(targets.chosen(i));
      if (loads.serves(rack) && targets.firstInRack(i)) {
        fewest = Math.min(fewest, targets.inRack(rack));
        seen++;
      }
    }
    return seen < loads.racksServing() ? 0 : fewest;
  }

  /** Gives the replica to a DataNode of the scope: the least loaded one that takes it. */
  private boolean choose(Scope scope) {
    boolean local = scope.kind == Scope.Kind.HOST && !request.hostByLoad;
    for (int left = checks.wantedTypes(); left != 0; left &= left - 1) {
      int type = Integer.numberOfTrailingZeros(left);
      targets.type = type;
      targets.pairType = pairType(type);
      LoadTable ofType = engine.loads(type);
      int node = ofType.take(scope, targets);
      for (; node >= 0; node = ofType.take(scope, targets)) {
        NotChosenReason reason = checks.take(node, type, local);
        if (reason == null) {
          chose(node);
          return true;
        }
        targets.refusedBy(node, reason);
        ofType.refused(node, targets);
      }
    }
    return false;
  }

  /** The storage type of the replicas that follow one of this type: types are used up in order. */
  private int pairType(int type) {
    int last = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(checks.wantedTypes());
    return Math.max(type, last);
  }

  /** Gives the replica to one DataNode, if it takes it, whatever its load. */
  private boolean chooseNode(int node) {
    if (!targets.admits(node)) {
      return false;
    }
    NotChosenReason reason = NotChosenReason.NOT_ENOUGH_STORAGE_SPACE;
    int left = checks.wantedTypes();
    for (; left != 0 && reason == NotChosenReason.NOT_ENOUGH_STORAGE_SPACE; left &= left - 1) {
      int type = Integer.numberOfTrailingZeros(left);
      reason = checks.take(node, type, true);
      if (reason == null) {
        chose(node);
        engine.loads(type).give(node);
        return true;
      }
    }
    targets.refusedBy(node, reason);
    return false;
  }

  private void chose(int node) {
    targets.chose(node);
    refuseDependents(node);
  }

  private void refuseDependents(int node) {
    for (int dependent : checks.dependents(node)) {
      targets.refuse(dependent);
    }
  }
}
