package io.evenkeel.bench.gameday.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What happens to two NameNodes, while a client that was there before goes on writing. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoNameNodesIT {
  private static final Fault FAILOVER = new Fault(Kind.FAILOVER, "nn", "", 0);
  private static final Fault KILL = new Fault(Kind.KILL_NAMENODE, "nn", "", 0);

  private final byte[] data = new byte[1 << 20];
  private Path dir;
  private GameCluster game;
  private ClusterView view;
  private DistributedFileSystem fs;
  private int files;

  @BeforeAll
  void startCluster() throws Exception {
    dir = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "ha-it");
    game =
        GameCluster.start(
            dir.resolve("game"),
            new ClusterDescription(
                new Layout(2, 2, 2),
                2,
                System.getProperty("evenkeel.hadoop.version"),
                List.of("DISK", "SSD"),
                true,
                GameClusterIT.jars(Files.createDirectories(dir.resolve("jars"))),
                false,
                Map.of()),
            line -> {});
    view = game.view();
    new Random(1).nextBytes(data);
    fs = (DistributedFileSystem) FileSystem.newInstance(view.rpc(), view.client());
  }

  @AfterEach
  void calmAndWritable() throws Exception {
    game.calm();
    assertThat(game.lasting()).isEmpty();
    assertThat(view.nameNodes())
        .extracting(view::haState)
        .containsExactlyInAnyOrder(ClusterView.ACTIVE, ClusterView.STANDBY);
    assertThat(view.safeMode()).isFalse();
    assertThat(view.live()).hasSize(4);
    writeAndRead();
  }

  @AfterAll
  void stopCluster() throws Exception {
    if (fs != null) {
      fs.close();
    }
    if (game != null) {
      game.close();
    }
    Trees.delete(dir);
  }

  private void writeAndRead() throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/file-" + files++);
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(data);
    }
    assertThat(read(path)).isEqualTo(data);
  }

  private byte[] read(org.apache.hadoop.fs.Path path) throws IOException {
    try (var in = fs.open(path)) {
      return in.readAllBytes();
    }
  }

  @Test
  void failover_theOtherOneServesTheSameClientAndItsOpenFile() throws Exception {
    String before = view.activeNameNode();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/open");
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(data, 0, 1000);
      out.hflush();
      game.begin(FAILOVER);
      assertThat(view.activeNameNode()).isNotEqualTo(before);
      assertThat(view.haState(before)).isEqualTo(ClusterView.STANDBY);
      assertThat(view.live()).hasSize(4);
      out.write(data, 1000, data.length - 1000);
    }
    assertThat(read(path)).isEqualTo(data);
    game.end(FAILOVER);
    game.begin(FAILOVER);
    game.end(FAILOVER);
    assertThat(view.activeNameNode()).isEqualTo(before);
  }

  @Test
  void killNameNode_theOtherOneServes_andTheKilledComesBackAsStandby() throws Exception {
    String killed = view.activeNameNode();
    game.begin(KILL);
    assertThat(view.running(killed)).isFalse();
    assertThat(view.activeNameNode()).isNotEqualTo(killed);
    assertThat(view.live()).hasSize(4);
    writeAndRead();
    game.end(KILL);
    assertThat(view.haState(killed)).isEqualTo(ClusterView.STANDBY);
    assertThat(view.live(killed)).hasSize(4);
  }

  @Test
  void killNameNode_calmEndsIt() throws Exception {
    game.begin(KILL);
    game.calm();
    assertThat(view.nameNodes()).allMatch(view::running);
  }

  @Test
  void decommission_isKnownAfterAFailoverToo() throws Exception {
    Fault decommission = new Fault(Kind.DECOMMISSION, "dn4", "", 0);
    game.begin(decommission);
    game.begin(FAILOVER);
    assertThat(view.live().get("dn4").adminState()).startsWith("Decommission");
    game.end(decommission);
    for (String nameNode : view.nameNodes()) {
      assertThat(view.live(nameNode).get("dn4").adminState()).isEqualTo("In Service");
    }
  }

  @Test
  void rollingUpgrade_isPreparedAndFinalized() throws Exception {
    Fault upgrade = new Fault(Kind.ROLLING_UPGRADE, "nn", "", 0);
    game.begin(upgrade);
    game.begin(FAILOVER);
    writeAndRead();
    game.end(upgrade);
  }
}
