package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Stock's Balancer and Mover ask the policy of replicated blocks about the internal blocks of
 * striped ones. They must leave internal blocks in racks of their own, or the NameNode brings each
 * of them back, and the Balancer never ends.
 */
@Timeout(400)
@Tag("slow")
class StripedMovesIT {
  private static final String CODE = "RS-3-2-1024k";
  private static final int CELL = 1024 * 1024;
  private static final int FILES = 24;

  /** Five racks, one of them with three hosts. */
  private static Shape shape() {
    Shape shape =
        new Shape(5, 1, 1)
            .set("dfs.blocksize", CELL)
            .set("dfs.namenode.safemode.replication.min", 1)
            .set("dfs.namenode.ec.system.default.policy", CODE);
    shape.vms().add(new Shape.Vm("/r1", "n6"));
    shape.vms().add(new Shape.Vm("/r1", "n7"));
    return shape;
  }

  private static TestCluster start(Shape shape, String policy) throws Exception {
    switch (policy) {
      case "stock":
        return shape.plainRacks().stock();
      case "ours":
        return shape.plainRacks().ours();
      default:
        return shape.ours();
    }
  }

  /** How many groups have how many internal blocks in their fullest rack. */
  private static Map<Integer, Integer> mostInRack(TestCluster cluster) throws Exception {
    Map<Integer, Integer> found = new TreeMap<>();
    for (int i = 0; i < FILES; i++) {
      for (LocatedBlock group :
          cluster
              .fs()
              .getClient()
              .getLocatedBlocks("/f" + i, 0, Long.MAX_VALUE)
              .getLocatedBlocks()) {
        Map<String, Integer> racks = new HashMap<>();
        for (DatanodeInfo node : group.getLocations()) {
          racks.merge(cluster.rackOf(node), 1, Integer::sum);
        }
        found.merge(Collections.max(racks.values()), 1, Integer::sum);
      }
    }
    return found;
  }

  private static void write(TestCluster cluster) throws Exception {
    cluster.fs().enableErasureCodingPolicy(CODE);
    cluster.fs().setErasureCodingPolicy(new Path("/"), CODE);
    new TestFiles(cluster.fs()).write("/f", FILES, 3 * CELL);
    allThere(cluster);
    assertThat(mostInRack(cluster)).containsOnlyKeys(1);
  }

  private static void allThere(TestCluster cluster) throws Exception {
    Await.until(
        "units", Duration.ofSeconds(60), () -> cluster.survey().without(5) == 0, cluster::survey);
  }

  @ParameterizedTest
  @CsvSource({"stock", "ours", "ours with node groups"})
  void balancer_endsAndLeavesEachRackItsUnit(String policy) throws Exception {
    Shape shape = shape();
    for (int i = 1; i <= 7; i++) {
      shape.capacity("n" + i, 48L * CELL);
    }
    try (TestCluster cluster = start(shape, policy)) {
      write(cluster);
      cluster.mini().triggerHeartbeats();
      FutureTask<Integer> run =
          new FutureTask<>(() -> Tools.balancer(cluster.clientConf(), "-threshold", "5"));
      Thread thread = new Thread(run, "balancer");
      thread.setDaemon(true);
      thread.start();
      run.get(150, TimeUnit.SECONDS); // what is asked is whether it ends
      allThere(cluster);
      assertThat(mostInRack(cluster)).containsOnlyKeys(1);
    }
  }

  /** ARCHIVE is in one rack only. */
  @ParameterizedTest
  @CsvSource({"stock", "ours"})
  void mover_leavesEachRackItsUnit(String policy) throws Exception {
    Shape shape = shape();
    shape.storage(StorageType.DISK);
    shape.storage("n6", StorageType.ARCHIVE);
    shape.storage("n7", StorageType.ARCHIVE);
    try (TestCluster cluster = start(shape, policy)) {
      write(cluster);
      cluster.fs().setStoragePolicy(new Path("/"), "COLD");
      Tools.mover(cluster.clientConf(), "-p", "/");
      allThere(cluster);
      assertThat(mostInRack(cluster)).containsOnlyKeys(1);
    }
  }
}
