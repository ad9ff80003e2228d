package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two racks of three hosts with two DataNodes each. */
@Timeout(600)
class PlacementSmoke {
  private static final String POLICY = "io.evenkeel.placement.UniformBlockPlacementPolicy";
  private static final int DATA_NODES = 12;
  private static final int FILES = 20;

  @Test
  void uniform_threeReplicas_differentHostsTwoRacksEvenLoad() throws Exception {
    Configuration conf = Smoke.conf("placement");
    conf.set("dfs.block.replicator.classname", POLICY);
    conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    conf.set("dfs.use.dfs.network.topology", "false");
    String[] locations = new String[DATA_NODES];
    String[] hosts = new String[DATA_NODES];
    for (int i = 0; i < DATA_NODES; i++) {
      locations[i] = "/r" + i / 6 + "/n" + i / 2;
      hosts[i] = "vm" + i + ".example.org";
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(DATA_NODES)
            .racks(locations)
            .hosts(hosts)
            .storagesPerDatanode(1)
            .build();
    try {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      Map<String, Integer> replicas = new HashMap<>();
      for (int i = 0; i < FILES; i++) {
        Smoke.write(fs, "/f" + i, 3 * Smoke.BLOCK, 3);
      }
      for (int i = 0; i < FILES; i++) {
        String name = "/f" + i;
        DFSTestUtil.waitReplication(fs, Smoke.path(name), (short) 3); // all are reported
        List<LocatedBlock> blocks =
            fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks();
        assertThat(blocks).hasSize(3);
        for (LocatedBlock block : blocks) {
          count(block, replicas);
        }
        Smoke.assertReads(fs, name, 3 * Smoke.BLOCK);
      }
      Smoke.assertActive("placement", POLICY);
      // 180 replicas: 15 on each DataNode when all have as many
      assertThat(replicas).hasSize(DATA_NODES);
      assertThat(replicas.values()).as("" + replicas).allMatch(each -> each >= 11 && each <= 19);
    } finally {
      cluster.shutdown();
    }
  }

  private static void count(LocatedBlock block, Map<String, Integer> replicas) {
    Set<String> hosts = new HashSet<>();
    Set<String> racks = new HashSet<>();
    for (DatanodeInfo node : block.getLocations()) {
      String location = node.getNetworkLocation();
      hosts.add(location);
      racks.add(location.substring(0, location.lastIndexOf('/')));
      replicas.merge(node.getXferAddr(), 1, Integer::sum);
    }
    assertThat(hosts).as("hosts of " + block).hasSize(3);
    assertThat(racks).as("racks of " + block).hasSize(2);
  }
}
