package io.evenkeel.placement;

import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.BlockTargets;
import io.evenkeel.placement.core.TargetChecks;
import io.evenkeel.placement.namenode.DataNodeIndex;
import io.evenkeel.placement.namenode.PlacementConf;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Places the internal blocks of striped blocks: on as many hosts as there are, at most
 * ceil(internal blocks / hosts) on one, then over as many racks, and uniformly among those. For
 * {@code dfs.block.placement.ec.classname}.
 *
 * <p>When hosts are so few that losing one would lose more internal blocks than the code can miss,
 * it still places (a write never fails for that) and says so in log and metrics. Thread-safe.
 */
public class UniformStripedBlockPlacementPolicy extends UniformBlockPlacementPolicy {
  /** Created by Hadoop. */
  public UniformStripedBlockPlacementPolicy() {}

  private UniformStripedBlockPlacementPolicy(boolean asked) {
    super(asked);
  }

  @Override
  UniformBlockPlacementPolicy another() {
    return new UniformStripedBlockPlacementPolicy(true);
  }

  @Override
  BlockPlacementPolicy stock(Configuration conf, NetworkTopology topology) {
    return PlacementConf.observedStriped(conf);
  }

  @Override
  BlockTargets place(DataNodeIndex index, BlockRequest request, TargetChecks checks) {
    BlockTargets targets = index.engine().striped(request, checks);
    if (request.isNewBlock()) { // else some are missing, and the code is not known by their number
      nameNode().counters().choseStriped(targets.mostOnOneHost(), request.total());
    }
    return targets;
  }

  /** Internal blocks may share hosts, so no host is asked for that does not exist. */
  @Override
  boolean strict() {
    return false;
  }

  @Override
  protected boolean isStriped() {
    return true;
  }
}
