package io.evenkeel.bench.sim.placement;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageTypeStats;

/**
 * What a NameNode tells its policy about the load. Apart from {@link RealCluster}, which tells it,
 * since that is all a policy may see. Written by one thread, read by many.
 */
final class ClusterLoad implements FSClusterStats {
  volatile int dataNodes;
  volatile long total;

  @Override
  public int getTotalLoad() {
    return (int) total;
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return false;
  }

  @Override
  public int getNumDatanodesInService() {
    return dataNodes;
  }

  @Override
  public double getInServiceXceiverAverage() {
    return dataNodes == 0 ? 0 : (double) total / dataNodes;
  }

  @Override
  public double getInServiceXceiverAverageForVolume() {
    return getInServiceXceiverAverage();
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return Map.of();
  }
}
