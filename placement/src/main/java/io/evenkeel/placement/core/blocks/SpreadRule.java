package io.evenkeel.placement.core.blocks;

/** How many copies a placed block needs until its replicas keep the rules. Stateless. */
final class SpreadRule {
  private SpreadRule() {}

  /**
   * Copies for a replicated block: one for every host or rack that is missing, without those it
   * needs anyway because replicas are missing.
   *
   * @param wanted replicas its file asks for
   * @param onHosts replicas on each host that has one
   * @param onRacks racks that have one
   * @param hosts in the cluster
   * @param racks in the cluster
   */
  static int replicated(int wanted, int[] onHosts, int onRacks, int hosts, int racks) {
    int placed = 0;
    for (int n : onHosts) {
      placed += n;
    }
    int missingHosts = Math.min(wanted, hosts) - onHosts.length;
    int missingRacks = Math.min(Math.min(2, wanted), racks) - onRacks;
    int anyway = Math.max(0, wanted - placed);
    return placed == 0 ? 0 : Math.max(0, Math.max(missingHosts, missingRacks) - anyway);
  }

  /** Units of a striped group that are on a host beyond its fair share, ceil(units / hosts). */
  static int striped(int units, int[] onHosts, int hosts) {
    int share = hosts == 0 ? units : (units + hosts - 1) / hosts;
    int moved = 0;
    for (int n : onHosts) {
      moved += Math.max(0, n - share);
    }
    return moved;
  }
}
