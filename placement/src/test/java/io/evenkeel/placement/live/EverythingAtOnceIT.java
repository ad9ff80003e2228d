package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Four hosts with four DataNodes each under a write load, Balancer and fsck running again and
 * again: one host goes into maintenance, another is decommissioned, the NameNode fails over, and
 * maintenance ends.
 */
@Tag("slow")
@Timeout(600)
class EverythingAtOnceIT {
  private static final int WRITERS = 3;
  private static final int SIZE = 3 * Shape.BLOCK;

  private final AtomicInteger number = new AtomicInteger();
  private TestCluster cluster;
  private TestFiles files;
  private int active;

  @Test
  void maintenanceDecommissionAndFailover_underLoad_endWithEveryRuleKept() throws Exception {
    Shape shape = new Shape(2, 2, 4).withTwoNameNodes();
    // on every host the Balancer finds something to move
    shape.capacityOfEveryOther(24 * 1024 * 1024L, 48 * 1024 * 1024L);
    try (TestCluster started = start(shape)) {
      cluster = started;
      files = new TestFiles(cluster.fs());
      files.write("/first", 30, SIZE);
      List<Tools.Loop> loops = new ArrayList<>();
      try {
        startLoops(loops);
        changeEverything();
        for (Tools.Loop loop : loops) {
          loop.finish();
        }
      } finally {
        for (Tools.Loop loop : loops) {
          loop.close();
        }
      }
      comeToRest();
    }
  }

  TestCluster start(Shape shape) throws Exception {
    return shape.ours();
  }

  private void startLoops(List<Tools.Loop> loops) throws Exception {
    for (int i = 0; i < WRITERS; i++) {
      loops.add(new Tools.Loop("writer " + i, this::writeAndSometimesDelete));
    }
    loops.add(new Tools.Loop("fsck", this::fsck));
    loops.add(new Tools.Loop("balancer", this::balance));
    int before = files.count();
    Await.until("load", Duration.ofSeconds(60), () -> files.count() > before + 10, files::count);
  }

  private int writeAndSometimesDelete() throws IOException, InterruptedException {
    int id = number.incrementAndGet();
    files.write("/load" + id, SIZE);
    if (id % 3 == 0) {
      cluster.fs().create(new Path("/gone" + id)).close();
      cluster.fs().delete(new Path("/gone" + id), false);
    }
    Await.pause(300);
    return id;
  }

  /** While NameNodes change over, it may find none that is active. */
  private String fsck() throws Exception {
    String text = Tools.fsck(cluster.clientConf(), "/");
    assertThat(text).doesNotContain("is CORRUPT");
    Await.pause(1000);
    return text;
  }

  /** It ends early when the NameNode it talks to changes, or when nothing may be moved. */
  private int balance() throws Exception {
    return Tools.balancer(cluster.clientConf(), "-threshold", "1");
  }

  private void changeEverything() throws Exception {
    cluster.admin("n2", AdminStates.IN_MAINTENANCE);
    cluster.admin("n3", AdminStates.DECOMMISSIONED);
    cluster.mini().transitionToStandby(0);
    cluster.mini().transitionToActive(1);
    active = 1;
    int before = files.count();
    Await.until(
        "writing goes on", Duration.ofSeconds(90), () -> files.count() > before + 5, files::count);
    reaches("n2", AdminStates.IN_MAINTENANCE);
    reaches("n3", AdminStates.DECOMMISSIONED);
    cluster.admin("n2", AdminStates.NORMAL);
    reaches("n2", AdminStates.NORMAL);
    int after = files.count();
    Await.until(
        "writing goes on", Duration.ofSeconds(90), () -> files.count() > after + 5, files::count);
  }

  private void reaches(String host, AdminStates state) throws Exception {
    Await.until(
        host + " is " + state,
        Duration.ofSeconds(180),
        () -> cluster.in(host, state),
        cluster::survey);
  }

  private long queued() {
    BlockManager manager = cluster.mini().getNamesystem(active).getBlockManager();
    return manager.getLowRedundancyBlocksCount()
        + manager.getPendingReconstructionBlocksCount()
        + manager.getPostponedMisreplicatedBlocksCount()
        + manager.getPendingDeletionBlocksCount();
  }

  /**
   * While two hosts were out, blocks shared one of the two others; a host that comes back has
   * nothing looked at again by itself, as in stock, so the operator asks for it.
   */
  private void comeToRest() throws Exception {
    assertThat(cluster.moves()).as("moves of the Balancer").isPositive();
    active = cluster.lookAgain(active);
    Await.until(
        "the rules are kept",
        Duration.ofSeconds(120),
        () -> cluster.survey().good(),
        cluster::survey);
    Await.until("the queue is empty", Duration.ofSeconds(120), () -> queued() == 0, this::queued);
    Settled.value("copies", 10, cluster::copies);
    assertThat(cluster.survey().good()).as(cluster.survey().toString()).isTrue();
    assertThat(queued()).isZero();
    assertThat(Tools.fsck(cluster.clientConf(), "/"))
        .contains("is HEALTHY")
        .containsPattern("Mis-replicated blocks:\\s+0 ");
    files.check();
  }
}
