package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A real NameNode process gets the placement policy's jar and keys, loses a host of DataNodes in
 * the middle of a write, and then jar and keys: every byte is read back. Two racks of two hosts
 * with two DataNodes each.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PlacementComesAndGoesIT {
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=placement,class=UniformBlockPlacementPolicy";
  private static final int BLOCKS = 24;

  private PluginCluster plugin;

  @BeforeEach
  void prepare() throws IOException {
    plugin =
        new PluginCluster(
            "placement",
            Map.of(
                "dfs.block.replicator.classname",
                "io.evenkeel.placement.UniformBlockPlacementPolicy",
                "net.topology.impl",
                "org.apache.hadoop.net.NetworkTopologyWithNodeGroup",
                "dfs.use.dfs.network.topology",
                "false"));
  }

  @AfterEach
  void endEverything() throws IOException {
    plugin.close();
  }

  private static ClusterRequest request() {
    return new ClusterRequest()
        .layout(4, 2, 2)
        .hadoop("3.4.3")
        .plugins(false)
        .timeout(Duration.ofMinutes(4));
  }

  @Test
  void nameNode_pluginAddedAndTakenAway_everythingStaysReadable() throws Exception {
    plugin.cluster().start(request(), line -> {});
    assertThat(plugin.state("nn", BEAN)).isEmpty();
    byte[] before = plugin.write("/before", 3, 8, 0);
    await("stock shares hosts", () -> sharedHosts("/before") > 0);

    plugin.add("nn");
    await("active", () -> plugin.state("nn", BEAN).equals("active"));
    await("what stock wrote is mended", () -> apart("/before", 8));
    assertThat(plugin.read("/before")).isEqualTo(before);

    CompletableFuture<byte[]> writing = CompletableFuture.supplyAsync(() -> write("/meanwhile"));
    await("a quarter is written", () -> blocks("/meanwhile") >= BLOCKS / 4);
    assertThat(writing).isNotDone();
    assertThat(plugin.cluster().kill("host2")).containsExactly("dn3", "dn4");
    byte[] meanwhile = writing.get(3, TimeUnit.MINUTES);
    await("the loss is mended", () -> apart("/meanwhile", BLOCKS) && apart("/before", 8));
    assertThat(plugin.read("/before")).isEqualTo(before);
    assertThat(plugin.read("/meanwhile")).isEqualTo(meanwhile);

    plugin.remove("nn");
    await("stock serves", () -> plugin.state("nn", BEAN).isEmpty() && blocks("/before") == 8);
    assertThat(plugin.read("/before")).isEqualTo(before);
    assertThat(plugin.read("/meanwhile")).isEqualTo(meanwhile);
    byte[] after = plugin.write("/after", 3, 4, 0);
    assertThat(plugin.read("/after")).isEqualTo(after);
  }

  private byte[] write(String name) {
    try {
      return plugin.write(name, 3, BLOCKS, 250);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static void await(String what, java.util.function.BooleanSupplier condition)
      throws InterruptedException {
    assertThat(Processes.await(Duration.ofMinutes(2), condition)).as(what).isTrue();
  }

  private BlockLocation[] locations(String name) {
    try (FileSystem fs = plugin.client()) {
      return fs.getFileBlockLocations(new Path(name), 0, Long.MAX_VALUE);
    } catch (IOException e) {
      return new BlockLocation[0]; // not there, or the NameNode is in safe mode
    }
  }

  private int blocks(String name) {
    return locations(name).length;
  }

  /** The host is the last but one part of /rack1/host1/127.0.1.1:9866. */
  private static List<String> hosts(BlockLocation block) {
    try {
      return Stream.of(block.getTopologyPaths())
          .map(path -> path.substring(0, path.lastIndexOf('/')))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private long sharedHosts(String name) {
    return Stream.of(locations(name))
        .map(PlacementComesAndGoesIT::hosts)
        .filter(hosts -> new HashSet<>(hosts).size() < hosts.size())
        .count();
  }

  /** Whether all blocks have three replicas, each on a host of its own. */
  private boolean apart(String name, int blocks) {
    BlockLocation[] found = locations(name);
    return found.length == blocks
        && Stream.of(found)
            .map(PlacementComesAndGoesIT::hosts)
            .allMatch(hosts -> hosts.size() == 3 && new HashSet<>(hosts).size() == 3);
  }
}
