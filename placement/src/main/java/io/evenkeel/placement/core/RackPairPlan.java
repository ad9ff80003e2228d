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
  public boolean next(Session session) {
    Demand demand = session.demand;
    demand.hostLimit = 1;
    demand.avoidSoftHosts = demand.anySoftHost();
    if (onOwnHost(session)) {
      return true;
    }
    if (demand.avoidSoftHosts) {
      demand.avoidSoftHosts = false;
      if (onOwnHost(session)) {
        if (demand.lastOnSoftHost()) {
          session.placement.add(Relaxation.MAINTENANCE_HOST);
        }
        return true;
      }
    }
    return demand.hostsInUse() >= session.request.sharedHostsAfter && onSharedHost(session);
  }

  private static boolean onOwnHost(Session session) {
    if (session.first()) {
      return firstReplica(session);
    }
    int onlyRack = session.demand.onlyRack();
    if (onlyRack >= 0) {
      return inAnotherRack(session, onlyRack);
    }
    int rack = session.demand.chosenCount() == 2 ? rackOfThird(session) : -1;
    if (rack >= 0 && session.choose(Scope.rack(rack))) {
      return true;
    }
    return relaxed(session, Scope.ANYWHERE, rack >= 0 ? Relaxation.SHAPE : null);
  }

  private static boolean firstReplica(Session session) {
    BlockRequest request = session.request;
    if (request.writer == BlockRequest.Writer.ON_NODE && session.chooseNode(request.writerNode)) {
      return true;
    }
    if (request.writerHost >= 0 && session.choose(Scope.host(request.writerHost))) {
      return true;
    }
    if (request.writerRack < 0) {
      return session.choose(Scope.ANYWHERE);
    }
    if (request.writer == BlockRequest.Writer.NEAR_RACK) {
      return session.choose(Scope.nearRack(request.writerRack));
    }
    boolean near = request.writer == BlockRequest.Writer.IN_RACK;
    return relaxed(session, Scope.rack(request.writerRack), near ? null : Relaxation.NOT_LOCAL)
        || relaxed(session, Scope.ANYWHERE, Relaxation.NOT_LOCAL);
  }

  private static boolean inAnotherRack(Session session, int onlyRack) {
    boolean pair = session.demand.chosenCount() == 1 && session.missing() > 1;
    if (session.choose(pair ? Scope.pairInOtherRacks(onlyRack) : Scope.otherRacks(onlyRack))) {
      return true;
    }
    Demand demand = session.demand;
    if (demand.avoidSoftHosts) {
      return false; // two racks come before hosts in maintenance
    }
    demand.avoidSoftHosts = demand.anySoftHost();
    boolean found = relaxed(session, Scope.rack(onlyRack), Relaxation.ONE_RACK);
    demand.avoidSoftHosts = false;
    return found || relaxed(session, Scope.rack(onlyRack), Relaxation.ONE_RACK);
  }

  /** The rack the third replica belongs to: of the second, or of the source of a copy. */
  private static int rackOfThird(Session session) {
    BlockRequest request = session.request;
    int second = session.view.rackOf(session.demand.chosen(1));
    boolean copy = !request.newBlock && request.writerRack >= 0;
    return copy && session.demand.inRack(request.writerRack) > 0 ? request.writerRack : second;
  }

  private static boolean onSharedHost(Session session) {
    int most = session.demand.chosenCount() + 1;
    for (int limit = 2; limit <= most; limit++) {
      session.demand.hostLimit = limit;
      if (onOwnHost(session)) {
        session.placement.add(Relaxation.SHARED_HOST);
        return true;
      }
    }
    return false;
  }

  private static boolean relaxed(Session session, Scope scope, Relaxation relaxation) {
    boolean found = session.choose(scope);
    if (found && relaxation != null) {
      session.placement.add(relaxation);
    }
    return found;
  }
}
