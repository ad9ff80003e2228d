package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.mover.core.follow.ControlQuestion;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon while HDFS takes none of its files, or a DataNode is away. */
@Timeout(300)
class DaemonTroubleIT {
  private static final Path OWN = new Path("/system/evenkeel/mover");
  private static final Path JOURNAL = new Path(OWN, "journal");
  private static final Path CONTROL = new Path(OWN, "control");

  private static FollowFixture hdfs;

  private final Recorder mover = new Recorder();

  @BeforeAll
  static void start() throws IOException {
    hdfs = FollowFixture.start("dfs.replication", "1");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void clear() throws IOException {
    hdfs.clear();
  }

  /** No block more than there is fits in. */
  private static void fill(Path directory) throws IOException {
    hdfs.fs().mkdirs(directory, new FsPermission((short) 0700));
    hdfs.fs().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1);
  }

  private static void empty(Path directory) throws IOException {
    hdfs.fs().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
  }

  /** Calls that fail are counted by their exception. */
  private static void awaitCalls(int more, String... names) throws Exception {
    long before = calls(names);
    Await.until(more + " times " + names[0], () -> calls(names) >= before + more);
  }

  private static long calls(String... names) {
    return Stream.of(names).mapToLong(hdfs::calls).sum();
  }

  /** Releases before 3.4 have no method that counts them. */
  private static Map<?, ?> openFiles(DistributedFileSystem fs) throws ReflectiveOperationException {
    Field field = DFSClient.class.getDeclaredField("filesBeingWritten");
    field.setAccessible(true);
    return (Map<?, ?>) field.get(fs.getClient());
  }

  private static HdfsSegmentStore store(DistributedFileSystem fs, int owner) {
    return new HdfsSegmentStore(fs, JOURNAL, "incarnation" + owner, () -> false);
  }

  @Test
  void journalHasNoRoom_isSaidOnceInOneLine_andItIsActiveOnceItHas() throws Exception {
    fill(JOURNAL);
    try (LogLines lines = LogLines.of(Follower.class)) {
      Follower follower = hdfs.follow(mover, "a");
      awaitCalls(3, "DSQuotaExceededException");
      assertThat(lines.at("WARN")).hasSize(1);
      assertThat(lines.at("WARN").get(0))
          .contains("a is not active: ")
          .contains("quota of " + JOURNAL + " is exceeded")
          .doesNotContain("\n");
      assertThat(follower.status().getLastError()).startsWith("not active: ").doesNotContain("\n");
      empty(JOURNAL);
      FollowFixture.awaitActive(follower);
    }
  }

  /** Another daemon was active in between, so it is another failure. */
  @Test
  void journalHasNoRoom_againAfterItWasStandby_isSaidAgain() throws Exception {
    fill(JOURNAL);
    try (LogLines lines = LogLines.of(Follower.class)) {
      hdfs.follow(mover, "a");
      Await.until("it is said", () -> !lines.at("WARN").isEmpty());
      String said = lines.at("WARN").get(0);
      HdfsLease other = new HdfsLease(hdfs.fs(), new Path(OWN, "lease"), "b|another process");
      other.take();
      for (int i = 0; i < 3; i++) {
        awaitCalls(2, "GetFileInfo"); // looks of the first
        other.renew();
      }
      Await.until("it is said again", () -> Collections.frequency(lines.at("WARN"), said) > 1);
      other.abandon();
    }
  }

  /** Else one that fails again and again keeps the lease from one that would not. */
  @Test
  void journalHasNoRoom_anotherNeedNotWaitForTheLeaseToEnd() throws Exception {
    String[] longLease = {"evenkeel.mover.follow.lease-timeout", "10m"};
    fill(JOURNAL);
    try (LogLines lines = LogLines.of(Follower.class)) {
      hdfs.follow(mover, "a", longLease);
      Await.until("it has failed, and looks again after 75 s", () -> !lines.at("WARN").isEmpty());
    }
    empty(JOURNAL);
    Follower other = hdfs.follow(mover, "b", longLease);
    Await.until("its first look", () -> !other.status().getState().equals("standby"));
    FollowFixture.awaitActive(other);
  }

  /** Its client keeps a file that nobody closes, and tries again for days. */
  @Test
  void journalHasNoRoom_noFileStaysOpen() throws Exception {
    fill(JOURNAL);
    try (DistributedFileSystem fs = Follower.connect(hdfs.conf("a"))) {
      for (int i = 0; i < 3; i++) {
        HdfsSegmentStore store = store(fs, i);
        assertThatThrownBy(() -> Journal.open(store, 0, 0, List.of()))
            .isInstanceOf(DSQuotaExceededException.class);
      }
      assertThat(openFiles(fs)).isEmpty();
    }
  }

  @Test
  void journalIsTakenByAnother_noFileStaysOpen() throws Exception {
    try (DistributedFileSystem fs = Follower.connect(hdfs.conf("a"))) {
      Journal journal = Journal.open(store(fs, 1), 0, 0, List.of());
      Journal.open(store(hdfs.fs(), 2), 0, 0, List.of()).close();
      assertThatThrownBy(
              () -> {
                journal.add(RequestKind.EVENT, "/f", 0, 0);
                journal.sync();
              })
          .isInstanceOf(IOException.class);
      assertThatThrownBy(journal::sync).hasMessageContaining("cannot be written any more");
      Throwable unused = catchThrowable(journal::close); // perhaps the same failure again
      assertThat(openFiles(fs)).isEmpty();
      journal.close();
    }
  }

  /** Its successor need not wait for the lease, nor this one for the DataNode. */
  @Test
  void closedWhileItRecoversTheJournal_givesTheLeaseBack() throws Exception {
    mover.answer(path -> null);
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    hdfs.arrives("/hot/f");
    Await.until("it is moved", () -> mover.asked.contains("/hot/f"));
    first.kill();
    Path segment = hdfs.fs().listFiles(JOURNAL, true).next().getPath();
    String holder = hdfs.fs().getFileBlockLocations(segment, 0, 1)[0].getNames()[0];
    DataNodeProperties stopped = hdfs.cluster().stopDataNode(holder);
    try (LogLines lines = LogLines.of(Follower.class)) {
      Follower next = hdfs.follow(mover, "a");
      awaitCalls(3, "IsFileClosed");
      next.close();
      assertThat(next.status().getState()).isEqualTo("stopped");
      assertThat(hdfs.fs().exists(new Path(OWN, "lease"))).isFalse();
      assertThat(lines.at("WARN")).isEmpty();
    } finally {
      hdfs.cluster().restartDataNode(stopped, true);
      hdfs.cluster().waitActive();
    }
    Recorder last = new Recorder();
    FollowFixture.awaitActive(hdfs.follow(last, "a"));
    Await.until("the request is not lost", () -> last.asked.contains("/hot/f"));
  }

  /** Asked again, it is not found any more. */
  @Test
  void cancelThatCouldNotBeAnsweredAtFirst_isSaidToBeMade() throws Exception {
    MemoryStore.Disk disk = new MemoryStore.Disk();
    ActiveDaemon daemon = daemon(disk);
    daemon.add(RequestKind.EVENT, "/f");
    Control control = control(daemon);
    Path answer = cancelledWithoutAnAnswer(control, 1);
    control.look();
    daemon.stop();
    assertThat(text(answer)).isEqualTo("0\nCancelled 1: /f\n");
  }

  /** The next one cannot tell whether it was that or its end. */
  @Test
  void cancelIsMadeByADaemonThatDies_theNextSaysThatItIsOver() throws Exception {
    MemoryStore.Disk disk = new MemoryStore.Disk();
    ActiveDaemon daemon = daemon(disk);
    daemon.add(RequestKind.EVENT, "/f");
    Path answer = cancelledWithoutAnAnswer(control(daemon), 1);
    daemon.stop();
    ActiveDaemon next = daemon(disk);
    Path other = ask(2);
    control(next).look();
    next.stop();
    assertThat(text(answer)).isEqualTo("3\nRequest 1 has ended already, or was cancelled.\n");
    assertThat(text(other)).isEqualTo("3\nThere is no request 2.\n");
  }

  private static ActiveDaemon daemon(MemoryStore.Disk disk) throws IOException {
    Journal journal = Journal.open(new MemoryStore(disk), 0, 0, List.of());
    ActiveDaemon daemon = new ActiveDaemon(journal, new FollowCounters("a"), 10);
    daemon.pause("by a test");
    return daemon;
  }

  private static Control control(ActiveDaemon daemon) throws IOException {
    RequestRunner work =
        new RequestRunner(
            daemon,
            new Recorder(),
            new RetryRule(3, 2, 2),
            Prefixes.parse("/hot", "/own"),
            Map.of(),
            8);
    daemon.start("requests", work);
    return new Control(daemon, work, hdfs.fs(), CONTROL);
  }

  private static Path cancelledWithoutAnAnswer(Control control, long id) throws IOException {
    fill(CONTROL);
    Path answer = ask(id);
    assertThatThrownBy(control::look).isInstanceOf(IOException.class);
    empty(CONTROL);
    return answer;
  }

  /** Asks to cancel a request; returns where the answer will be. */
  private static Path ask(long id) throws IOException {
    ControlQuestion question = ControlQuestion.of(Verb.CANCEL, id, UUID.randomUUID());
    hdfs.fs().create(new Path(CONTROL, question.fileName())).close();
    return new Path(CONTROL, question.answerName());
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = hdfs.fs().open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void questionsCannotBeAnswered_isSaidOnce() throws Exception {
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    fill(CONTROL);
    ControlQuestion question = ControlQuestion.of(Verb.STATE, 0, UUID.randomUUID());
    try (LogLines lines = LogLines.of(Control.class)) {
      hdfs.fs().create(new Path(CONTROL, question.fileName())).close();
      awaitCalls(3, "DSQuotaExceededException");
      assertThat(lines.at("WARN")).hasSize(1);
      assertThat(lines.at("WARN").get(0)).contains("quota").doesNotContain("\n");
      assertThat(follower.status().getLastError()).contains("administrators are not answered");
      empty(CONTROL);
      Path answer = new Path(CONTROL, question.answerName());
      Await.until("it is answered", () -> hdfs.fs().exists(answer));
    }
  }

  @Test
  void spoolCannotBeMade_isSaidOnceInOneLine() throws Exception {
    hdfs.fs().create(new Path("/file")).close();
    try (LogLines lines = LogLines.of(SpoolDirectory.class)) {
      hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/file/spool");
      Await.until("it is said", () -> !lines.at("WARN").isEmpty());
      awaitCalls(3, "AccessControlException", "ParentNotDirectoryException");
      assertThat(lines.at("WARN")).hasSize(1);
      assertThat(lines.at("WARN").get(0)).contains("/file/spool").doesNotContain("\n");
    }
  }

  @Test
  void spoolIsAFile_isSaidAndItStays() throws Exception {
    Path file = new Path("/spool-file");
    try (OutputStream out = hdfs.fs().create(file)) {
      out.write("/hot/f\n".getBytes(StandardCharsets.UTF_8));
    }
    hdfs.arrives("/hot/f");
    try (LogLines lines = LogLines.of(SpoolDirectory.class)) {
      hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", file.toString());
      Await.until("it is said", () -> !lines.at("WARN").isEmpty());
      assertThat(lines.at("WARN").get(0))
          .contains(file + " cannot be listed", "it is a file and no directory");
      assertThat(hdfs.fs().exists(file)).isTrue();
    }
  }
}
