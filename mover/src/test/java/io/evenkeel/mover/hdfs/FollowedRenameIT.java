package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.engine.Namespace;
import io.evenkeel.mover.follow.Follower;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and the mover together: what stock never does, the blocks follow a rename. */
@Timeout(300)
class FollowedRenameIT {
  private static final int B = MoverCluster.BLOCK;
  private static final int FILES = 15;

  private static MoverCluster cluster;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.ls.limit", 5); // a directory has some pages
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500); // dead after 11 s
    cluster = MoverCluster.start(conf, 4);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static DistributedFileSystem fs() throws IOException {
    return cluster.fs();
  }

  private static void directory(String path, String policy) throws IOException {
    fs().mkdirs(path(path));
    fs().setStoragePolicy(path(path), policy);
  }

  private static Configuration conf(String directory, String... prefixes) {
    Configuration conf = cluster.conf();
    conf.setStrings("evenkeel.mover.follow.prefixes", prefixes);
    conf.set("evenkeel.mover.follow.directory", directory);
    return conf;
  }

  private static void awaitActive(Follower follower) throws Exception {
    Await.until("active", () -> follower.status().getState().equals("active"));
  }

  @Test
  void renameIntoThePrefix_movedByTheDaemonAlone() throws Exception {
    directory("/cold", "COLD");
    directory("/hot", "ALL_SSD");
    byte[] data = cluster.write("/cold/d/f", 10 * B, 3);
    Configuration conf = conf("/system/follow-a", "/hot");
    try (FileMover mover = FileMover.open(conf);
        Follower follower = Follower.open(conf, mover::move)) {
      follower.start();
      awaitActive(follower);

      fs().rename(path("/cold/d"), path("/hot/d"));

      awaitOn("SSD", "/hot/d/f");
      Await.until("the last answers", () -> follower.status().getReplicasMoved() >= 30);
      assertThat(follower.status().getBytesLocal()).isEqualTo(30L * B);
    }
    assertThat(cluster.read("/hot/d/f")).isEqualTo(data);
  }

  @Test
  void daemonStoppedWhileItMoved_theNextOneFinishes() throws Exception {
    directory("/cold2", "COLD");
    directory("/hot2", "ALL_SSD");
    for (int f = 0; f < FILES; f++) {
      cluster.write("/cold2/d/f" + f, 3 * B, 3);
    }
    Configuration conf = conf("/system/follow-b", "/hot2");
    conf.set("evenkeel.mover.bandwidth-per-datanode", "1m"); // so that it is not done at once
    FileMover first = FileMover.open(conf);
    Follower stopped = Follower.open(conf, first::move);
    stopped.start();
    awaitActive(stopped);
    fs().rename(path("/cold2/d"), path("/hot2/d"));
    Await.until("it moves", () -> stopped.status().getReplicasMoved() > 0);
    stopped.close();
    first.close();
    assertThat(stopped.status().getReplicasMoved()).isLessThan(FILES * 3L * 3);

    Configuration again = conf("/system/follow-b", "/hot2");
    try (FileMover mover = FileMover.open(again);
        Follower follower = Follower.open(again, mover::move)) {
      follower.start();
      for (int f = 0; f < FILES; f++) {
        awaitOn("SSD", "/hot2/d/f" + f);
      }
    }
  }

  @Test
  void scan_whereOurOwnDirectoryIs_itsOpenFilesHaveNotFailed() throws Exception {
    directory("/own", "HOT");
    Configuration conf = conf("/own/follow-c", "/own");
    conf.set("evenkeel.mover.follow.scan-interval", "6h");
    conf.set("evenkeel.mover.follow.retries", "0");
    try (FileMover mover = FileMover.open(conf);
        Follower follower = Follower.open(conf, mover::move)) {
      follower.start(); // and scans, the first time
      Await.until(
          "the scan has its end",
          () -> follower.status().getAttempts() > 0 && follower.status().getQueued() == 0);
      assertThat(follower.status().getFilesFailed()).isZero();
      assertThat(follower.status().getLastError()).isEmpty();
    }
  }

  private static void awaitOn(String type, String file) throws Exception {
    try (HdfsConnection connection = cluster.connect()) {
      MoverCluster.awaitAll(new HdfsNamespace(connection), file, type, 3);
    }
  }

  /** What was renamed may be a directory: asked for among files, it would be listed to its end. */
  @Test
  void directoryAmongFiles_isListedForNothingNoFurtherThanAPage() throws Exception {
    for (int i = 0; i < 2 * FILES; i++) {
      cluster.write("/many/f" + i, B, 1);
    }
    cluster.write("/single", B, 1);
    try (HdfsConnection connection = cluster.connect()) {
      Namespace namespace = new HdfsNamespace(connection);
      Map<String, Long> before = cluster.allCalls();
      List<FileView> files = namespace.files(List.of("/many", "/single", "/none", "/many/f3"));
      assertThat(files).hasSize(4);
      assertThat(files.get(0)).isNull();
      assertThat(files.get(1).path()).isEqualTo("/single");
      assertThat(files.get(2)).isNull();
      assertThat(files.get(3).path()).isEqualTo("/many/f3");
      cluster.allCalls();
      Map<String, Long> calls = cluster.callsSince(before);
      long listings =
          calls.getOrDefault("GetBatchedListing", 0L) + calls.getOrDefault("GetListing", 0L);
      assertThat(listings).as("six pages are in the directory").isLessThanOrEqualTo(4);
    }
  }

  /**
   * Each alone took a located listing, of 32 at once, and a place until its old replica is gone.
   */
  @Test
  void manyFilesAreRenamedOneByOne_readTogetherAndATreeAmongThemAlone() throws Exception {
    directory("/cold3", "COLD");
    directory("/hot3", "ALL_SSD");
    int renames = 200;
    for (int i = 0; i < renames; i++) {
      cluster.write("/cold3/f" + i, B, 1);
    }
    for (int i = 0; i < FILES; i++) {
      cluster.write("/cold3/tree/g" + i, B, 1);
    }
    Configuration conf = conf("/system/follow-d", "/hot3");
    try (FileMover mover = FileMover.open(conf);
        Follower follower = Follower.open(conf, mover::move);
        HdfsConnection connection = cluster.connect()) {
      assumeTrue(new HdfsNamespace(connection).filesOfOneCall() > 1, "no batched listings");
      follower.start();
      awaitActive(follower);
      Await.until("nothing waits", () -> follower.status().getQueued() == 0);
      Map<String, Long> before = cluster.allCalls();
      for (int i = 0; i < renames; i++) {
        fs().rename(path("/cold3/f" + i), path("/hot3/f" + i));
        if (i == renames / 2) {
          fs().rename(path("/cold3/tree"), path("/hot3/tree"));
        }
      }
      Await.until(
          "all have their end", () -> follower.status().getFilesSatisfied() == renames + FILES);
      cluster.allCalls();
      Map<String, Long> calls = cluster.callsSince(before);
      assertThat(calls.getOrDefault("GetBatchedListing", 0L) + calls.getOrDefault("GetListing", 0L))
          .as("calls for the files: %s", calls)
          .isLessThan(
              renames * 3 / 4); // of five files each here; a look, and before and after moves
      assertThat(follower.status().getFilesFailed()).isZero();
    }
  }

  /** As stock's satisfier looks again at blocks with low redundancy. */
  @Test
  void replicaWasAway_comesBackBeforeItIsReplaced_isMovedToo() throws Exception {
    directory("/cold4", "COLD");
    directory("/hot4", "ALL_SSD");
    cluster.write("/cold4/f", B, 3);
    List<String> holders =
        List.of(fs().getFileBlockLocations(path("/cold4/f"), 0, B)[0].getNames());
    String without =
        cluster.mini().getDataNodes().stream()
            .map(node -> node.getDatanodeId().getXferAddr())
            .filter(name -> !holders.contains(name))
            .findFirst()
            .orElseThrow();
    // where the NameNode would replace the one of the holder
    DataNodeProperties other = cluster.mini().stopDataNode(without);
    DataNodeProperties holder = cluster.mini().stopDataNode(holders.get(0));
    Await.until("both are dead", () -> cluster.mini().getNamesystem().getNumDeadDataNodes() == 2);
    Configuration conf = conf("/system/follow-e", "/hot4");
    conf.set("evenkeel.mover.follow.retry-wait", "500ms");
    try (FileMover mover = FileMover.open(conf);
        Follower follower = Follower.open(conf, mover::move)) {
      follower.start();
      awaitActive(follower);
      fs().rename(path("/cold4/f"), path("/hot4/f"));
      Await.until("two are right", () -> follower.status().getFilesSatisfied() > 0);

      cluster.mini().restartDataNode(holder, true);

      awaitOn("SSD", "/hot4/f");
      assertThat(follower.status().getFilesFailed()).isZero();
    } finally {
      cluster.mini().restartDataNode(other, true);
      cluster.mini().waitActive();
    }
  }

  /** What lacks replicas for ever, and has left the prefix, is no business of the daemon. */
  @Test
  void fileThatLacksReplicas_renamedOutOfThePrefix_isNotMoved() throws Exception {
    directory("/stage5", "ALL_SSD");
    directory("/hot5", "ALL_SSD");
    directory("/archive5", "COLD");
    cluster.write("/stage5/f", B, 3);
    fs().setReplication(path("/stage5/f"), (short) 10);
    Configuration conf = conf("/system/follow-f", "/hot5");
    conf.set("evenkeel.mover.follow.retry-wait", "2s");
    conf.set("evenkeel.mover.follow.retries", "2");
    try (FileMover mover = FileMover.open(conf);
        Follower follower = Follower.open(conf, mover::move)) {
      follower.start();
      awaitActive(follower);
      fs().rename(path("/stage5/f"), path("/hot5/f"));
      Await.until("it is right", () -> follower.status().getFilesSatisfied() > 0);
      fs().rename(path("/hot5/f"), path("/archive5/f"));
      Await.until("nothing waits", () -> follower.status().getQueued() == 0);
      assertThat(follower.status().getReplicasMoved()).isZero();
    }
  }
}
