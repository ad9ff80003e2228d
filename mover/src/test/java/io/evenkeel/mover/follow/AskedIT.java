package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import io.evenkeel.mover.hdfs.MoverIdFile;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of users without rights of their own. */
@Timeout(180)
class AskedIT {
  private static final String SATISFIER = "evenkeel.mover.follow.satisfier";
  private static final String ATTRIBUTE = "user.hdfs.sps";

  private static final String MODE = "dfs.storage.policy.satisfier.mode";

  private static FollowFixture hdfs;

  private final Recorder mover = new Recorder();
  private final UserGroupInformation alice =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});

  @BeforeAll
  static void start() throws IOException {
    hdfs = FollowFixture.start(MODE, "external");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void clear() throws IOException {
    hdfs.clear();
    hdfs.fs().mkdirs(new Path("/user/alice"));
    hdfs.fs().setOwner(new Path("/user/alice"), "alice", "users");
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
    Await.until("the inode is asked for", () -> mover.asked.contains(inode));
    assertThat(hdfs.fs().listXAttrs(new Path("/user/alice/f"))).contains(ATTRIBUTE);
    first.kill();

    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a", SATISFIER, "on");
    Await.until("asked for again after a crash", () -> second.asked.contains(inode));
    Await.until("ended", () -> again.status().getQueued() == 0);
    assertThat(hdfs.fs().listXAttrs(new Path("/user/alice/f"))).doesNotContain(ATTRIBUTE);
    Await.until("served after a crash", () -> again.status().getSatisfier().equals("on"));
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
    Await.until("given up", () -> follower.status().getFilesFailed() == 1);
    Await.until("ended", () -> follower.status().getQueued() == 0);
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
      Await.until(file + " is asked for", () -> mover.asked.contains(inode));
    }
  }

  @Test
  void satisfier_anotherToolRuns_waitsForItAndTakesNothing() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    try (FileSystem other = FileSystem.newInstance(hdfs.conf("a"))) {
      OutputStream id = other.create(MoverIdFile.FILE);
      id.write("stock".getBytes(StandardCharsets.UTF_8));
      ((FSDataOutputStream) id).hflush();
      satisfy(hdfs.fs(), new Path("/user/alice/f"));
      long taken = hdfs.calls("GetNextSPSPath");
      Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
      Await.until("waiting", () -> follower.status().getSatisfier().startsWith("waiting"));
      awaitAttempt();
      assertThat(hdfs.calls("GetNextSPSPath")).isEqualTo(taken);
      assertThat(mover.asked).isEmpty();
      id.close();
      Await.until("served once the other has ended", () -> mover.asked.size() == 1);
    }
  }

  /** As after a stop of more than a minute, when stock's satisfier has recovered the lease. */
  @Test
  @Tag("slow") // waits for two leases
  void satisfier_fileGoneToAnotherTool_takesNothingBesideIt() throws Exception {
    assumeSatisfier();
    hdfs.file("/user/alice/f");
    Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
    Await.until("served", () -> follower.status().getSatisfier().equals("on"));
    hdfs.fs().allowSnapshot(MoverIdFile.FILE.getParent());
    hdfs.fs().createSnapshot(MoverIdFile.FILE.getParent(), "s"); // keeps the inode
    try (FileSystem other = FileSystem.newInstance(hdfs.conf("a"))) {
      DistributedFileSystem stock = (DistributedFileSystem) other;
      Await.until("closed for us", () -> recovered(stock));
      stock.delete(MoverIdFile.FILE, false);
      OutputStream id = stock.create(MoverIdFile.FILE, false);
      Await.until("noticed", () -> follower.status().getSatisfier().startsWith("waiting"));
      satisfy(hdfs.fs(), new Path("/user/alice/f"));
      awaitAttempt();
      assertThat(mover.asked).isEmpty();
      id.close();
      Await.until("served once the other has ended", () -> mover.asked.size() == 1);
    } finally {
      hdfs.fs().deleteSnapshot(MoverIdFile.FILE.getParent(), "s");
      hdfs.fs().disallowSnapshot(MoverIdFile.FILE.getParent());
    }
  }

  /** Who finds the file appends to it first; while another one writes it, that call fails so. */
  private static void awaitAttempt() throws Exception {
    String failure = AlreadyBeingCreatedException.class.getSimpleName();
    long before = hdfs.calls(failure);
    Await.until("another attempt", () -> hdfs.calls(failure) > before);
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
    hdfs.cluster().getNameNode().reconfigureProperty(MODE, "none");
    try {
      Follower follower = hdfs.follow(mover, "a", SATISFIER, "on");
      Await.until("the reason", () -> follower.status().getSatisfier().contains("mode is NONE"));
      hdfs.arrives("/hot/f");
      Await.until("events all the same", () -> mover.asked.contains("/hot/f"));
    } finally {
      hdfs.cluster().getNameNode().reconfigureProperty(MODE, "external");
    }
  }

  /** What it takes from the NameNode's queue then nobody knows of, for another owns the journal. */
  @Test
  void satisfier_leaseCannotBeRenewed_theQueueIsLeftToTheNextDaemon() throws Exception {
    assumeSatisfier();
    Follower first = hdfs.follow(mover, "a", SATISFIER, "on");
    Await.until("served", () -> first.status().getSatisfier().equals("on"));
    for (int i = 0; i < 12; i++) {
      hdfs.file("/user/alice/f" + i);
    }
    Recorder second = new Recorder();
    Follower next = hdfs.follow(second, "b", SATISFIER, "on");
    CountDownLatch hangs = hang(first);
    FollowFixture.awaitActive(next);
    List<String> asked = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      satisfy(hdfs.fs(), new Path("/user/alice/f" + i));
      asked.add(inode("/user/alice/f" + i));
    }
    Await.until("all are asked for", () -> second.asked.containsAll(asked));
    hangs.countDown();
  }

  /** Renewals of its lease hang until it is let go, as where the DataNode of that file hangs. */
  private static CountDownLatch hang(Follower follower) throws Exception {
    Object lease = field(follower, "lease");
    Object stream = ((FSDataOutputStream) field(lease, "out")).getWrappedStream();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () -> {
              synchronized (stream) {
                begun.countDown();
                awaitQuietly(end);
              }
            });
    holder.setDaemon(true);
    holder.start();
    begun.await();
    return end;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Object field(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  /** Each attempt to answer would leave a file, until the directory takes no more of anybody. */
  @Test
  void spool_aDirectoryIsWhereTheAnswerBelongs_nothingIsLeftBehind() throws Exception {
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    awaitSpool();
    asAlice(
        fs -> {
          fs.mkdirs(new Path("/spool/r.done/x"));
          write(fs, "/spool/r", "/none\n");
        });
    long calls = hdfs.calls("GetListing");
    Await.until("looked at some times", () -> hdfs.calls("GetListing") > calls + 4);
    assertThat(hdfs.fs().listStatus(new Path("/spool")))
        .extracting(status -> status.getPath().getName())
        .containsExactlyInAnyOrder("r", "r.done");
    assertThat(follower.status().getQueued()).isZero();
  }

  /** It waits; reading it would ask the NameNode for each of its paths every time. */
  @Test
  void spool_answerOfAnotherUserIsInTheWay_theRequestIsNotReadAgainAndAgain() throws Exception {
    hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    awaitSpool();
    write(hdfs.fs(), "/spool/r.done", "old\n");
    asAlice(
        fs -> {
          StringBuilder paths = new StringBuilder();
          for (int i = 0; i < 1_000; i++) {
            paths.append("/user/alice/f").append(i).append('\n');
          }
          write(fs, "/spool/r", paths.toString());
        });
    long listings = hdfs.calls("GetListing");
    long before = hdfs.calls("GetFileInfo");
    Await.until("looked at some times", () -> hdfs.calls("GetListing") > listings + 4);
    assertThat(hdfs.calls("GetFileInfo") - before).isLessThan(100);
    assertThat(hdfs.fs().exists(new Path("/spool/r"))).isTrue();
  }

  private static void awaitSpool() throws Exception {
    Path spool = new Path("/spool");
    Await.until(
        "spool",
        () ->
            hdfs.fs().exists(spool)
                && hdfs.fs().getFileStatus(spool).getPermission().getStickyBit());
  }

  private static void write(DistributedFileSystem fs, String path, String text) throws IOException {
    try (OutputStream out = fs.create(new Path(path))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
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
    Await.until("the directory is made", () -> exists("/spool"));
    FollowFixture.awaitActive(follower);
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/request-1"))) {
            out.write(
                "/user/alice/mine\n/cold/notmine\n/secret/open\n/nowhere\nrelative\n\n"
                    .getBytes(StandardCharsets.UTF_8));
          }
        });
    Await.until("the result", () -> exists("/spool/request-1.done"));
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
    Await.until("the result", () -> exists("/spool/r.done"));
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
    Await.until("the result", () -> exists("/spool/many.done"));
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
    Await.until("the spool was read after r", () -> exists("/spool/next.done"));
    assertThat(mover.asked).isEmpty();
    assertThat(exists("/spool/r")).isTrue();
    hdfs.fs().delete(new Path("/spool/r.done"), false);
    Await.until("its turn came", () -> exists("/spool/r.done"));
    assertThat(lines("/spool/r.done")).containsExactly("/user/alice/f\tsatisfied");
  }

  /** A daemon, and a request of alice. */
  private Follower spool(String name, String lines) throws Exception {
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.awaitActive(follower);
    Await.until("the directory is made", () -> exists("/spool"));
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/" + name))) {
            out.write(lines.getBytes(StandardCharsets.UTF_8));
          }
        });
    return follower;
  }

  /** HDFS shows that directory as everybody's, and lets nobody else list it or ask for it. */
  @Test
  void spool_snapshotsOfADirectoryOfSomebodyElse_areRefused() throws Exception {
    hdfs.file("/secret/salaries");
    hdfs.fs().setPermission(new Path("/secret"), new FsPermission((short) 0711));
    hdfs.fs().allowSnapshot(new Path("/secret"));
    hdfs.fs().createSnapshot(new Path("/secret"), "s1");
    try {
      spool("r", "/secret/.snapshot\n/secret/.snapshot/\n/secret/.snapshot/s1\n");
      Await.until("the result", () -> exists("/spool/r.done"));
      assertThat(lines("/spool/r.done")).hasSize(3).allMatch(line -> line.contains("refused"));
      assertThat(mover.asked).isEmpty();
    } finally {
      hdfs.fs().deleteSnapshot(new Path("/secret"), "s1");
      hdfs.fs().disallowSnapshot(new Path("/secret"));
    }
  }

  /** What stands where an answer is written, and a file of nobody, keep no answer from others. */
  @Test
  void spool_directoryInTheWayAndAFileWithoutAnOwner_othersAreAnswered() throws Exception {
    asAlicesFile("/user/alice/f");
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    Await.until("the directory is made", () -> exists("/spool"));
    hdfs.fs().setPermission(new Path("/spool"), new FsPermission((short) 01777));
    hdfs.fs().mkdirs(new Path("/spool/.r.tmp/x"));
    hdfs.fs().create(new Path("/spool/nobody")).close();
    hdfs.fs().setOwner(new Path("/spool/nobody"), "", null);
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/r"))) {
            out.write("/user/alice/f\n".getBytes(StandardCharsets.UTF_8));
          }
        });
    Await.until("the result", () -> exists("/spool/r.done"));
    assertThat(follower.status().getActivations()).isEqualTo(1);
  }

  private static void asAlicesFile(String path) throws Exception {
    hdfs.file(path);
    hdfs.fs().setOwner(new Path(path), "alice", "users");
    hdfs.fs().setOwner(new Path(path).getParent(), "alice", "users");
  }

  @Test
  void spool_nothingAllowed_isAnsweredAndAsksForNothing() throws Exception {
    hdfs.file("/cold/notmine");
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.awaitActive(follower);
    Await.until("the directory is made", () -> exists("/spool"));
    asAlice(
        fs -> {
          try (OutputStream out = fs.create(new Path("/spool/r"))) {
            out.write("/cold/notmine\n".getBytes(StandardCharsets.UTF_8));
          }
        });
    Await.until("the result", () -> exists("/spool/r.done"));
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
