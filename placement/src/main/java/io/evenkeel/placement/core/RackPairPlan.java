package io.evenkeel.placement.core;

/**
 * The shape of stock HDFS for replicated blocks: the first replica with the writer, the second in
 * another rack, the third in the rack of the second, the others anywhere.
 *
 * <p>Distinct hosts, two racks and the limit per rack are rules; the shape is a wish and gives way
 * first. In which order a replica is looked for:
 *
 * <ol>
 *   <li>at its place in the shape;
 *   <li>where it keeps the rules, anywhere;
 *   <li>beside a replica that is in maintenance;
 *   <li>in one rack with all others, if no other rack is eligible;
 *   <li>beside a replica on the same host, once as many hosts are in use as the request says.
 * </ol>
 */
final class RackPairPlan implements Plan {
  @Override
  public boolean next(ReplicaSearch search) {
    Constraints constraints = search.constraints;
    constraints.hostLimit = 1;
    constraints.avoidMaintenanceHosts = constraints.anyMaintenanceHost();
    if (onOwnHost(search)) {
      return true;
    }
    if (constraints.avoidMaintenanceHosts) {
      constraints.avoidMaintenanceHosts = false;
      if (onOwnHost(search)) {
        if (constraints.lastOnMaintenanceHost()) {
          search.placement.add(Relaxation.MAINTENANCE_HOST);
        }
        return true;
      }
    }
    return constraints.hostsInUse() >= search.request.sharedHostsAfter && onSharedHost(search);
  }

  private static boolean onOwnHost(ReplicaSearch search) {
    if (search.first()) {
      return firstReplica(search);
    }
    int onlyRack = search.constraints.onlyRack();
    if (onlyRack >= 0) {
      return inAnotherRack(search, onlyRack);
    }
    int rack = search.constraints.chosenCount() == 2 ? rackOfThird(search) : -1;
    if (rack >= 0 && search.choose(Scope.rack(rack))) {
      return true;
    }
    return relaxed(search, Scope.ANYWHERE, rack >= 0 ? Relaxation.SHAPE : null);
  }

  private static boolean firstReplica(ReplicaSearch search) {
    BlockRequest request = search.request;
    if (request.writer == BlockRequest.Writer.ON_NODE && search.chooseNode(request.writerNode)) {
      return true;
    }
    if (request.writerHost >= 0 && search.choose(Scope.host(request.writerHost))) {
      return true;
    }
    if (request.writerRack < 0) {
      return search.choose(Scope.ANYWHERE);
    }
    if (request.writer == BlockRequest.Writer.NEAR_RACK) {
      return search.choose(Scope.nearRack(request.writerRack));
    }
    boolean near = request.writer == BlockRequest.Writer.IN_RACK;
    return relaxed(search, Scope.rack(request.writerRack), near ? null : Relaxation.NOT_LOCAL)
        || relaxed(search, Scope.ANYWHERE, Relaxation.NOT_LOCAL);
  }

  private static boolean inAnotherRack(ReplicaSearch search, int onlyRack) {
    boolean pair = search.constraints.chosenCount() == 1 && search.missing() > 1;
    if (search.choose(pair ? Scope.pairInOtherRacks(onlyRack) : Scope.otherRacks(onlyRack))) {
      return true;
    }
    Constraints constraints = search.constraints;
    if (constraints.avoidMaintenanceHosts) {
      return false; // two racks come before hosts in maintenance
    }
    constraints.avoidMaintenanceHosts = constraints.anyMaintenanceHost();
    boolean found = relaxed(search, Scope.rack(onlyRack), Relaxation.ONE_RACK);
    constraints.avoidMaintenanceHosts = false;
    return found || relaxed(search, Scope.rack(onlyRack), Relaxation.ONE_RACK);
  }

  /** The rack the third replica belongs to: of the second, or of the source of a copy. */
  private static int rackOfThird(ReplicaSearch search) {
    BlockRequest request = search.request;
    int second = search.view.rackOf(search.constraints.chosen(1));
    boolean copy = !request.newBlock && request.writerRack >= 0;
    return copy && search.constraints.inRack(request.writerRack) > 0 ? request.writerRack : second;
  }

  private static boolean onSharedHost(ReplicaSearch search) {
    int most = search.constraints.chosenCount() + 1;
    for (int limit = 2; limit <= most; limit++) {
      search.constraints.hostLimit = limit;
      if (onOwnHost(search)) {
        search.placement.add(Relaxation.SHARED_HOST);
        return true;
      }
    }
    return false;
  }

  private static boolean relaxed(ReplicaSearch search, Scope scope, Relaxation relaxation) {
    boolean found = search.choose(scope);
    if (found && relaxation != null) {
      search.placement.add(relaxation);
    }
    return found;
  }
}
