package io.evenkeel.cli.core.blocks;

import io.evenkeel.placement.core.PlacementRules;
import java.util.Objects;
import java.util.Set;

/**
 * How a block stands and how it should, by numbers alone: blocks of one shape need the same copies,
 * by the rule of {@link io.evenkeel.placement.core.EligibleHosts}. Immutable.
 */
final class BlockShape {
  private final PlacementRules rules;
  private final int wanted;
  private final int replicas;
  private final Places hosts;
  private final Places racks;

  /** Different hosts, or racks, that have a replica, and how many of them are eligible. */
  static final class Places {
    private final int different;
    private final int eligible;

    Places(Set<String> found, Set<String> eligible) {
      this.different = found.size();
      this.eligible = (int) found.stream().filter(eligible::contains).count();
    }

    /** Places that are missing and can be had, out of all that are eligible in the cluster. */
    private int missing(int wanted, int eligibleInCluster) {
      return Math.min(wanted - different, eligibleInCluster - eligible);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Places
          && ((Places) other).different == different
          && ((Places) other).eligible == eligible;
    }

    @Override
    public int hashCode() {
      return Objects.hash(different, eligible);
    }
  }

  /**
   * Creates it.
   *
   * @param wanted replicas or units the block should have
   * @param replicas replicas or units it has
   */
  BlockShape(PlacementRules rules, int wanted, int replicas, Places hosts, Places racks) {
    this.rules = rules;
    this.wanted = wanted;
    this.replicas = replicas;
    this.hosts = hosts;
    this.racks = racks;
  }

  boolean isStriped() {
    return rules == PlacementRules.STRIPED;
  }

  /** Whether replicas or units are missing, wherever they are. */
  boolean isShort() {
    return replicas < wanted;
  }

  /**
   * Copies the block needs until it keeps the rules: one for every host or rack that is missing,
   * without those it needs anyway because replicas are missing.
   *
   * @param clusterHosts eligible hosts of the cluster
   * @param clusterRacks eligible racks of the cluster
   * @param nodeGroups whether network locations end with a node group
   */
  int copies(int clusterHosts, int clusterRacks, boolean nodeGroups) {
    if (replicas == 0) {
      return 0;
    }
    int missingHosts = hosts.missing(rules.hosts(wanted, nodeGroups), clusterHosts);
    int missingRacks = racks.missing(rules.racks(wanted, nodeGroups), clusterRacks);
    int anyway = Math.max(0, wanted - replicas);
    return Math.max(0, Math.max(missingHosts, missingRacks) - anyway);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof BlockShape)) {
      return false;
    }
    BlockShape that = (BlockShape) other;
    return rules == that.rules
        && wanted == that.wanted
        && replicas == that.replicas
        && hosts.equals(that.hosts)
        && racks.equals(that.racks);
  }

  @Override
  public int hashCode() {
    // not the hash of the enum, which differs from run to run, and with it the order of sums
    return Objects.hash(isStriped(), wanted, replicas, hosts, racks);
  }
}
