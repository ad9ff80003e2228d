package io.evenkeel.placement.core;

/** On how many hosts and racks a complete block should be, and how much of it in one rack. */
public enum PlacementRules {
  /** Every replica on a host of its own, in two racks. */
  REPLICATED {
    @Override
    public int hosts(int replicas, boolean hostIsNodeGroup) {
      return replicas;
    }

    @Override
    public int racks(int replicas, boolean nodeGroupsInPath) {
      return Math.min(2, replicas);
    }

    @Override
    public int rackLimit(int replicas, int racks) {
      if (racks <= 1 || replicas <= 1) {
        return replicas;
      }
      int limit = (replicas - 1) / racks + 2;
      return limit == replicas ? limit - 1 : limit;
    }
  },

  /**
   * Internal blocks of a striped one: as evenly over racks as hosts allow. The NameNode mends a
   * complete block by a copy of any internal block in the network location that has the most of
   * them. That brings more locations, and more of nothing else: not more hosts of a rack, not more
   * racks of node groups. Who asks for those gets copies without end.
   */
  STRIPED {
    @Override
    public int hosts(int replicas, boolean hostIsNodeGroup) {
      return hostIsNodeGroup ? replicas : 0;
    }

    @Override
    public int racks(int replicas, boolean nodeGroupsInPath) {
      return nodeGroupsInPath ? Math.min(2, replicas) : replicas;
    }

    @Override
    public int rackLimit(int replicas, int racks) {
      return Integer.MAX_VALUE;
    }
  };

  /**
   * Hosts wanted, though there may be fewer.
   *
   * @param replicas of the block, or internal blocks of a striped one
   * @param hostIsNodeGroup whether the network location is what tells hosts apart
   */
  public abstract int hosts(int replicas, boolean hostIsNodeGroup);

  /**
   * Racks wanted, though there may be fewer.
   *
   * @param replicas of the block, or internal blocks of a striped one
   * @param nodeGroupsInPath whether network locations end with a node group
   */
  public abstract int racks(int replicas, boolean nodeGroupsInPath);

  /**
   * Most replicas of a block in one rack, as stock HDFS counts them, but by real racks.
   *
   * @param replicas of the block in all
   * @param racks with a DataNode in service
   */
  public abstract int rackLimit(int replicas, int racks);
}
