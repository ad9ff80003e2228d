package io.evenkeel.placement.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Where the replicas of all blocks are, by what the NameNode tells clients. Only replicas of
 * DataNodes in service count. Knows nothing of the policy. Immutable.
 */
final class Survey {
  private final List<Block> blocks = new ArrayList<>();

  /** One block: its replicas in service and how many there should be. */
  private record Block(int wanted, List<String> nodes, List<String> hosts, List<String> racks) {}

  /** Looks at every file below {@code root}; {@code hosts} gives the host of a DataNode. */
  Survey(DistributedFileSystem fs, String root, TestCluster cluster) throws IOException {
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(root), true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      String path = file.getPath().toUri().getPath();
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        add(block, file.getReplication(), cluster);
      }
    }
  }

  private void add(LocatedBlock block, int wanted, TestCluster cluster) {
    List<DatanodeInfo> serving = new ArrayList<>();
    for (DatanodeInfo node : block.getLocations()) {
      if (node.isInService()) {
        serving.add(node);
      }
    }
    blocks.add(
        new Block(
            wanted,
            map(serving, DatanodeInfo::getDatanodeUuid),
            map(serving, cluster::hostOf),
            map(serving, cluster::rackOf)));
  }

  private static List<String> map(List<DatanodeInfo> nodes, Function<DatanodeInfo, String> key) {
    return nodes.stream().map(key).toList();
  }

  /** Number of blocks. */
  int blocks() {
    return blocks.size();
  }

  /** Blocks with two replicas on one host. */
  long onOneHost() {
    return count(b -> b.hosts.size() - new HashSet<>(b.hosts).size());
  }

  /** Blocks with all replicas in one rack. */
  long inOneRack() {
    return count(b -> new HashSet<>(b.racks).size() < 2 ? 1 : 0);
  }

  /** Blocks with more or fewer replicas than they should have. */
  long notExact() {
    return count(b -> Math.abs(b.nodes.size() - b.wanted));
  }

  /** Blocks that do not have {@code units} replicas. */
  long without(int units) {
    return count(b -> b.nodes.size() - units);
  }

  private long count(ToLongFunction<Block> what) {
    return blocks.stream().filter(b -> what.applyAsLong(b) != 0).count();
  }

  /** Most replicas of one block on one host. */
  int mostOnOneHost() {
    int most = 0;
    for (Block block : blocks) {
      Map<String, Integer> counts = new HashMap<>();
      block.hosts.forEach(h -> counts.merge(h, 1, Integer::sum));
      most = Math.max(most, counts.values().stream().max(Integer::compare).orElse(0));
    }
    return most;
  }

  /** Whether every block has its replicas, on hosts of their own and in two racks. */
  boolean good() {
    return blocks() > 0 && onOneHost() + inOneRack() + notExact() == 0;
  }

  @Override
  public String toString() {
    return String.format(
        "%d blocks: %d with two replicas on one host, %d in one rack, %d with too few or many",
        blocks(), onOneHost(), inOneRack(), notExact());
  }
}
