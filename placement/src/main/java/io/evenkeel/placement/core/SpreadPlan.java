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
  public boolean next(ReplicaSearch search) {
    Constraints constraints = search.constraints;
    int units = constraints.chosenCount() + search.missing();
    for (int onHost = 1; onHost <= units && (onHost == 1 || mayShare(search)); onHost++) {
      constraints.hostLimit = onHost;
      constraints.avoidMaintenanceHosts = constraints.anyMaintenanceHost();
      if (evenOverRacks(search, units)) {
        return true;
      }
      if (constraints.avoidMaintenanceHosts) {
        constraints.avoidMaintenanceHosts = false;
        if (evenOverRacks(search, units)) {
          search.placement.add(Relaxation.MAINTENANCE_HOST);
          return true;
        }
      }
    }
    return false;
  }

  /** Also where stale DataNodes are avoided: sharing comes before those, which may be dead. */
  private static boolean mayShare(ReplicaSearch search) {
    return search.constraints.hostsInUse() >= search.request.sharedHostsAfter
        || search.placement.refusals(Refusal.NODE_STALE) > 0;
  }

  private static boolean evenOverRacks(ReplicaSearch search, int units) {
    Constraints constraints = search.constraints;
    int fewest = Math.min(search.fewestInRack(), units - 1);
    for (int inRack = fewest + 1; inRack <= units; inRack++) {
      constraints.rackLimit = inRack;
      if (one(search)) {
        return true;
      }
    }
    return false;
  }

  private static boolean one(ReplicaSearch search) {
    BlockRequest request = search.request;
    if (search.first() && request.writerNode >= 0 && search.chooseNode(request.writerNode)) {
      return true;
    }
    return search.choose(Scope.ANYWHERE);
  }
}
