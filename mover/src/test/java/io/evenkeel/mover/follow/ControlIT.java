package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.MoverTool;
import io.evenkeel.mover.core.follow.ControlQuestion;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.follow.ControlClient.Answer;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an administrator asks of the daemon, on a real NameNode. */
@Timeout(180)
class ControlIT {
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

  private static int tool(String... args) throws Exception {
    return ToolRunner.run(hdfs.conf("admin"), new MoverTool(), args);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> requests() throws Exception {
    try (ControlClient client = ControlClient.open(hdfs.conf("admin"))) {
      Answer answer = client.ask(Verb.JSON, 0);
      assertThat(answer.exitCode()).isZero();
      Map<String, Object> json = (Map<String, Object>) Json.parse(answer.text());
      assertThat(json.keySet()).startsWith("schema", "evenkeel", "exitCode");
      return (List<Map<String, Object>>) json.get("requests");
    }
  }

  @Test
  void paused_nothingMoreIsMovedAndNothingIsLost_untilResumedByTheNextDaemonToo() throws Exception {
    mover.answer(path -> path.endsWith("stuck") ? null : FileOutcome.MOVED);
    Follower first = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(first);
    hdfs.arrives("/hot/stuck");
    Await.until("it is moved", () -> mover.asked.contains("/hot/stuck"));

    assertThat(tool("--pause")).isZero();
    assertThat(first.status().isPaused()).isTrue();
    Await.until("its move was stopped", () -> first.status().getRunning() == 0);
    hdfs.arrives("/hot/waits");
    Await.until("it is in the queue", () -> first.status().getQueued() == 2);
    assertThat(requests()).extracting(each -> each.get("path")).contains("/hot/stuck");
    assertThat(requests()).extracting(each -> each.get("moving")).containsOnly(false);
    first.close();

    Recorder second = new Recorder();
    Follower next = hdfs.follow(second, "b");
    FollowFixture.awaitActive(next);
    assertThat(next.status().isPaused()).isTrue();
    assertThat(tool("--requests")).isZero(); // two more seconds
    assertThat(second.asked).isEmpty();
    assertThat(mover.asked).containsExactly("/hot/stuck");

    assertThat(tool("--resume")).isZero();
    Await.until("both are moved", () -> next.status().getQueued() == 0);
    assertThat(second.asked).containsExactlyInAnyOrder("/hot/stuck", "/hot/waits");
    assertThat(next.status().getRetries()).isZero();
    assertThat(next.status().isPaused()).isFalse();
  }

  /** A pause that ends in the daemon that began it: the same request is moved again. */
  @Test
  void pausedAndResumed_whatWasStopped_isMovedAgainAndLosesNoAttempt() throws Exception {
    mover.answer(path -> null);
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/f");
    Await.until("it is moved", () -> mover.asked.size() == 1);
    assertThat(tool("--pause")).isZero();
    Await.until("its move was stopped", () -> follower.status().getRunning() == 0);
    mover.answer(path -> FileOutcome.MOVED);
    assertThat(tool("--resume")).isZero();
    Await.until("it is moved again", () -> follower.status().getQueued() == 0);
    assertThat(mover.asked).containsExactly("/hot/f", "/hot/f");
    assertThat(follower.status().getRetries()).isZero();
  }

  @Test
  void cancelled_whatIsMovedAndWhatWaits_endsForGood() throws Exception {
    CompletableFuture<MoveReport> endless = new CompletableFuture<>();
    Follower follower =
        hdfs.follow(
            request -> {
              if (request.isDryRun()) {
                return mover.move(request);
              }
              request.paths().forEach(mover.asked::add);
              return endless;
            },
            "a",
            "evenkeel.mover.follow.in-flight",
            "1");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/moving");
    Await.until("it is moved", () -> mover.asked.contains("/hot/moving"));
    hdfs.arrives("/hot/waits");
    Await.until("the other waits", () -> follower.status().getQueued() == 2);

    for (Map<String, Object> request : requests()) {
      assertThat(request.get("moving")).isEqualTo(request.get("path").equals("/hot/moving"));
      String id = String.valueOf(((Number) request.get("id")).longValue());
      assertThat(tool("--cancel", id)).isZero();
      assertThat(tool("--cancel", id)).isEqualTo(ExitCode.NOTHING_TO_DO.code());
    }
    assertThat(endless).isCancelled();
    assertThat(follower.status().getQueued()).isZero();
    follower.kill();

    Recorder second = new Recorder();
    Follower again = hdfs.follow(second, "a");
    FollowFixture.awaitActive(again);
    hdfs.arrives("/hot/last");
    Await.until("the last", () -> again.status().getQueued() == 0 && second.asked.size() > 0);
    assertThat(second.asked).containsExactly("/hot/last");
  }

  @Test
  void requests_pathWithALineBreakAndOneOfTheSpool_aLineEach() throws Exception {
    mover.answer(path -> null);
    Follower follower = hdfs.follow(mover, "a", "evenkeel.mover.follow.spool", "/spool");
    FollowFixture.awaitActive(follower);
    hdfs.arrives("/hot/two\nlines");
    hdfs.file("/hot/f");
    try (OutputStream out = hdfs.fs().create(new Path("/spool/mine"))) {
      out.write("/hot/f\n".getBytes(StandardCharsets.UTF_8));
    }
    Await.until("both", () -> follower.status().getQueued() == 2);
    try (ControlClient client = ControlClient.open(hdfs.conf("admin"))) {
      String text = client.ask(Verb.REQUESTS, 0).text();
      assertThat(text).startsWith("a: 2 requests\n");
      assertThat(text.split("\n")).hasSize(4);
      assertThat(text).contains("/hot/two?lines").contains("mine of ").contains(", 1 path");
    }
    assertThat(hdfs.fs().listStatus(new Path("/system/evenkeel/mover/control"))).isEmpty();
  }

  /** Somebody's slip, and no reason not to be paused, or not to run. */
  @Test
  void otherFilesInTheDirectory_areLeftAlone() throws Exception {
    Path slip = new Path("/system/evenkeel/mover/control/backup/x");
    hdfs.fs().mkdirs(slip);
    hdfs.fs().setTimes(slip.getParent(), 1, -1);
    Follower follower = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(follower);
    assertThat(tool("--pause")).isZero();
    assertThat(follower.status().isPaused()).isTrue();
    assertThat(tool("--cancel", String.valueOf(Long.MAX_VALUE)))
        .isEqualTo(ExitCode.NOTHING_TO_DO.code());
    assertThat(hdfs.fs().exists(slip)).isTrue();
  }

  /** Who asked may be about to read it, and the daemon that gave it has ended. */
  @Test
  void answerOfAFormerDaemon_isLeftToWhoAsked() throws Exception {
    Path answer = new Path("/system/evenkeel/mover/control/answer." + UUID.randomUUID());
    hdfs.fs().create(answer).close();
    FollowFixture.awaitActive(hdfs.follow(mover, "a"));
    assertThat(tool("--requests")).isZero();
    assertThat(hdfs.fs().exists(answer)).isTrue();
  }

  @Test
  void answersNobodyTakes_areRemovedByTheSameDaemon() throws Exception {
    Path directory = new Path("/system/evenkeel/mover/control");
    Journal journal = Journal.open(new MemoryStore(new MemoryStore.Disk()), 0, 0, List.of());
    ActiveDaemon daemon = new ActiveDaemon(journal, new FollowCounters("a"), 10);
    AtomicLong now = new AtomicLong();
    Control control = new Control(daemon, null, hdfs.fs(), directory, now::get);
    Path left = new Path(directory, ControlQuestion.of(Verb.JSON, 0, UUID.randomUUID()).fileName());
    hdfs.fs().create(left).close(); // by somebody who was killed then
    control.look();
    control.look();
    now.set(2 * Control.ANSWER_MS);
    control.look();
    assertThat(hdfs.fs().listStatus(directory)).as("who asked may still wait").hasSize(1);
    now.incrementAndGet();
    control.look();
    assertThat(hdfs.fs().listStatus(directory)).isEmpty();
  }

  /** Else each daemon that becomes active would end by the same question. */
  @Test
  void questionThatCannotBeAnswered_isTold_andIsNotAskedAgain() throws Exception {
    Path directory = new Path("/system/evenkeel/mover/control");
    Journal journal = Journal.open(new MemoryStore(new MemoryStore.Disk()), 0, 0, List.of());
    ActiveDaemon daemon = new ActiveDaemon(journal, new FollowCounters("a"), 10);
    daemon.add(RequestKind.EVENT, "/f");
    long id = journal.first(1, 0).get(0).request().id();
    ControlQuestion question = ControlQuestion.of(Verb.CANCEL, id, UUID.randomUUID());
    hdfs.fs().create(new Path(directory, question.fileName())).close();
    new Control(daemon, null, hdfs.fs(), directory).look(); // a null pointer is any mistake
    assertThat(hdfs.fs().listStatus(directory)).hasSize(1);
    try (InputStream in = hdfs.fs().open(new Path(directory, question.answerName()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .startsWith(ExitCode.COULD_NOT_RUN.code() + "\n")
          .contains("the daemon cannot answer: java.lang.NullPointerException");
    }
  }

  @Test
  void noDaemon_isSaid() throws Exception {
    assertThatThrownBy(() -> ControlClient.open(hdfs.conf("admin")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no daemon has run here");
    assertThat(tool("--requests")).isEqualTo(ExitCode.COULD_NOT_RUN.code());
    Follower gone = hdfs.follow(mover, "a");
    FollowFixture.awaitActive(gone);
    gone.close();
    try (ControlClient client = ControlClient.open(hdfs.conf("admin"), 500)) {
      assertThat(client.ask(Verb.REQUESTS, 0)).isNull();
    }
  }

  @Test
  void asAnOrdinaryUser_isDenied() throws Exception {
    FollowFixture.awaitActive(hdfs.follow(mover, "a"));
    assertAliceIsDenied();
    assertThat(tool("--requests")).isZero(); // makes the directory
    assertAliceIsDenied();
  }

  private static void assertAliceIsDenied() {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    assertThatThrownBy(
            () ->
                alice.doAs(
                    (PrivilegedExceptionAction<ControlClient>)
                        () -> ControlClient.open(hdfs.conf("admin"))))
        .hasMessageStartingWith("alice may not ask the daemon")
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DENIED));
  }
}
