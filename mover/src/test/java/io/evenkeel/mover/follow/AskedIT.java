package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import io.evenkeel.mover.hdfs.MoverIdFile;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of users without rights of their own. */
@Timeout(180)
class AskedIT {
  private static final String SATISFIER = "evenkeel.mover.follow.satisfier";
  private static final String ATTRIBUTE = "user.hdfs.sps";

  private final Recorder mover = new Recorder();
  private final UserGroupInformation alice =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
  private FollowFixture hdfs;

  @BeforeEach
  void start() throws IOException {
    hdfs = FollowFixture.start("dfs.storage.policy.satisfier.mode", "external");
    hdfs.fs().mkdirs(new Path("/user/alice"));
    hdfs.fs().setOwner(new Path("/user/alice"), "alice", "users");
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private static void assumeSatisfier() {
    assumeTrue(
        Arrays.stream(NamenodeProtocol.class.getMethods())
            .anyMatch(m -> m.getName().equals("getNextSPSPath")),
        "3.1 has no satisfier outside the NameNode");
  }

  /** Hadoop 3.1 has no such call. */
  private static void satisfy(DistributedFileSystem fs, Path path) throws Exception {
    fs.getClass().getMethod("satisfyStoragePolicy", Path.class).invoke(fs, path);
  }

  private interface Act {
    void with(DistributedFileSystem fs) throws Exception;
  }

  private void asAlice(Act act) throws Exception {
    Configuration conf = hdfs.conf("a");
    alice.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(conf)) {
                act.with((DistributedFileSystem) fs);
              }
              return null;
            });
  }

  private String inode(String path) throws IOException {
    return "/.reserved/.inodes/" + hdfs.fs().getClient().getFileInfo(path).getFileId();
  }

  @Test
  void satisfyStoragePolicy_ofAUser_isAskedForAndItsMarkRemovedOnlyAtTheEnd() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    hdfs.fs().setOwner(new Path("/user/alice/f"), "alice", "users");
    mover.answer(path -> null);
    Follower first = hdfs.follow(mover, "a", SATISFIER, "on");
    FollowFixture.awaitActive(first);
    asAlice(fs -> satisfy(fs, new Path("/user/alice/f")));
    String inode = inode("/user/alice/f");
    FollowFixture.await(() -> mover.asked.contains(inode), "the inode is asked for");
    assertThat(hdfs.fs().listXAttrs(new Path("/user/alice/f"))).contains(ATTRIBUTE);
    first.kill();

    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a", SATISFIER, "on");
    FollowFixture.await(() -> second.asked.contains(inode), "asked for again after a crash");
    FollowFixture.await(() -> again.status().getQueued() == 0, "ended");
    assertThat(hdfs.fs().listXAttrs(new Path("/user/alice/f"))).doesNotContain(ATTRIBUTE);
    FollowFixture.await(() -> again.status().getSatisfier().equals("on"), "served after a crash");
  }

  @Test
  void satisfyStoragePolicy_finalFailure_removesTheMark() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    mover.answer(path -> FileOutcome.NO_TARGET);
    Follower follower =
        hdfs.follow(mover, "a", SATISFIER, "on", "evenkeel.mover.follow.retries", "1");
    FollowFixture.awaitActive(follower);
    satisfy(hdfs.fs(), new Path("/user/alice/f"));
    FollowFixture.await(() -> follower.status().getFilesFailed() == 1, "given up");
    FollowFixture.await(() -> follower.status().getQueued() == 0, "ended");
    assertThat(mover.asked).hasSize(2);
    assertThat(hdfs.fs().listXAttrs(new Path("/user/alice/f"))).doesNotContain(ATTRIBUTE);
  }

  @Test
  void libraryOfAUser_handsOverWhatItMayAndReportsTheRest() throws Exception {
    assumeSatisfier();
    for (String file : List.of("/user/alice/f", "/user/alice/g1", "/closed/f")) {
      hdfs.file(file);
    }
    hdfs.fs().setOwner(new Path("/user/alice/f"), "alice", "users");
    hdfs.fs().setOwner(new Path("/user/alice/g1"), "alice", "users");
    hdfs.fs().setPermission(new Path("/closed"), new FsPermission((short) 0700));
    MoveRequest request =
        MoveRequest.of("/user/alice/f", "/closed/f", "/user/alice/none")
            .globs("/user/alice/g*", "/closed/*", "/user/alice/h*", "/user/alice/[")
            .build();

    MoveReport report =
        alice.doAs(
            (PrivilegedExceptionAction<MoveReport>)
                () -> {
                  try (FileMover own = FileMover.open(hdfs.conf("a"))) {
                    return own.move(request).get(60, TimeUnit.SECONDS);
                  }
                });

    assertThat(report.listed())
        .extracting(file -> file.path() + " " + file.outcome())
        .containsExactlyInAnyOrder(
            "/user/alice/f HANDED_OVER",
            "/user/alice/g1 HANDED_OVER",
            "/closed/f DENIED",
            "/closed/* DENIED",
            "/user/alice/none MISSING",
            "/user/alice/h* MISSING",
            "/user/alice/[ FAILED");
    Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
    FollowFixture.awaitActive(follower);
    for (String file : List.of("/user/alice/f", "/user/alice/g1")) {
      String inode = inode(file);
      FollowFixture.await(() -> mover.asked.contains(inode), file + " is asked for");
    }
  }

  @Test
  void satisfier_anotherToolRuns_waitsForItAndTakesNothing() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    try (FileSystem other = FileSystem.newInstance(hdfs.conf("a"))) {
      OutputStream id = other.create(MoverIdFile.FILE);
      id.write("stock".getBytes(StandardCharsets.UTF_8));
      ((org.apache.hadoop.fs.FSDataOutputStream) id).hflush();
      Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
      FollowFixture.await(() -> follower.status().getSatisfier().startsWith("waiting"), "waiting");
      satisfy(hdfs.fs(), new Path("/user/alice/f"));
      FollowFixture.pause(2_000);
      assertThat(mover.asked).isEmpty();
      id.close();
      FollowFixture.await(() -> mover.asked.size() == 1, "served once the other has ended");
    }
  }

  /** As after a stop of more than a minute, when stock's satisfier has recovered the lease. */
  @Test
  void satisfier_fileGoneToAnotherTool_takesNothingBesideIt() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
    FollowFixture.await(() -> follower.status().getSatisfier().equals("on"), "served");
    hdfs.fs().allowSnapshot(MoverIdFile.FILE.getParent());
    hdfs.fs().createSnapshot(MoverIdFile.FILE.getParent()); // keeps the inode
    try (FileSystem other = FileSystem.newInstance(hdfs.conf("a"))) {
      DistributedFileSystem stock = (DistributedFileSystem) other;
      FollowFixture.await(() -> recovered(stock), "closed for us");
      stock.delete(MoverIdFile.FILE, false);
      OutputStream id = stock.create(MoverIdFile.FILE, false);
      FollowFixture.await(() -> follower.status().getSatisfier().startsWith("waiting"), "noticed");
      satisfy(hdfs.fs(), new Path("/user/alice/f"));
      FollowFixture.pause(2_000);
      assertThat(mover.asked).isEmpty();
      id.close();
      FollowFixture.await(() -> mover.asked.size() == 1, "served once the other has ended");
    }
  }

  private static boolean recovered(DistributedFileSystem fs) {
    try {
      return fs.recoverLease(MoverIdFile.FILE);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void satisfier_offOnTheNameNode_saysSo() throws Exception {
    assumeSatisfier();
    hdfs.close();
    hdfs = FollowFixture.start("dfs.storage.policy.satisfier.mode", "none");
    Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
    FollowFixture.await(
        () -> follower.status().getSatisfier().contains("mode is NONE"), "the reason");
    hdfs.file("/hot/f");
    FollowFixture.await(() -> mover.asked.contains("/hot/f"), "events all the same");
  }

  @Test
  void spool_fileOfAUser_onlyPathsTheUserMayWriteAreAskedFor() throws Exception {
    hdfs.file("/user/alice/mine");
    hdfs.fs().setOwner(new Path("/user/alice/mine"), "alice", "users");
    hdfs.file("/cold/notmine");
    hdfs.fs().mkdirs(new Path("/secret"), new FsPermission((short) 0700));
    hdfs.file("/secret/open");
    hdfs.fs().setPermission(new Path("/secret/open"), new FsPermission((short) 0666));
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.await(() -> exists("/spool"), "the directory is made");
    FollowFixture.awaitActive(follower);
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/request-1"))) {
            out.write(
                "/user/alice/mine\n/cold/notmine\n/secret/open\n/nowhere\nrelative\n\n"
                    .getBytes(StandardCharsets.UTF_8));
          }
        });
    FollowFixture.await(() -> exists("/spool/request-1.done"), "the result");
    assertThat(mover.asked).containsExactly("/user/alice/mine");
    assertThat(lines("/spool/request-1.done"))
        .containsExactly(
            "/user/alice/mine\tsatisfied",
            "/cold/notmine\trefused: permission denied",
            "/secret/open\trefused: permission denied",
            "/nowhere\trefused: no such path",
            "relative\trefused: not an absolute path");
    assertThat(hdfs.fs().getFileStatus(new Path("/spool/request-1.done")).getOwner())
        .isEqualTo("alice");
    assertThat(exists("/spool/request-1")).isFalse();
  }

  @Test
  void spool_pathsWrittenInOtherWays_areAnsweredByWhatHdfsCallsThem() throws Exception {
    hdfs.file("/user/alice/d/f");
    hdfs.fs().setOwner(new Path("/user/alice/d"), "alice", "users");
    hdfs.fs().setPermission(new Path("/user/alice/d/f"), new FsPermission((short) 0777));
    mover.answer(path -> FileOutcome.UNSUPPORTED_EC_POLICY);
    spool("r", "/user/alice/d/\n/user//alice/d\n/user/alice/x/../d\n/user/alice/d/f/below\n");
    FollowFixture.await(() -> exists("/spool/r.done"), "the result");
    assertThat(mover.asked).containsOnly("/user/alice/d");
    assertThat(lines("/spool/r.done"))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("/user/alice/d\tnot satisfied, 1: "))
        .contains("/user/alice/d/f/below\trefused: no such path");
  }

  @Test
  void spool_moreRefusedThanCanBeJournalled_isAnsweredAndNobodyElseSuffers() throws Exception {
    hdfs.file("/user/alice/f");
    hdfs.fs().setOwner(new Path("/user/alice/f"), "alice", "users");
    StringBuilder many = new StringBuilder("/user/alice/f\n");
    for (int i = 0; i < 60_000; i++) {
      many.append(Integer.toString(i, 36)).append('\n');
    }
    Follower follower = spool("many", many.toString());
    FollowFixture.await(() -> exists("/spool/many.done"), "the result");
    assertThat(lines("/spool/many.done")).singleElement().asString().contains("too many paths");
    assertThat(follower.status().getActivations()).isEqualTo(1);
    assertThat(exists("/spool/many")).isFalse();
  }

  @Test
  void spool_resultOfSomebodyElse_isNotReplaced() throws Exception {
    hdfs.file("/user/alice/f");
    hdfs.fs().setOwner(new Path("/user/alice/f"), "alice", "users");
    hdfs.fs().create(new Path("/spool/r.done")).close();
    hdfs.fs().setPermission(new Path("/spool"), new FsPermission((short) 01777));
    spool("r", "/user/alice/f\n");
    asAlice(fs -> fs.create(new Path("/spool/" + "n".repeat(201))).close());
    asAlice(fs -> fs.create(new Path("/spool/next")).close());
    FollowFixture.await(() -> exists("/spool/next.done"), "the spool was read after r");
    assertThat(mover.asked).isEmpty();
    assertThat(exists("/spool/r")).isTrue();
    hdfs.fs().delete(new Path("/spool/r.done"), false);
    FollowFixture.await(() -> exists("/spool/r.done"), "its turn came");
    assertThat(lines("/spool/r.done")).containsExactly("/user/alice/f\tsatisfied");
  }

  /** A daemon, and a request of alice. */
  private Follower spool(String name, String lines) throws Exception {
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.awaitActive(follower);
    FollowFixture.await(() -> exists("/spool"), "the directory is made");
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/" + name))) {
            out.write(lines.getBytes(StandardCharsets.UTF_8));
          }
        });
    return follower;
  }

  @Test
  void spool_nothingAllowed_isAnsweredAndAsksForNothing() throws Exception {
    hdfs.file("/cold/notmine");
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.awaitActive(follower);
    FollowFixture.await(() -> exists("/spool"), "the directory is made");
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/r"))) {
            out.write("/cold/notmine\n".getBytes(StandardCharsets.UTF_8));
          }
        });
    FollowFixture.await(() -> exists("/spool/r.done"), "the result");
    assertThat(lines("/spool/r.done")).containsExactly("/cold/notmine\trefused: permission denied");
    assertThat(mover.asked).isEmpty();
  }

  private boolean exists(String path) {
    try {
      return hdfs.fs().exists(new Path(path));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> lines(String path) throws IOException {
    try (InputStream in = hdfs.fs().open(new Path(path))) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
    }
  }
}
