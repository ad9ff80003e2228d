package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.Follower;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and the mover together, asked by a user without rights: the blocks are moved. */
@Timeout(300)
class FollowedAskIT {
  private static final int B = MoverCluster.BLOCK;

  /** Nothing of it is followed. */
  private static final String HOME = "/user/alice";

  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});

  private static MoverCluster cluster;
  private static FileMover mover;
  private static Follower follower;

  @BeforeAll
  @Timeout(300)
  static void start(@TempDir Path dir) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.set("dfs.storage.policy.satisfier.mode", "external");
    cluster = MoverCluster.start(conf, 4);
    cluster.fs().mkdirs(path(HOME));
    cluster.fs().setOwner(path(HOME), "alice", "users");
    cluster.fs().mkdirs(path("/followed"));
    mover = FileMover.open(conf("a"));
    follower = Follower.open(conf("a"), mover::move);
    follower.start();
    Await.until("active", () -> cluster.fs().exists(path("/spool")));
  }

  @AfterAll
  static void stop() {
    follower.close();
    mover.close();
    cluster.close();
  }

  private static Configuration conf(String instance) {
    Configuration conf = cluster.conf();
    conf.set("evenkeel.mover.follow.prefixes", "/followed");
    conf.set("evenkeel.mover.follow.instance", instance);
    conf.set("evenkeel.mover.follow.satisfier", "on");
    conf.set("evenkeel.mover.follow.spool", "/spool");
    conf.set("evenkeel.mover.follow.scan-interval", "0s");
    conf.set("evenkeel.mover.follow.poll-interval", "10ms");
    return conf;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static boolean hasSatisfier() {
    return Arrays.stream(NamenodeProtocol.class.getMethods())
        .anyMatch(m -> m.getName().equals("getNextSPSPath"));
  }

  private static void assumeSatisfier() throws Exception {
    assumeTrue(hasSatisfier(), "3.1 has no satisfier outside the NameNode");
    Await.until("served", () -> follower.status().getSatisfier().equals("on"));
  }

  /** Hadoop 3.1 has no such call. */
  private static void satisfy(DistributedFileSystem fs, String path) throws Exception {
    fs.getClass()
        .getMethod("satisfyStoragePolicy", org.apache.hadoop.fs.Path.class)
        .invoke(fs, path(path));
  }

  private interface Act {
    void with(DistributedFileSystem fs) throws Exception;
  }

  private static void asAlice(Act act) throws Exception {
    Configuration conf = cluster.conf();
    ALICE.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(conf)) {
                act.with((DistributedFileSystem) fs);
              }
              return null;
            });
  }

  /** Files of alice on DISK, under a policy that wants SSD from then on. */
  private static void write(String directory, String... files) throws Exception {
    for (String file : files) {
      cluster.write(directory + "/" + file, 2 * B, 3);
      cluster.fs().setOwner(path(directory + "/" + file), "alice", "users");
    }
    cluster.fs().setOwner(path(directory), "alice", "users");
    cluster.fs().setStoragePolicy(path(directory), "ALL_SSD");
  }

  private static void awaitOn(String type, String... files) throws Exception {
    try (HdfsConnection connection = cluster.connect()) {
      HdfsNamespace namespace = new HdfsNamespace(connection);
      for (String file : files) {
        MoverCluster.awaitAll(namespace, file, type, 3);
      }
    }
  }

  private static void awaitNoMark(String path) throws Exception {
    Await.until("no mark", () -> !cluster.fs().listXAttrs(path(path)).contains("user.hdfs.sps"));
  }

  @Test
  void satisfyStoragePolicy_fileOfAUser_isMovedAndItsMarkRemoved() throws Exception {
    assumeSatisfier();
    write(HOME + "/d", "f", "other");
    asAlice(fs -> satisfy(fs, HOME + "/d/f"));
    awaitOn("SSD", HOME + "/d/f");
    awaitNoMark(HOME + "/d/f");
    Await.until("ended", () -> follower.status().getQueued() == 0);
    awaitOn("DISK", HOME + "/d/other");
  }

  @Test
  void satisfyStoragePolicy_directory_allFilesBelowAreMovedAndItsMarkRemoved() throws Exception {
    assumeSatisfier();
    write(HOME + "/tree", "f", "g", "below/h");
    asAlice(fs -> satisfy(fs, HOME + "/tree"));
    awaitOn("SSD", HOME + "/tree/f", HOME + "/tree/g", HOME + "/tree/below/h");
    awaitNoMark(HOME + "/tree");
    Await.until("ended", () -> follower.status().getQueued() == 0);
  }

  /** Counts calls by renewals of the lease, one in 2 s, and leaves room for a busy machine. */
  @Test
  void idle_theNameNodeIsAskedOnlyWhatItsDocumentSays() throws Exception {
    try (Follower standby = Follower.open(conf("b"), mover::move)) {
      standby.start();
      Map<String, Long> start = cluster.calls();
      // at rest by then
      Await.until("renewals", () -> cluster.callsSince(start).getOrDefault("Fsync", 0L) >= 3);
      assertThat(follower.status().getQueued()).isZero();
      Map<String, Long> before = cluster.calls();
      Await.until("renewals", () -> cluster.callsSince(before).getOrDefault("Fsync", 0L) >= 4);
      Map<String, Long> calls = cluster.callsSince(before);
      calls.remove("RenewLease"); // of the client for its open files, one in 30 s
      calls.remove("IsFileClosed"); // of mover.id, one in 10 s, after a GetFileInfo
      double renewals = calls.remove("Fsync");
      Map<String, Integer> perRenewal = new HashMap<>();
      perRenewal.put("GetEditsFromTxid", 4);
      perRenewal.put("GetFileInfo", 2); // of the standby
      perRenewal.put("GetListing", 1); // of the spool directory
      if (hasSatisfier()) {
        perRenewal.put("GetNextSPSPath", 4);
      }
      assertThat(calls).containsOnlyKeys(perRenewal.keySet());
      perRenewal.forEach(
          (call, count) -> assertThat(calls.get(call) / renewals).as(call).isLessThan(4.0 * count));
    }
  }

  @Test
  void spool_requestOfAUser_isMovedAndAnswered() throws Exception {
    write(HOME + "/s", "f", "other");
    cluster.write("/notmine/f", B, 3);
    Await.until(
        "the directory is for anybody",
        () -> cluster.fs().getFileStatus(path("/spool")).getPermission().getStickyBit());
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(path("/spool/r"))) {
            String lines = HOME + "/s/f\n/notmine/f\n";
            out.write(lines.getBytes(StandardCharsets.UTF_8));
          }
        });
    Await.until("the answer", () -> cluster.fs().exists(path("/spool/r.done")));
    awaitOn("SSD", HOME + "/s/f");
    awaitOn("DISK", HOME + "/s/other");
    asAlice( // the answer is hers
        fs -> {
          try (InputStream in = fs.open(path("/spool/r.done"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(HOME + "/s/f\tsatisfied\n/notmine/f\trefused: permission denied\n");
          }
        });
    assertThat(cluster.fs().exists(path("/spool/r"))).isFalse();
  }
}
