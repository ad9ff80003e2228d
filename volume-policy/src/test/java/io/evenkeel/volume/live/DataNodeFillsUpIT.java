package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A DataNode on small file systems is filled up to {@code dfs.datanode.du.reserved} by 32 writers
 * and by incoming replication, while one volume hangs and one is removed; stock beside ours.
 *
 * <p>Some writes must fail, for the DataNode gets full and a block on the removed volume has no
 * other replica. What a client is told says little of the cause: a block that is refused for lack
 * of room also ends as "All datanodes are bad", when the writer looks just before its streamer
 * tries again. So a failure is judged by what became of the last block of the file.
 */
@Tag("slow")
@Timeout(400)
class DataNodeFillsUpIT {
  private static final int VOLUMES = 5;
  private static final int HUNG = 1;
  private static final int REMOVED = 3;
  private static final int WRITERS = 32;
  private static final int COPIES = 80;
  private static final int MEBIBYTES = 64;
  private static final long BLOCK = LiveDataNode.BLOCK_BYTES;
  private static final long RESERVED = 8 * BLOCK;

  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("dfs.datanode.du.reserved", String.valueOf(RESERVED)),
          Map.entry(LiveDataNode.KEPT_FREE, "0"),
          // So late the NameNode learns that the DataNode is full, and sends it more.
          Map.entry("dfs.heartbeat.interval", "3"),
          Map.entry("dfs.namenode.redundancy.interval.seconds", "1"),
          Map.entry("dfs.namenode.replication.max-streams", "20"),
          Map.entry("dfs.namenode.replication.max-streams-hard-limit", "40"),
          Map.entry("dfs.namenode.replication.work.multiplier.per.iteration", "20"),
          Map.entry("dfs.client.block.write.retries", "5"));

  /** Why a file could not be written. */
  private enum Cause {
    /** A file system was full although the DataNode had found room for the block. */
    NO_SPACE,
    /** The policy found no room for its last block. */
    REFUSED,
    /** It got no block: the NameNode knew of no DataNode with room. */
    NO_DATANODE,
    /** Its last block went to the volume that was removed. */
    ON_REMOVED,
    OTHER
  }

  /** What was seen of one policy. */
  private record Run(
      int written,
      int copiedIn,
      int refused,
      Map<Cause, List<String>> failures,
      List<String> noSpace,
      List<String> wronglyRefused,
      List<Throwable> others) {

    @Override
    public String toString() {
      Map<Cause, Integer> counts = new TreeMap<>();
      failures.forEach((cause, files) -> counts.put(cause, files.size()));
      return String.format(
          "written %d, copied in %d, refused %d, failed %s, logged no space %s, wrongly refused %s,"
              + " not stock's exceptions %s, examples %s",
          written, copiedIn, refused, counts, noSpace, wronglyRefused, others, examples());
    }

    private List<String> examples() {
      List<String> found = new ArrayList<>();
      failures.forEach((cause, files) -> found.add(cause + " " + files.get(0)));
      return found;
    }
  }

  /** On 3.3.6 with stock's policy, blocks of a volume that was given back were not offered. */
  @BeforeEach
  void onlyWhereVolumesCanBeGivenBack() {
    assumeTrue(
        Configurable.class.isAssignableFrom(RoundRobinVolumeChoosingPolicy.class),
        "needs Hadoop 3.4 or later");
  }

  @Test
  void fillUp_hungAndRemovedVolume_noFailureStockDoesNotHave() throws Exception {
    Run stock = run(Outcomes.Stock.class);
    Run ours = run(Outcomes.LatencyAware.class);
    String both = "stock: " + stock + "\nours: " + ours;
    assertThat(stock.refused).as(both).isPositive();
    assertThat(ours.refused).as(both).isPositive();
    assertThat(ours.copiedIn).as(both).isPositive();
    assertThat(ours.noSpace).as(both).isEmpty();
    assertThat(ours.failures).as(both).doesNotContainKeys(Cause.NO_SPACE, Cause.OTHER);
    // Each writer has one block under way when the volume is removed, and none goes there later.
    assertThat(ours.failures.getOrDefault(Cause.ON_REMOVED, List.of()))
        .as(both)
        .hasSizeLessThanOrEqualTo(WRITERS);
    assertThat(ours.wronglyRefused).as(both).isEmpty();
    assertThat(ours.others).as(both).isEmpty();
  }

  private static Run run(Class<?> policy) throws Exception {
    Outcomes.reset();
    try (SmallDisks disks = new SmallDisks(LiveDataNode.newDirectory(), VOLUMES, MEBIBYTES);
        ServerLog log = new ServerLog();
        LiveDataNode node = new LiveDataNode(policy, disks.directories(), SETTINGS)) {
      Load copied = copiesOnTheirWay(node);
      Load load = fill(node);
      // Else the test would be blind to what it looks for.
      Await.until("refusals are logged", () -> log.refusals().size() >= Outcomes.refused());
      Run run =
          new Run(
              load.written().size(),
              node.replicated(copied.written()).size(),
              Outcomes.refused(),
              causes(node, load, log),
              log.noSpace(),
              Outcomes.wronglyRefused(),
              Outcomes.others());
      node.restore(load.written());
      load.verify(load.written());
      List<String> there = node.replicated(copied.written());
      node.stopSource();
      copied.verify(there);
      return run;
    }
  }

  /** Files on the other DataNode, which copies them here from now on; one volume hangs. */
  private static Load copiesOnTheirWay(LiveDataNode node) throws Exception {
    node.startSource((COPIES + 1) * BLOCK);
    Load copied = node.runLoadOn(1, "/copied", 4, COPIES);
    assertThat(copied.failures()).isEmpty();
    node.disk().hang(node.volume(HUNG));
    for (String file : copied.written()) {
      node.fs().setReplication(new Path(file), (short) 2);
    }
    Await.until("copies arrive", () -> !node.replicated(copied.written()).isEmpty());
    return copied;
  }

  private static Load fill(LiveDataNode node) throws Exception {
    Load load = node.startLoadOn(0, "/load", WRITERS, Integer.MAX_VALUE, Duration.ZERO);
    Await.until("a writer is held", () -> node.disk().held() > 0);
    Await.until("others are under way", () -> Outcomes.chosen() >= 2 * WRITERS);
    node.remove(REMOVED);
    node.disk().heal();
    Await.until("it is full", () -> full(node));
    load.stop();
    load.join();
    return load;
  }

  private static boolean full(LiveDataNode node) throws Exception {
    node.forgetScheduled();
    return node.mostRoom() <= BLOCK && Outcomes.refused() > 0;
  }

  private static Map<Cause, List<String>> causes(LiveDataNode node, Load load, ServerLog log) {
    Map<Cause, List<String>> found = new TreeMap<>();
    for (Throwable failure : load.failures()) {
      List<String> blocks = log.blocksOf(failure.getMessage());
      found
          .computeIfAbsent(cause(node, failure, blocks), c -> new ArrayList<>())
          .add(blocks + ServerLog.chain(failure));
    }
    return found;
  }

  private static Cause cause(LiveDataNode node, Throwable failure, List<String> blocks) {
    if (ServerLog.isNoSpace(failure)) {
      return Cause.NO_SPACE;
    }
    if (blocks.isEmpty()) {
      boolean none = ServerLog.chain(failure).contains("could only be written to 0");
      return none ? Cause.NO_DATANODE : Cause.OTHER;
    }
    String last = blocks.get(blocks.size() - 1);
    if (Outcomes.wasRefused(last)) {
      return Cause.REFUSED;
    }
    return Outcomes.placeOf(last) == node.volume(REMOVED) ? Cause.ON_REMOVED : Cause.OTHER;
  }
}
