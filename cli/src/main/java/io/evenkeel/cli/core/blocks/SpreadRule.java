package io.evenkeel.cli.core.blocks;

/**
 * The rule of {@link io.evenkeel.placement.core.Spread} by numbers alone, for blocks whose places
 * are not kept. Stateless.
 */
final class SpreadRule {
  private SpreadRule() {}

  /** Of how many replicas a block is, and on how many places. */
  static final class Placed {
    final int replicas;
    final int hosts;
    final int eligibleHosts;
    final int racks;
    final int eligibleRacks;

    /**
     * Creates it.
     *
     * @param replicas of the block, or units
     * @param hosts different hosts, then those of them that are eligible
     * @param racks different racks, then those of them that are eligible
     */
    Placed(int replicas, int[] hosts, int[] racks) {
      this.replicas = replicas;
      this.hosts = hosts[0];
      this.eligibleHosts = hosts[1];
      this.racks = racks[0];
      this.eligibleRacks = racks[1];
    }
  }

  /**
   * Copies a block needs until it keeps the rules: one for every host or rack that is missing,
   * without those it needs anyway because replicas are missing.
   *
   * @param wanted replicas or units of the block, then hosts and racks they should be on
   * @param hosts eligible hosts of the cluster
   * @param racks eligible racks of the cluster
   */
  static int copies(Placed placed, int[] wanted, int hosts, int racks) {
    int missingHosts = Math.min(wanted[1] - placed.hosts, hosts - placed.eligibleHosts);
    int missingRacks = Math.min(wanted[2] - placed.racks, racks - placed.eligibleRacks);
    int anyway = Math.max(0, wanted[0] - placed.replicas);
    return placed.replicas == 0 ? 0 : Math.max(0, Math.max(missingHosts, missingRacks) - anyway);
  }
}
