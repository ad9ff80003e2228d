package io.evenkeel.placement.core;

/** On how many hosts and racks the NameNode wants a complete block to be. */
public enum SpreadGoal {
  /** Every replica on a host of its own, in two racks. */
  REPLICATED {
    @Override
    public int hosts(int units, boolean hostIsNodeGroup) {
      return units;
    }

    @Override
    public int racks(int units, boolean nodeGroupsInPath) {
      return Math.min(2, units);
    }

    @Override
    public int rackLimit(int units, int racks) {
      return RackLimit.of(units + 1, racks);
    }
  },

  /**
   * Units of erasure coded blocks. The NameNode mends a complete block by a copy of any unit in the
   * network location that has the most of them. That brings more locations, and more of nothing
   * else: not more hosts of a rack, not more racks of node groups. Who asks for those gets copies
   * without end.
   */
  STRIPED {
    @Override
    public int hosts(int units, boolean hostIsNodeGroup) {
      return hostIsNodeGroup ? units : 0;
    }

    @Override
    public int racks(int units, boolean nodeGroupsInPath) {
      return nodeGroupsInPath ? Math.min(2, units) : units;
    }

    @Override
    public int rackLimit(int units, int racks) {
      return Integer.MAX_VALUE;
    }
  };

  /**
   * Hosts wanted, though there may be fewer.
   *
   * @param units replicas of the block, or units of a striped one
   * @param hostIsNodeGroup whether the network location is what tells hosts apart
   */
  public abstract int hosts(int units, boolean hostIsNodeGroup);

  /**
   * Racks wanted, though there may be fewer.
   *
   * @param units replicas of the block, or units of a striped one
   * @param nodeGroupsInPath whether network locations end with a node group
   */
  public abstract int racks(int units, boolean nodeGroupsInPath);

  /**
   * Most replicas in one rack of a complete block that is given one more, to be on more hosts.
   *
   * @param units replicas of the block, or units of a striped one
   * @param racks with a DataNode in service
   */
  public abstract int rackLimit(int units, int racks);
}
