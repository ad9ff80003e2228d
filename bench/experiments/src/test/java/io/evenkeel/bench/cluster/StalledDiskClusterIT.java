package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.StallLoad;
import io.evenkeel.bench.demo.StallResult;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo's section "a disk that stalls" with a NameNode and two DataNodes that are processes of
 * their own: a DISK volume of one DataNode stalls for 10 s, twice, under a load like HBase's, with
 * stock's dataset and then, in the same directories, with ours.
 *
 * <p>To run it: {@code ./mvnw verify -Pslow -pl bench/experiments -am
 * -Dit.test=StalledDiskClusterIT -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false
 * -Dfailsafe.failIfNoSpecifiedTests=false}, and after that with {@code -Dhadoop.version=3.5.0} too.
 */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StalledDiskClusterIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final String LOCKS =
      "io.evenkeel:type=Plugin,module=locking,class=FineGrainedDatasetFactory";
  private static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-*";
  private static final String LOCKED_MEMORY = "dfs.datanode.max.locked.memory";
  private static final List<String> NODES = List.of("dn1", "dn2");
  private static final String STALLING = "dn1";

  private static final double WARM_UP_SECONDS = 6;
  private static final double STALL_SECONDS = 10;

  /** Seconds at which a stall begins; what it held up is over before the next. */
  private static final double[] STALLS = {2, 18};

  private static final double SECONDS_AFTER = 4;

  @TempDir Path temp;

  private PluginCluster plugin;
  private Path command;

  /**
   * What one arm saw.
   *
   * @param blocked operations that waited for the stalled disk, of each stall
   * @param inMemory blocks the volumes in memory received
   */
  private record ArmResult(StallResult result, List<Integer> blocked, long inMemory) {
    /** Longest pause of a writer of the fast tier around the stall of that number, in seconds. */
    double pause(int stall) {
      return result.longestPause(STALLS[stall], STALLS[stall] + STALL_SECONDS + SECONDS_AFTER);
    }

    /** Records a second of the fast tier in the stalls, of those before. */
    double goesOn() {
      double in = 0;
      for (double stall : STALLS) {
        in += result.perSecond(stall, stall + STALL_SECONDS) / STALLS.length;
      }
      return in / result.perSecond(0, STALLS[0]);
    }

    String pauses() {
      return String.format(Locale.ROOT, "%.2f and %.2f s", pause(0), pause(1));
    }

    String details() {
      return String.format(
          Locale.ROOT,
          "%.2f s before the stalls; %.0f records/s before, %.0f and %.0f in them; %s operations"
              + " blocked; %d blocks in memory; failures %s",
          result.longestPause(0, STALLS[0]),
          result.perSecond(0, STALLS[0]),
          result.perSecond(STALLS[0], STALLS[0] + STALL_SECONDS),
          result.perSecond(STALLS[1], STALLS[1] + STALL_SECONDS),
          blocked,
          inMemory,
          result.failures());
    }
  }

  @BeforeEach
  void start() throws IOException {
    plugin =
        new PluginCluster(
            "datanode-locking",
            Map.of(
                "dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory"));
    plugin.startTwo(HADOOP, conf());
    command = temp.resolve("stall");
    Path jar = temp.resolve("stall-agent.jar");
    StallAgent.pack(jar);
    for (String node : NODES) {
      Path file = node.equals(STALLING) ? command : temp.resolve("never");
      plugin.extend(node, "-javaagent:" + jar + "=" + file, keys());
    }
  }

  /** What a DataNode needs the agent for, and the volumes, which a cluster chooses otherwise. */
  private static Map<String, String> keys() {
    List<String> types = StallLoad.STORAGES;
    List<String> dirs =
        IntStream.range(0, types.size())
            .mapToObj(i -> "[" + types.get(i) + "]file://${hadoop.tmp.dir}/volume" + i)
            .toList();
    return Map.of(
        "dfs.datanode.plugins",
        StallAgent.class.getName(),
        LOCKED_MEMORY,
        StallLoad.keys().get(LOCKED_MEMORY),
        "dfs.datanode.data.dir",
        String.join(",", dirs));
  }

  private static List<String> conf() {
    List<String> conf = new ArrayList<>();
    StallLoad.keys().forEach((key, value) -> conf.add(key + "=" + value));
    conf.removeIf(key -> key.startsWith(LOCKED_MEMORY));
    conf.add("dfs.blocksize=" + StallLoad.BLOCK_BYTES);
    // As with the default, a DataNode that cannot send heartbeats during a stall is not dead.
    conf.add("dfs.namenode.heartbeat.recheck-interval=300000");
    return conf;
  }

  @AfterEach
  void endEverything() throws IOException {
    plugin.close();
  }

  @Test
  void diskOfSlowTier_stalls_fastTierStandsStillWithStockAndGoesOnWithOurs() throws Exception {
    awaitLocks("");
    ArmResult stock = arm();
    plugin.add("dn1", "dn2");
    awaitLocks("active");
    ArmResult ours = arm();

    System.out.printf(
        Locale.ROOT,
        "Hadoop %s, two stalls of %.0f s, longest pause of a writer of the fast tier: stock %s,"
            + " ours %s (stock: %s; ours: %s)%n",
        HADOOP,
        STALL_SECONDS,
        stock.pauses(),
        ours.pauses(),
        stock.details(),
        ours.details());
    for (ArmResult arm : List.of(stock, ours)) {
      assertThat(arm.blocked()).as("each stall met work").allMatch(operations -> operations > 0);
      assertThat(arm.inMemory()).as("blocks in memory").isPositive();
    }
    assertThat(ours.goesOn())
        .as("records in the stalls of those before, stock %.2f", stock.goesOn())
        .isGreaterThan(2 * stock.goesOn());
    assertThat(ours.result().failures()).isEmpty();
  }

  private ArmResult arm() throws Exception {
    try (DistributedFileSystem fs = (DistributedFileSystem) plugin.client()) {
      deleteAll(fs);
      StallLoad load = new StallLoad(fs, System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9));
      List<Integer> blocked = new ArrayList<>();
      StallResult result;
      load.begin();
      try {
        for (double stall : STALLS) {
          sleepUntil(stall, load);
          int before = blocked();
          Files.createFile(command);
          sleepUntil(stall + STALL_SECONDS, load);
          blocked.add(blocked() - before);
          Files.delete(command);
        }
        sleepUntil(STALLS[1] + STALL_SECONDS + SECONDS_AFTER, load);
      } finally {
        Files.deleteIfExists(command);
        result = load.end();
      }
      return new ArmResult(result, blocked, blocksInMemory());
    }
  }

  private static void deleteAll(FileSystem fs) throws IOException {
    for (var file : fs.listStatus(new org.apache.hadoop.fs.Path("/"))) {
      fs.delete(file.getPath(), true);
    }
  }

  private static void sleepUntil(double second, StallLoad load) throws InterruptedException {
    Await.pause(Math.max(0, (long) ((second - load.seconds()) * 1e3)));
  }

  private int blocked() throws IOException {
    return ((Number) plugin.jmx(STALLING).bean(StallAgent.BEAN).get("Blocked")).intValue();
  }

  private long blocksInMemory() throws IOException {
    long blocks = 0;
    for (String node : NODES) {
      blocks += ((Number) plugin.jmx(node).bean(ACTIVITY).get("RamDiskBlocksWrite")).longValue();
    }
    return blocks;
  }

  private void awaitLocks(String expected) throws InterruptedException {
    BooleanSupplier reached =
        () ->
            plugin.cluster().status().healthy()
                && NODES.stream().allMatch(node -> plugin.state(node, LOCKS).equals(expected));
    assertThat(Processes.await(Duration.ofMinutes(2), reached))
        .as("DataNodes are live and say '%s'", expected)
        .isTrue();
  }
}
