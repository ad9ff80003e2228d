package io.evenkeel.placement.live;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster of one rack is given a DataNode in another: the NameNode looks at all blocks, once,
 * before it knows what that DataNode has.
 */
@Timeout(120)
class SecondRackIT {
  private static final int FILES = 20;

  private static Shape shape() {
    return new Shape(1, 3, 1).plainRacks();
  }

  @Test
  void secondRackComes_blocksAreSpreadOverBoth() throws Exception {
    try (TestCluster cluster = shape().ours()) {
      spread(cluster);
    }
  }

  @Test
  @Tag("slow")
  void secondRackComes_blocksAreSpreadOverBothWithStock() throws Exception {
    try (TestCluster cluster = shape().stock()) {
      spread(cluster);
    }
  }

  private static void spread(TestCluster cluster) throws Exception {
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", FILES, Shape.BLOCK);
    Await.until("all are in one rack", () -> inOneRack(cluster) == FILES);
    cluster
        .mini()
        .startDataNodes(
            cluster.mini().getConfiguration(0),
            1,
            true,
            null,
            new String[] {"/r2"},
            new String[] {"n9.example.org"},
            null);
    Await.until(
        "all are in two racks",
        Duration.ofSeconds(60),
        () -> inOneRack(cluster) == 0,
        () -> inOneRack(cluster) + " in one rack");
    files.check();
  }

  private static int inOneRack(TestCluster cluster) throws Exception {
    int count = 0;
    for (int i = 0; i < FILES; i++) {
      LocatedBlock block =
          cluster.fs().getClient().getLocatedBlocks("/f" + i, 0).getLocatedBlocks().get(0);
      Set<String> racks = new HashSet<>();
      for (DatanodeInfo node : block.getLocations()) {
        racks.add(node.getNetworkLocation());
      }
      count += racks.size() == 1 ? 1 : 0;
    }
    return count;
  }
}
