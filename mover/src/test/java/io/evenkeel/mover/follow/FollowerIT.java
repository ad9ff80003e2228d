package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon on a real NameNode. */
@Timeout(180)
class FollowerIT {
  private static FollowFixture hdfs;

  private final Recorder mover = new Recorder();

  @BeforeAll
  static void start() throws IOException {
    hdfs = FollowFixture.start();
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void clear() throws IOException {
    hdfs.clear();
  }

  private void awaitAsked(String path) throws Exception {
    Await.until(path + " is asked for", () -> mover.asked.contains(path));
  }

  /** The active daemon asks the NameNode for no other file: these calls are of those that wait. */
  private static void awaitLooksAtTheLease(int looks) throws Exception {
    long before = hdfs.calls("GetFileInfo");
    Await.until(looks + " looks at the lease", () -> hdfs.calls("GetFileInfo") >= before + looks);
  }

  private static void awaitEmpty(Follower follower) throws Exception {
    Await.until("the queue is empty", () -> follower.status().getQueued() == 0);
  }

  @Test
  void renameBelowThePrefix_isAskedForOnce_othersNever() throws Exception {
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    hdfs.file("/cold/dir/f1");
    hdfs.file("/cold/other");
    hdfs.fs().rename(new Path("/cold/dir"), new Path("/hot/dir"));
    hdfs.file("/hot/written"); // by its policy
    hdfs.fs().rename(new Path("/hot/dir/f1"), new Path("/cold/away"));
    hdfs.arrives("/hot/last");
    awaitAsked("/hot/last");
    awaitEmpty(follower);
    assertThat(mover.asked).containsExactly("/hot/dir", "/hot/last");
    assertThat(follower.status().getRequests()).isEqualTo(2);
    assertThat(follower.status().getFilesSatisfied()).isEqualTo(2);
  }

  /** Or the memory of the daemon would be the limit. */
  @Test
  void moreRenamesThanTheQueueTakes_areLeftToAScan() throws Exception {
    mover.answer(path -> path.equals("/hot") ? FileOutcome.MOVED : null);
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.most-queued", "10");
    FollowFixture.awaitActive(follower);
    for (int i = 0; i < 10; i++) {
      hdfs.arrives("/hot/f" + i);
    }
    Await.until("the queue is full", () -> follower.status().getQueued() == 10);
    hdfs.arrives("/hot/more");
    hdfs.arrives("/hot/still-more");
    awaitAsked("/hot");
    assertThat(mover.asked).doesNotContain("/hot/more", "/hot/still-more");
    assertThat(follower.status().getLastError()).contains("requests wait");
  }

  @Test
  void killed_restarted_repeatsOnlyWhatHasNoEndAndReadsOnWhereItWas() throws Exception {
    mover.answer(path -> path.endsWith("done") ? FileOutcome.MOVED : null);
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    hdfs.arrives("/hot/done");
    hdfs.arrives("/hot/stuck");
    awaitAsked("/hot/stuck");
    Await.until("one is left", () -> first.status().getQueued() == 1);
    // The end is in the journal by now; it is safe after the second request from here on, which is
    // read only once the journal was synced for the first.
    hdfs.arrives("/hot/stuck2");
    awaitAsked("/hot/stuck2");
    hdfs.arrives("/hot/stuck3");
    awaitAsked("/hot/stuck3");
    first.kill();
    hdfs.arrives("/hot/while-away");

    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a");
    FollowFixture.awaitActive(again);
    Await.until("what came meanwhile", () -> second.asked.contains("/hot/while-away"));
    awaitEmpty(again);
    assertThat(second.asked)
        .containsExactly("/hot/stuck", "/hot/stuck2", "/hot/stuck3", "/hot/while-away");
  }

  @Test
  void sessionEnds_whatTheMoverStillMoves_isCancelled() throws Exception {
    CompletableFuture<MoveReport> endless = new CompletableFuture<>();
    Follower first =
        hdfs.follow(
            request -> {
              mover.asked.addAll(list(request.paths()));
              return endless;
            },
            "a");
    FollowFixture.awaitActive(first);
    hdfs.arrives("/hot/f");
    awaitAsked("/hot/f");
    Follower twin = hdfs.follow(new Recorder(), "a");
    FollowFixture.awaitActive(twin);
    Await.until("the first one moves no more", endless::isCancelled);
  }

  private static List<String> list(Iterable<String> paths) {
    List<String> list = new ArrayList<>();
    paths.forEach(list::add);
    return list;
  }

  @Test
  void requestWithoutAPathInItsReport_isTriedAgainAndEndsNothingElse() throws Exception {
    AtomicInteger unread = new AtomicInteger();
    Follower follower =
        hdfs.follow(
            request -> {
              List<String> paths = list(request.paths());
              if (request.isDryRun()) {
                return mover.move(request);
              }
              mover.asked.addAll(paths);
              MoveReport.Builder report = new MoveReport.Builder();
              boolean fails = paths.contains("/hot/f") && unread.incrementAndGet() < 3;
              FileReport file =
                  fails
                      ? FileReport.of("", FileOutcome.FAILED, "cannot be listed")
                      : FileReport.of(paths.get(0), FileOutcome.MOVED, "");
              report.add(file);
              request.listener().fileDone(file);
              return CompletableFuture.completedFuture(report.build());
            },
            "a");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    Await.until("tried again", () -> unread.get() == 3);
    awaitEmpty(follower);
    hdfs.arrives("/hot/g");
    awaitAsked("/hot/g");
    assertThat(follower.status().getActivations()).isEqualTo(1);
  }

  @Test
  void upgradeGoesOn_requestsWaitAndLoseNoAttempt() throws Exception {
    mover.refusal = "an upgrade is not finalised";
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retries", "0");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    Await.until(
        "said", () -> follower.status().getLastError().contains("an upgrade is not finalised"));
    assertThat(mover.asked).isEmpty();

    mover.answer(
        path -> {
          boolean first = mover.asked.size() == 1;
          mover.refusal = first ? "another upgrade" : null; // begins while the file is moved
          return first ? FileOutcome.FAILED : FileOutcome.MOVED;
        });
    mover.refusal = null;
    Await.until("handed out after the upgrade", () -> mover.refusal != null);
    Await.until("waits again", () -> follower.status().getLastError().contains("another upgrade"));
    mover.refusal = null;
    awaitEmpty(follower);
    assertThat(mover.asked).containsExactly("/hot/f", "/hot/f");
    assertThat(follower.status().getFilesFailed()).isZero();
    assertThat(follower.status().getFilesSatisfied()).isEqualTo(1);
  }

  @Test
  void standby_activeIsKilled_takesOverWithItsRequests() throws Exception {
    mover.answer(path -> null);
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    Recorder other = new Recorder();
    Follower standby = hdfs.follow(other, "b");
    hdfs.arrives("/hot/f");
    awaitAsked("/hot/f");
    awaitLooksAtTheLease(6);
    assertThat(standby.status().getState()).isEqualTo("standby");
    first.kill();
    FollowFixture.awaitActive(standby);
    Await.until("the request of the other", () -> other.asked.contains("/hot/f"));
  }

  @Test
  void standby_activeEnds_takesOver_andTheOtherWayRound() throws Exception {
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    Follower standby = hdfs.follow(new Recorder(), "b");
    first.close();
    FollowFixture.awaitActive(standby);
    assertThat(first.status().getState()).isEqualTo("stopped");
  }

  @Test
  void leaseTaken_underTheActiveOne_itIsNotActiveAnyMoreAndItsJournalIsFenced() throws Exception {
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    Follower twin = hdfs.follow(new Recorder(), "a");
    FollowFixture.awaitActive(twin);
    Await.until("the first is not", () -> first.status().getState().equals("standby"));
    awaitLooksAtTheLease(6);
    assertThat(first.status().getState()).isEqualTo("standby");
    assertThat(twin.status().getState()).isEqualTo("active");
    assertThat(first.status().getActivations()).isEqualTo(1);
  }

  @Test
  void eventsLost_whileItWasAway_thePrefixIsScanned() throws Exception {
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    hdfs.arrives("/hot/f");
    awaitAsked("/hot/f");
    awaitEmpty(first);
    first.close();
    hdfs.arrives("/hot/lost");
    hdfs.dropEdits();
    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a");
    FollowFixture.awaitActive(again);
    Await.until("a scan of the prefix", () -> second.asked.contains("/hot"));
    assertThat(again.status().getRescans()).isEqualTo(1);
  }

  @Test
  void journalHasARecordOfAnotherVersion_isActiveScansAndKeepsTheOldOne() throws Exception {
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    first.close();
    Path journal = new Path("/system/evenkeel/mover/journal");
    FileStatus segment = hdfs.fs().listFiles(journal, true).next();
    byte[] payload = {9, 0, 0};
    CRC32 crc = new CRC32();
    crc.update(payload);
    try (OutputStream out = hdfs.fs().append(segment.getPath())) {
      out.write(
          ByteBuffer.allocate(11).putInt(3).putInt((int) crc.getValue()).put(payload).array());
    }

    Follower again = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(again);
    awaitAsked("/hot");

    assertThat(again.status().getLastError()).contains("of another version of Evenkeel");
    assertThat(names(journal)).containsExactlyInAnyOrder("epoch-0000000002", "unread-0000000001");
  }

  private static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus each : hdfs.fs().listStatus(directory)) {
      names.add(each.getPath().getName());
    }
    return names;
  }

  @Test
  void activationsFail_leaveOneDirectoryOfTheJournal() throws Exception {
    Path journal = new Path("/system/evenkeel/mover/journal");
    for (int i = 0; i < 5; i++) {
      // and failed before it had a segment
      new HdfsSegmentStore(hdfs.fs(), journal, "incarnation" + i, () -> false).fence();
    }
    assertThat(names(journal)).containsExactly("epoch-0000000005");
  }

  @Test
  void everythingIsDenied_forAWhile_nothingIsGivenUp() throws Exception {
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retries", "1");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/before");
    awaitEmpty(follower);
    awaitAsked("/hot/before");
    mover.denied = path -> true;
    for (int i = 0; i < 10; i++) {
      hdfs.arrives("/hot/f" + i);
    }
    Await.until(
        "all ten wait, and were tried twice and more",
        () -> mover.asked.size() > 25 && follower.status().getQueued() == 10);
    assertThat(follower.status().getFilesFailed()).isZero();
    mover.denied = path -> false;
    awaitEmpty(follower);
    assertThat(follower.status().getFilesSatisfied()).isEqualTo(11);
    assertThat(follower.status().getFilesFailed()).isZero();
  }

  @Test
  void oneIsDenied_othersAreNot_itIsGivenUp() throws Exception {
    mover.denied = path -> path.endsWith("denied");
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retries", "1");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/denied");
    AtomicInteger others = new AtomicInteger();
    Await.until(
        "given up",
        () -> {
          hdfs.arrives("/hot/f" + others.incrementAndGet());
          return follower.status().getFilesFailed() == 1;
        });
    Await.until("all others", () -> follower.status().getFilesSatisfied() == others.get());
  }

  @Test
  void notSatisfied_isTriedAgainAndThenGivenUp() throws Exception {
    mover.answer(path -> FileOutcome.NO_TARGET);
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retries", "2");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    Await.until("given up", () -> follower.status().getFilesFailed() == 1);
    awaitEmpty(follower);
    assertThat(mover.asked).containsExactly("/hot/f", "/hot/f", "/hot/f");
    assertThat(follower.status().getLastError()).contains("/hot/f").contains("recorded");
  }

  @Test
  void openFile_isAskedForAgainAfterItsClose() throws Exception {
    mover.answer(path -> FileOutcome.PENDING_OPEN);
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retry-wait", "1h");
    FollowFixture.awaitActive(follower);
    try (OutputStream out = hdfs.fs().create(new Path("/cold/file"))) {
      out.write(1);
      hdfs.fs().rename(new Path("/cold/file"), new Path("/hot/file"));
      awaitAsked("/hot/file");
      mover.answer(path -> FileOutcome.MOVED);
      hdfs.arrives("/hot/other");
      awaitAsked("/hot/other");
      assertThat(mover.asked).containsExactly("/hot/file", "/hot/other");
      assertThat(follower.status().getQueued()).as("it waits").isEqualTo(1);
    }
    Await.until("asked for again", () -> mover.asked.size() == 3);
    awaitEmpty(follower);
    assertThat(mover.asked).containsExactly("/hot/file", "/hot/other", "/hot/file");
  }

  /** Its blocks may have come from a file of another policy. */
  @Test
  void concatenated_isAskedFor() throws Exception {
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    Path target = hdfs.file("/hot/f");
    hdfs.fs().concat(target, new Path[] {hdfs.file("/hot/part")});
    awaitAsked("/hot/f");
    awaitEmpty(follower);
    assertThat(mover.asked).containsExactly("/hot/f");
  }

  /** Whoever is active next has to know which files wait for their close. */
  @Test
  void openFile_closedWhileNoDaemonRuns_isAskedForAgain() throws Exception {
    mover.answer(path -> FileOutcome.PENDING_OPEN);
    Follower first = hdfs.follow(mover, "a", "evenkeel.mover.follow.retry-wait", "1h");
    FollowFixture.awaitActive(first);
    try (OutputStream out = hdfs.fs().create(new Path("/cold/file"))) {
      out.write(1);
      hdfs.fs().rename(new Path("/cold/file"), new Path("/hot/file"));
      awaitAsked("/hot/file");
      Await.until("it waits", () -> first.status().getQueued() == 1);
      first.close();
    }
    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a", "evenkeel.mover.follow.retry-wait", "1h");
    Await.until("asked for again", () -> second.asked.contains("/hot/file"));
    awaitEmpty(again);
  }

  @Test
  void scan_intervalSet_asksForThePrefixAtOnceTheFirstTime() throws Exception {
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.scan-interval", "6h");
    awaitAsked("/hot");
    awaitEmpty(follower);
    follower.close();
    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a", "evenkeel.mover.follow.scan-interval", "6h");
    FollowFixture.awaitActive(again);
    hdfs.arrives("/hot/f");
    Await.until("the file", () -> second.asked.contains("/hot/f"));
    assertThat(second.asked).containsExactly("/hot/f");
  }

  @Test
  void nameNodeRestarted_goesOn() throws Exception {
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    hdfs.cluster().restartNameNode(0);
    hdfs.cluster().waitActive();
    hdfs.arrives("/hot/after");
    awaitAsked("/hot/after");
  }

  @Test
  void open_notTheSuperuser_isDenied() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    Configuration conf = hdfs.conf("a");
    assertThatThrownBy(
            () ->
                alice.doAs((PrivilegedExceptionAction<Follower>) () -> Follower.open(conf, mover)))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DENIED))
        .hasMessageContaining("superuser");
  }

  @Test
  void open_noPrefix_namesTheKey() {
    Configuration conf = hdfs.conf("a");
    conf.unset("evenkeel.mover.follow.prefixes");
    assertThatThrownBy(() -> Follower.open(conf, mover))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("evenkeel.mover.follow.prefixes");
  }

  /** A long collection of the NameNode's, or a failover: the file of the lease stays ours. */
  @Test
  void nameNodeStandsStillForLongerThanTheLease_nothingIsAskedForAgain() throws Exception {
    mover.answer(path -> FileOutcome.NO_TARGET);
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.retry-wait", "10m");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    awaitAsked("/hot/f");
    Await.until("it waits", () -> follower.status().getRetries() == 1);
    FSNamesystem namesystem = hdfs.cluster().getNamesystem();
    namesystem.writeLock();
    try {
      Await.until("it knows", () -> follower.status().getState().equals("standby"));
    } finally {
      namesystem.writeUnlock();
    }
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/later");
    awaitAsked("/hot/later");
    assertThat(mover.asked).containsExactly("/hot/f", "/hot/later");
    assertThat(follower.status().getActivations()).isEqualTo(1);
  }

  @Test
  void shown_inJmx() throws Exception {
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    awaitAsked("/hot/f");
    awaitEmpty(follower);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    List<Object> satisfied = new ArrayList<>();
    for (ObjectName name :
        server.queryNames(new ObjectName("io.evenkeel:type=Mover,name=Follow,*"), null)) {
      if (server.getAttribute(name, "State").equals("active")) {
        satisfied.add(server.getAttribute(name, "FilesSatisfied"));
      }
    }
    assertThat(satisfied).containsExactly(1L);
  }
}
