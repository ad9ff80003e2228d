package io.evenkeel.placement.core;

/**
 * The shape for striped (erasure coded) blocks: every unit where the block has the fewest, first by
 * host and then by rack. So no host gets more than its fair share, ceil(units / hosts), and racks
 * stay as even as hosts allow. A host with a unit in maintenance comes after the others with as
 * many. A host gets a second unit once as many hosts are in use as the request says: the storage
 * policy's fallback comes first, if it has one. The first unit goes to the writer, as in stock.
 */
final class SpreadPlan implements Plan {
  @Override
  public boolean next(Session session) {
    Demand demand = session.demand;
    int units = demand.chosenCount() + session.missing();
    for (int onHost = 1; onHost <= units && (onHost == 1 || mayShare(session)); onHost++) {
      demand.hostLimit = onHost;
      demand.avoidSoftHosts = demand.anySoftHost();
      if (evenOverRacks(session, units)) {
        return true;
      }
      if (demand.avoidSoftHosts) {
        demand.avoidSoftHosts = false;
        if (evenOverRacks(session, units)) {
          session.placement.add(Relaxation.MAINTENANCE_HOST);
          return true;
        }
      }
    }
    return false;
  }

  /** Also where stale DataNodes are avoided: sharing comes before those, which may be dead. */
  private static boolean mayShare(Session session) {
    return session.demand.hostsInUse() >= session.request.sharedHostsAfter
        || session.placement.refusals(Refusal.NODE_STALE) > 0;
  }

  private static boolean evenOverRacks(Session session, int units) {
    Demand demand = session.demand;
    int fewest = Math.min(session.fewestInRack(), units - 1);
    for (int inRack = fewest + 1; inRack <= units; inRack++) {
      demand.rackLimit = inRack;
      if (one(session)) {
        return true;
      }
    }
    return false;
  }

  private static boolean one(Session session) {
    BlockRequest request = session.request;
    if (session.first() && request.writerNode >= 0 && session.chooseNode(request.writerNode)) {
      return true;
    }
    return session.choose(Scope.ANYWHERE);
  }
}
