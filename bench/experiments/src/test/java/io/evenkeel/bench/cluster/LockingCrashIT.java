package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real DataNode processes with locks by block are killed at random moments of a write load, again
 * and again; every byte that was acknowledged is read back, at the end by stock from the same
 * directories. One of the two is killed at a time: a file with one replica has all of its
 * acknowledged bytes there, but for the chunk it was being written in ({@link CrashFile#cut}),
 * which is told apart and counted.
 *
 * <p>System properties: {@code evenkeel.locking.crash.rounds} is how often; {@code
 * evenkeel.locking.crash.seed} fixes what is written and who is killed, though not at which
 * instruction; {@code evenkeel.locking.crash.stock=true} runs the same over stock's dataset; {@code
 * evenkeel.locking.crash.lower=true} also lowers the replication of files while a DataNode is down,
 * when the NameNode may count on the replica it cannot reach: stock's NameNode then loses blocks
 * ({@link DeletedBlocks}), which are told apart and counted.
 */
@Tag("slow")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class LockingCrashIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final int ROUNDS = Integer.getInteger("evenkeel.locking.crash.rounds", 20);
  private static final long SEED =
      Long.getLong("evenkeel.locking.crash.seed", System.currentTimeMillis());
  private static final boolean STOCK = Boolean.getBoolean("evenkeel.locking.crash.stock");
  private static final boolean LOWERED = Boolean.getBoolean("evenkeel.locking.crash.lower");
  private static final CrashLoad.Replication REPLICATION =
      LOWERED ? CrashLoad.Replication.LOWERED_UNDER_LOAD : CrashLoad.Replication.ONE_OR_TWO;
  private static final String STATE = STOCK ? "" : "active";
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=locking,class=FineGrainedDatasetFactory";
  private static final List<String> NODES = List.of("dn1", "dn2");
  private static final int WRITERS = 4;
  private static final int MOST_MILLIS = 4000;

  private final Random random = new Random(SEED);
  private final List<CrashLoad> loads = new ArrayList<>();
  private PluginCluster plugin;
  private int deletedByNameNode;

  @BeforeEach
  void start() throws IOException {
    plugin =
        new PluginCluster(
            "datanode-locking",
            Map.of(
                "dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory"));
    plugin.startTwo(
        HADOOP,
        List.of(
            "dfs.namenode.fs-limits.min-block-size=" + CrashLoad.BLOCK,
            "dfs.namenode.redundancy.interval.seconds=1",
            // An append that begins before the NameNode has heard of all replicas
            // leaves an old one behind, which only a full report brings to light.
            "dfs.blockreport.intervalMsec=3000",
            // A copy a killed DataNode was to make is ordered anew after this.
            "dfs.namenode.reconstruction.pending.timeout-sec=10"));
    for (int i = 0; i < WRITERS; i++) {
      loads.add(new CrashLoad("writer" + i, random.nextLong(), REPLICATION));
    }
  }

  @AfterEach
  void endEverything() throws IOException {
    plugin.close();
  }

  @Test
  void dataNode_killedUnderLoad_keepsEveryAcknowledgedByteAlsoForStock() throws Exception {
    plugin.add("dn1", "dn2");
    awaitStates(STATE);
    for (int round = 1; round <= ROUNDS; round++) {
      String victim = NODES.get(random.nextInt(NODES.size()));
      underLoad(
          () -> {
            assertThat(plugin.cluster().kill(victim)).containsExactly(victim);
            plugin.cluster().revive(victim);
          });
      awaitStates(STATE);
      check("round " + round + " of seed " + SEED);
    }
    assertThat(loads).as("the load was real").allMatch(load -> load.done() > ROUNDS);
    assertThat(loads.stream().mapToInt(CrashLoad::failed).sum())
        .as("kills that hit a write, seed %d", SEED)
        .isPositive();
    System.out.println(summary());

    plugin.remove("dn1", "dn2");
    awaitStates("");
    check("stock after " + ROUNDS + " rounds of seed " + SEED);
    byte[] after = plugin.write("/after", 2, 2, 0);
    assertThat(plugin.read("/after")).isEqualTo(after);
  }

  private String summary() {
    List<CrashFile> files = loads.stream().flatMap(load -> load.files().stream()).toList();
    return String.format(
        "%d kills on Hadoop %s%s, seed %d: %d operations done and %d failed; %d files, %d bytes;"
            + " %d files lost by stock's NameNode, %d cut at their last chunk",
        ROUNDS,
        HADOOP,
        STOCK ? " with stock's dataset" : "",
        SEED,
        loads.stream().mapToInt(CrashLoad::done).sum(),
        loads.stream().mapToInt(CrashLoad::failed).sum(),
        files.size(),
        files.stream().mapToLong(CrashFile::acknowledged).sum(),
        deletedByNameNode,
        files.stream().mapToInt(CrashFile::cut).sum());
  }

  /**
   * As in a rolling restart that brings it, or takes it away: meanwhile a pipeline leads through
   * DataNodes with and without it, and each dataset goes on from what the other left when it was
   * killed.
   */
  @Test
  void dataNodes_someWithAndSomeWithoutIt_keepEveryAcknowledgedByte() throws Exception {
    assumeThat(STOCK).isFalse();
    Map<String, String> states = new HashMap<>();
    NODES.forEach(node -> states.put(node, ""));
    int mixed = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      String node = NODES.get(random.nextInt(NODES.size()));
      boolean comes = states.get(node).isEmpty();
      underLoad(
          () -> {
            if (comes) {
              plugin.add(node);
            } else {
              plugin.remove(node);
            }
          });
      states.put(node, comes ? "active" : "");
      awaitStates(states);
      mixed += new HashSet<>(states.values()).size() - 1;
      check("round " + round + " of seed " + SEED + " with " + states);
    }
    assertThat(mixed).as("rounds that ended with both").isPositive();
    System.out.println("with and without it in turns, " + mixed + " ended with both: " + summary());
  }

  private interface Act {
    void act() throws Exception;
  }

  /** The load goes on while the DataNode is down and while it starts again. */
  private void underLoad(Act act) throws Exception {
    try (FileSystem fs = plugin.client()) {
      int[] before = loads.stream().mapToInt(CrashLoad::done).toArray();
      loads.forEach(load -> load.start(fs));
      try {
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          await("a writer is at work", () -> loads.get(writer).done() > before[writer]);
        }
        Await.pause(random.nextInt(MOST_MILLIS));
        act.act();
      } finally {
        for (CrashLoad load : loads) {
          load.stop();
        }
      }
    }
  }

  private void check(String when) throws Exception {
    try (DistributedFileSystem fs = (DistributedFileSystem) plugin.client()) {
      CrashCheck check = new CrashCheck(fs, URI.create(plugin.cluster().status().http()), loads);
      if (LOWERED) {
        Path nodes = plugin.cluster().directory().resolve("nodes");
        check.forgiving(new DeletedBlocks(NODES.stream().map(nodes::resolve).toList()));
      }
      check.run(when);
      deletedByNameNode += check.deleted();
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    CrashCheck.await(what, condition);
  }

  private void awaitStates(String expected) {
    Map<String, String> states = new HashMap<>();
    NODES.forEach(node -> states.put(node, expected));
    awaitStates(states);
  }

  private void awaitStates(Map<String, String> expected) {
    await(
        "DataNodes are live and say '" + expected + "'",
        () ->
            plugin.cluster().status().healthy()
                && NODES.stream().allMatch(n -> plugin.state(n, BEAN).equals(expected.get(n))));
  }
}
