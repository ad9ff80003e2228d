package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.core.follow.SpoolText;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once") // says nothing about a Hadoop release
@Timeout(60)
class RequestRunnerTest {
  private static final int RETRIES = 3;
  private static final int IN_FLIGHT = 8;

  private final FollowCounters counters = new FollowCounters("a");
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean paced;

  private static Journal journal() throws IOException {
    return Journal.open(
        new MemoryStore(new MemoryStore.Disk()), 1 << 20, Time.monotonicNow(), List.of());
  }

  /** Begins a session whose journal has one scan of /d. */
  private ActiveDaemon scanOf(Journal journal) throws IOException {
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    daemon.add(RequestKind.RESCAN, "/d");
    daemon.sync();
    return daemon;
  }

  private static RequestRunner handOut(ActiveDaemon daemon, MoveService mover, RetryRule rule) {
    Prefixes followed = Prefixes.parse("/d", "/own");
    return new RequestRunner(daemon, looking(mover), rule, followed, Map.of(), IN_FLIGHT);
  }

  /** With a mover that answers looks itself. */
  private static RequestRunner handOut(ActiveDaemon daemon, MoveService mover) {
    return new RequestRunner(
        daemon, mover, new RetryRule(3, 2, 2), Prefixes.parse("/d", "/own"), Map.of(), IN_FLIGHT);
  }

  /** Whatever is looked at has something to move; a tree is no file. */
  private static MoveService looking(MoveService mover) {
    return request ->
        request.isDryRun()
            ? CompletableFuture.completedFuture(
                each(
                    request,
                    path ->
                        path.equals("/d") || path.startsWith("/d/tree")
                            ? null
                            : found(path, FileOutcome.PLANNED)))
            : mover.move(request);
  }

  /** Works on one request until it has its end. */
  private void work(RequestKind kind, String text, MoveService mover) throws Exception {
    work(kind, List.of(text), mover);
  }

  /** Works on some requests until all have their end. */
  private void work(RequestKind kind, List<String> texts, MoveService mover) throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    RetryRule rule = new RetryRule(RETRIES, 2, 2);
    for (String text : texts) {
      daemon.add(kind, text);
    }
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover, rule));
    Await.until("every request has its end", () -> journal.size() == 0);
    daemon.stop();
  }

  /** Looks at files that are right but lack replicas are not to keep anything else waiting. */
  @Test
  void filesThatLackReplicas_waitToBeLookedAt_inATwentiethOfTheQueue() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100);
    int files = 80;
    for (int i = 0; i < files; i++) {
      daemon.add(RequestKind.EVENT, "/d/f" + i);
    }
    daemon.sync();
    List<MoveRequest> moves = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          if (!request.isDryRun()) {
            moves.add(request);
          }
          return CompletableFuture.completedFuture(
              each(request, path -> found(path, FileOutcome.SATISFIED).whileLacking()));
        };
    RetryRule rule = new RetryRule(3, 3_600_000, 3_600_000);
    Prefixes followed = Prefixes.parse("/d", "/own");
    daemon.start("requests", new RequestRunner(daemon, mover, rule, followed, Map.of(), IN_FLIGHT));
    Await.until("all were looked at", () -> counters.getFilesSatisfied() == files);
    Await.until("a few wait", () -> journal.size() > 0 && journal.size() <= 5);
    daemon.stop();
    assertThat(moves).as("nothing to move, nothing for the mover to wait for").isEmpty();
    assertThat(daemon.hasRoom()).isTrue();
  }

  private CompletableFuture<MoveReport> onePinnedOneWithoutATarget(MoveRequest request) {
    asked.incrementAndGet();
    paced = request.isPaced();
    return CompletableFuture.completedFuture(
        new MoveReport.Builder()
            .add(FileReport.of("/d/pinned", FileOutcome.PINNED, ""))
            .add(FileReport.of("/d/full", FileOutcome.NO_TARGET, ""))
            .build());
  }

  @Test
  void run_requestTriedAgainAsAWhole_eachFileThatFailedCountsOnce() throws Exception {
    SpoolText text = new SpoolText("r", "alice", Map.of("/d/pinned", "", "/d/full", ""));
    work(RequestKind.SPOOL, text.format(), this::onePinnedOneWithoutATarget);
    assertThat(asked).hasValue(1 + RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(2);
    assertThat(paced).as("a user waits for it").isFalse();
  }

  @Test
  void run_filesTriedAgainAlone_eachFileThatFailedCountsOnce() throws Exception {
    work(
        RequestKind.EVENT,
        "/d",
        request -> {
          List<String> paths = new ArrayList<>();
          request.paths().forEach(paths::add);
          return paths.contains("/d")
              ? onePinnedOneWithoutATarget(request)
              : CompletableFuture.completedFuture(
                  new MoveReport.Builder()
                      .add(FileReport.of(paths.get(0), FileOutcome.NO_TARGET, ""))
                      .build());
        });
    assertThat(counters.getFilesFailed()).isEqualTo(2);
    assertThat(paced).isTrue();
  }

  /** Each pass over a tree is a located listing of all its files. */
  @Test
  void run_manyFilesOfATreeHaveNoTarget_theTreeIsReadOnce() throws Exception {
    AtomicInteger passes = new AtomicInteger();
    work(
        RequestKind.SCAN,
        "/d",
        request -> {
          if (!request.paths().iterator().next().equals("/d")) {
            return CompletableFuture.completedFuture(
                each(
                    request,
                    path -> {
                      asked.incrementAndGet();
                      return found(path, FileOutcome.NO_TARGET);
                    }));
          }
          passes.incrementAndGet();
          MoveReport.Builder report = new MoveReport.Builder();
          for (int i = 0; i < 1_000; i++) {
            FileOutcome outcome = i < 101 ? FileOutcome.NO_TARGET : FileOutcome.SATISFIED;
            report.add(new FileReport("/d/" + i, 1_000 + i, outcome, "", List.of()));
          }
          return CompletableFuture.completedFuture(report.build());
        });
    assertThat(passes).hasValue(1);
    assertThat(asked).hasValue(101 * RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(101);
    assertThat(counters.getLastError()).startsWith("/d/");
  }

  @Test
  void run_moverFails_theRequestCountsOnce() throws Exception {
    work(
        RequestKind.EVENT,
        "/d",
        request -> {
          asked.incrementAndGet();
          return CompletableFuture.failedFuture(new IOException("down"));
        });
    assertThat(asked).hasValue(1 + RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(1);
    assertThat(counters.getLastError()).contains("down");
  }

  /** A report of one file of each path, null for a directory; tells of each at once. */
  private static MoveReport each(MoveRequest request, Function<String, FileReport> answer) {
    MoveReport.Builder report = new MoveReport.Builder();
    for (String path : request.paths()) {
      FileReport file = answer.apply(path);
      if (file == null) {
        request.listener().leftOut(path);
      } else {
        report.add(file);
        request.listener().fileDone(file);
      }
    }
    return report.build();
  }

  private static FileReport found(String path, FileOutcome outcome) {
    return new FileReport(path, path.hashCode(), outcome, "", List.of());
  }

  /** A hundred files cost the NameNode one call; and none waits for the slowest of them. */
  @Test
  void run_files_areHandedOverTogetherAndEndAlone() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      files.add("/d/f" + i);
    }
    List<MoveRequest> requests = new CopyOnWriteArrayList<>();
    CompletableFuture<MoveReport> first = new CompletableFuture<>();
    AtomicLong satisfiedBefore = new AtomicLong();
    work(
        RequestKind.EVENT,
        files,
        request -> {
          requests.add(request);
          MoveReport report =
              each(
                  request,
                  path ->
                      found(
                          path, path.equals("/d/f7") ? FileOutcome.NO_TARGET : FileOutcome.MOVED));
          if (requests.size() == 1) {
            return first.completeOnTimeout(report, 200, TimeUnit.MILLISECONDS);
          }
          if (!first.isDone()) {
            satisfiedBefore.set(counters.getFilesSatisfied());
          }
          return CompletableFuture.completedFuture(report);
        });
    assertThat(requests.size()).as("and the one again").isBetween(3, 3 + RETRIES);
    assertThat(counters.getFilesSatisfied()).isEqualTo(249);
    assertThat(counters.getFilesFailed()).isEqualTo(1);
    assertThat(satisfiedBefore.get()).as("while the first was going on").isPositive();
  }

  /** A large one would hold up the files beside it. */
  @Test
  void run_aDirectoryAmongFiles_isAskedForAloneThen() throws Exception {
    List<List<String>> trees = new CopyOnWriteArrayList<>();
    work(
        RequestKind.EVENT,
        List.of("/d/f", "/d/tree", "/d/g"),
        request -> {
          List<String> paths = new ArrayList<>();
          request.paths().forEach(paths::add);
          if (!request.isFilesOnly()) {
            trees.add(paths);
          }
          return CompletableFuture.completedFuture(
              each(
                  request,
                  path ->
                      path.equals("/d/tree") && request.isFilesOnly()
                          ? null
                          : found(path, FileOutcome.MOVED)));
        });
    assertThat(trees).containsExactly(List.of("/d/tree"));
    assertThat(counters.getFilesSatisfied()).isEqualTo(3);
    assertThat(counters.getFilesFailed()).isZero();
  }

  /** Then nothing is told of any of them, or once of all. */
  @Test
  void run_togetherAndNotReadToTheEnd_eachIsTriedAgain() throws Exception {
    AtomicInteger times = new AtomicInteger();
    work(
        RequestKind.EVENT,
        List.of("/d/f", "/d/g"),
        request -> {
          switch (times.getAndIncrement()) {
            case 0:
              return CompletableFuture.failedFuture(new IOException("down"));
            case 1:
              return CompletableFuture.completedFuture(
                  new MoveReport.Builder()
                      .add(FileReport.of("", FileOutcome.CANCELLED, "not all paths read"))
                      .build());
            default:
              return CompletableFuture.completedFuture(
                  each(request, path -> found(path, FileOutcome.MOVED)));
          }
        });
    assertThat(counters.getFilesSatisfied()).isEqualTo(2);
    assertThat(counters.getFilesFailed()).isZero();
  }

  /** Each may have a million files. */
  @Test
  void run_manyDirectoriesWereRenamed_leaveRoomForFiles() throws Exception {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 3 * IN_FLIGHT; i++) {
      paths.add("/d/tree" + i);
    }
    paths.add("/d/file");
    AtomicInteger trees = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    work(
        RequestKind.EVENT,
        paths,
        request -> {
          if (request.isFilesOnly()) {
            return CompletableFuture.completedFuture(
                each(
                    request,
                    path -> path.contains("tree") ? null : found(path, FileOutcome.MOVED)));
          }
          most.accumulateAndGet(trees.incrementAndGet(), Math::max);
          MoveReport report = each(request, path -> found(path + "/f", FileOutcome.MOVED));
          return new CompletableFuture<MoveReport>()
              .completeOnTimeout(report, 50, TimeUnit.MILLISECONDS)
              .whenComplete((done, e) -> trees.decrementAndGet());
        });
    assertThat(most.get()).as("at once").isEqualTo(IN_FLIGHT / 4);
    assertThat(counters.getFilesSatisfied()).isEqualTo(3 * IN_FLIGHT + 1);
  }

  /** Such as one whose answer is too long, which the NameNode does not say of which. */
  @Test
  void run_oneFileOfSeveralCannotBeRead_theOthersDoNotFailWithIt() throws Exception {
    work(
        RequestKind.EVENT,
        List.of("/d/a", "/d/bad", "/d/b", "/d/c"),
        request -> {
          List<String> paths = new ArrayList<>();
          request.paths().forEach(paths::add);
          if (!paths.contains("/d/bad")) {
            return CompletableFuture.completedFuture(
                each(request, path -> found(path, FileOutcome.MOVED)));
          }
          return paths.size() > 1
              ? CompletableFuture.completedFuture(
                  new MoveReport.Builder()
                      .add(FileReport.of("", FileOutcome.FAILED, "too long"))
                      .build())
              : CompletableFuture.failedFuture(new IOException("too long"));
        });
    assertThat(counters.getFilesSatisfied()).isEqualTo(3);
    assertThat(counters.getFilesFailed()).isEqualTo(1);
  }

  /** As while the group mapping is down; the superuser is denied nothing for good. */
  @Test
  void run_allAreDeniedForAWhile_noneFails() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      files.add("/d/f" + i);
    }
    AtomicInteger calls = new AtomicInteger();
    work(
        RequestKind.EVENT,
        files,
        request -> {
          boolean denied = calls.incrementAndGet() <= 3;
          return CompletableFuture.completedFuture(
              each(request, path -> found(path, denied ? FileOutcome.DENIED : FileOutcome.MOVED)));
        });
    assertThat(counters.getFilesSatisfied()).isEqualTo(50);
    assertThat(counters.getFilesFailed()).isZero();
  }

  /** Their retries would keep out renames; the test's queue takes 1,000. */
  @Test
  void run_moreFilesWithoutATargetThanTheQueueTakes_theTreeIsScannedAgain() throws Exception {
    AtomicInteger scans = new AtomicInteger();
    work(
        RequestKind.SCAN,
        "/d",
        request -> {
          boolean first =
              request.paths().iterator().next().equals("/d") && scans.incrementAndGet() == 1;
          MoveReport.Builder report = new MoveReport.Builder();
          if (first) {
            for (int i = 0; i < 2_000; i++) {
              report.add(
                  new FileReport("/d/" + i, 1_000 + i, FileOutcome.NO_TARGET, "", List.of()));
            }
            return CompletableFuture.completedFuture(report.build());
          }
          return CompletableFuture.completedFuture(
              each(request, path -> found(path, FileOutcome.MOVED)));
        });
    assertThat(scans).hasValue(2);
    assertThat(counters.getFilesFailed()).isZero();
    assertThat(counters.getFilesSatisfied()).isLessThan(600);
  }

  /**
   * What was found before the place is queued by then: nothing else would know it after a crash.
   */
  @Test
  void run_scanTellsHowFarItIs_isNotedBehindWhatItLeft() throws Exception {
    MemoryStore.Disk disk = new MemoryStore.Disk();
    CompletableFuture<MoveReport> endless = new CompletableFuture<>();
    Journal journal = Journal.open(new MemoryStore(disk), 1 << 20, Time.monotonicNow(), List.of());
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    daemon.add(RequestKind.SCAN, "/d");
    daemon.sync();
    MoveService mover =
        request -> {
          request.listener().fileDone(found("/d/a/full", FileOutcome.NO_TARGET));
          request.listener().fileDone(found("/d/a/fine", FileOutcome.SATISFIED));
          request.listener().readUpTo("/d/b/");
          request.listener().readUpTo("/.reserved/.inodes/7/x"); // a renamed directory
          return endless;
        };
    daemon.start("requests", handOut(daemon, mover, new RetryRule(3, 60_000, 60_000)));
    Await.until("the file is queued", () -> journal.size() == 2);
    Await.until("the place is noted", () -> "/d/b/".equals(readUpTo(journal)));
    journal.sync();
    daemon.stop();

    Journal after = Journal.open(new MemoryStore(disk), 1 << 20, Time.monotonicNow(), List.of());
    assertThat(readUpTo(after)).isEqualTo("/d/b/");
    assertThat(after.take(Time.monotonicNow(), RequestKind.Line.TO_MOVE).shown())
        .isEqualTo("/d/a/full");
    MoveRequest[] asked = new MoveRequest[1];
    ActiveDaemon next = new ActiveDaemon(after, counters, 1_000);
    next.start(
        "requests",
        handOut(
            next,
            request -> {
              asked[0] = request;
              return endless;
            },
            new RetryRule(3, 60_000, 60_000)));
    Await.until("it is read on", () -> asked[0] != null);
    next.stop();
    assertThat(asked[0].after()).isEqualTo("/d/b/");
  }

  private static String readUpTo(Journal journal) {
    return journal.find(1).readUpTo();
  }

  /** Hours of renames wait for their pace, files and trees; a user need not wait for them. */
  @Test
  void run_allPacedRequestsAreStuck_whatAUserAsksForIsHandedOut() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    AtomicInteger stuck = new AtomicInteger();
    List<String> asked = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          if (request.isPaced()) {
            stuck.incrementAndGet();
            return new CompletableFuture<>();
          }
          return CompletableFuture.completedFuture(
              each(
                  request,
                  path -> {
                    asked.add(path);
                    return found(path, FileOutcome.MOVED);
                  }));
        };
    for (int i = 0; i < 2_000; i++) {
      daemon.add(RequestKind.EVENT, (i % 2 == 0 ? "/d/tree" : "/d/f") + i);
    }
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover, new RetryRule(3, 2, 2)));
    Await.until("no room is left", () -> stuck.get() == IN_FLIGHT);
    daemon.add(RequestKind.SATISFY, MoveRequest.inode(99));
    SpoolText text = new SpoolText("r", "alice", Map.of("/d/u", ""));
    daemon.add(RequestKind.SPOOL, text.format());
    daemon.sync();
    Await.until("both users' requests", () -> asked.size() == 2);
    daemon.stop();
  }

  /** As by far most are; what is moved may take hours, and it is not moved while that is paused. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void run_nothingMoreCanBeMoved_filesWithNothingToMoveHaveTheirEnd(boolean paused)
      throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    if (paused) {
      daemon.pause("by a test");
    }
    MoveService mover =
        request ->
            request.isDryRun()
                ? CompletableFuture.completedFuture(each(request, RequestRunnerTest::asItLooks))
                : new CompletableFuture<>();
    for (int i = 0; i < 3_000; i++) {
      daemon.add(RequestKind.EVENT, (i % 10 == 0 ? "/d/wrong" : "/d/f") + i);
    }
    daemon.add(RequestKind.EVENT, "/d/tree");
    daemon.add(RequestKind.EVENT, "/d/open");
    daemon.add(RequestKind.EVENT, "/d/gone");
    daemon.sync();
    RequestRunner work = handOut(daemon, mover);
    daemon.start("requests", work);
    Await.until("only what is to be moved is left", () -> journal.size() == 302);
    daemon.stop();
    assertThat(journal.first(1_000, Time.monotonicNow()))
        .extracting(state -> state.request().path())
        .allMatch(path -> path.matches("/d/(wrong.*|tree|open)"));
  }

  /** An answer that fails is tried again, for hours; not where it was cancelled meanwhile. */
  @Test
  void run_cancelledAsItsAnswerFails_isNotTriedAgain() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    RequestRunner work =
        new RequestRunner(
            daemon,
            request ->
                CompletableFuture.completedFuture(
                    each(request, path -> found(path, FileOutcome.MOVED))),
            new RetryRule(3, 2, 2),
            Prefixes.parse("/d", "/own"),
            Map.of(
                RequestKind.SPOOL,
                (request, report) -> {
                  told.incrementAndGet();
                  try {
                    hangs.await();
                  } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                  }
                  throw new IOException("no DataNode");
                }),
            IN_FLIGHT);
    daemon.add(RequestKind.SPOOL, new SpoolText("r", "alice", Map.of("/d/u", "")).format());
    daemon.sync();
    daemon.start("requests", work);
    Await.until("the user is being told", () -> told.get() == 1);
    CompletableFuture<QueuedRequest> cancelled = work.cancel(1);
    Await.until("the question has come", () -> work.cancel(99).get(10, TimeUnit.SECONDS) == null);
    hangs.countDown();
    assertThat(cancelled.get(10, TimeUnit.SECONDS).id()).isEqualTo(1);
    assertThat(journal.size()).isZero();
    daemon.stop();
    assertThat(told).hasValue(1);
  }

  /** Handed over as they come they would be a call each. */
  @Test
  void run_manyAreLookedAtTogether_areHandedOverTogether() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      files.add("/d/f" + i);
    }
    AtomicInteger calls = new AtomicInteger();
    work(
        RequestKind.EVENT,
        files,
        request -> {
          calls.incrementAndGet();
          return CompletableFuture.completedFuture(
              each(request, path -> found(path, FileOutcome.MOVED)));
        });
    assertThat(calls.get()).isLessThanOrEqualTo(7);
    assertThat(counters.getFilesSatisfied()).isEqualTo(500);
  }

  /** As in the days of an upgrade: temporary names that a job has renamed again. */
  @Test
  void run_nothingMayBeMoved_pathsThatAreGoneHaveTheirEnd() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    MoveService mover =
        new MoveService() {
          @Override
          public CompletableFuture<MoveReport> move(MoveRequest request) {
            return CompletableFuture.completedFuture(
                each(request, path -> FileReport.of(path, FileOutcome.MISSING, "no such path")));
          }

          @Override
          public String refusal() {
            return "an upgrade";
          }
        };
    for (int i = 0; i < 50; i++) {
      daemon.add(RequestKind.EVENT, "/d/tmp" + i);
    }
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover));
    Await.until("none is left", () -> journal.size() == 0);
    daemon.stop();
  }

  @Test
  void run_nothingMayBeMoved_isTheLastErrorUntilThereIsAnother() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    AtomicInteger asked = new AtomicInteger();
    MoveService mover =
        new MoveService() {
          @Override
          public CompletableFuture<MoveReport> move(MoveRequest request) {
            return CompletableFuture.completedFuture(each(request, path -> null));
          }

          @Override
          public String refusal() {
            asked.incrementAndGet();
            return "an upgrade";
          }
        };
    daemon.add(RequestKind.EVENT, "/d");
    daemon.start("requests", handOut(daemon, mover));
    Await.until("it is told", () -> counters.getLastError().equals("nothing is moved: an upgrade"));
    counters.error("another");
    int before = asked.get();
    Await.until("it was asked again", () -> asked.get() > before + 2);
    assertThat(counters.getLastError()).isEqualTo("another");
    daemon.stop();
  }

  /** It waits as the others of its path do, so that it is queued once. */
  @Test
  void run_pausedAndADirectoryIsRenamedAgain_itIsInTheQueueOnce() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    daemon.pause("by a test");
    AtomicInteger looks = new AtomicInteger();
    MoveService mover =
        request -> {
          looks.incrementAndGet();
          return CompletableFuture.completedFuture(each(request, path -> null));
        };
    RequestRunner work = handOut(daemon, mover);
    daemon.start("requests", work);
    for (int i = 1; i <= 3; i++) {
      daemon.add(RequestKind.EVENT, "/d/tree");
      daemon.sync();
      Await.until("it was looked at", () -> looks.get() > 0 && journal.running() == 0);
    }
    assertThat(journal.size()).isEqualTo(1);
    daemon.stop();
  }

  private static FileReport asItLooks(String path) {
    switch (path) {
      case "/d/tree":
        return null;
      case "/d/open":
        return found(path, FileOutcome.PENDING_OPEN).whileOpen();
      case "/d/gone":
        return FileReport.of(path, FileOutcome.MISSING, "no such path");
      default:
        return found(
            path, path.startsWith("/d/wrong") ? FileOutcome.PLANNED : FileOutcome.SATISFIED);
    }
  }

  /** Each waits for a DataNode that hangs: others go past them, as long as the mover says so. */
  @Test
  void run_allThatWasHandedOverOnlyWaits_moreIsHandedOver() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    AtomicInteger trees = new AtomicInteger();
    AtomicInteger ofUsers = new AtomicInteger();
    AtomicBoolean starved = new AtomicBoolean();
    MoveService mover =
        new MoveService() {
          @Override
          public CompletableFuture<MoveReport> move(MoveRequest request) {
            if (request.isDryRun()) {
              request.paths().forEach(request.listener()::leftOut);
              return CompletableFuture.completedFuture(new MoveReport.Builder().build());
            }
            (request.isPaced() ? trees : ofUsers).incrementAndGet();
            return new CompletableFuture<>();
          }

          @Override
          public boolean isStarved() {
            return starved.get();
          }
        };
    for (int i = 0; i < 20; i++) {
      daemon.add(RequestKind.EVENT, "/d/tree" + i);
      SpoolText text = new SpoolText("r" + i, "alice", Map.of("/d/f" + i, ""));
      daemon.add(RequestKind.SPOOL, text.format());
    }
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover));
    Await.until("a quarter of each", () -> trees.get() == 2 && ofUsers.get() == 2);

    starved.set(true);

    Await.until("all users'", () -> ofUsers.get() == 20);
    Await.until("all trees", () -> trees.get() == 20);
    daemon.stop();
  }

  /** The DataNode an answer is written to may hang; renames and a pause need not wait for it. */
  @Test
  void run_anAnswerHangs_othersAreMovedAndItIsCancelledNeverTwice() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 100_000);
    CountDownLatch hangs = new CountDownLatch(1);
    List<Long> told = new CopyOnWriteArrayList<>();
    MoveService mover =
        looking(
            request ->
                CompletableFuture.completedFuture(
                    each(request, path -> found(path, FileOutcome.MOVED))));
    RequestRunner work =
        new RequestRunner(
            daemon,
            mover,
            new RetryRule(3, 2, 2),
            Prefixes.parse("/d", "/own"),
            Map.of(
                RequestKind.SPOOL,
                (request, report) -> {
                  told.add(request.id());
                  try {
                    hangs.await();
                  } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                  }
                }),
            IN_FLIGHT);
    daemon.add(RequestKind.SPOOL, new SpoolText("r", "alice", Map.of("/d/u", "")).format());
    daemon.sync();
    daemon.start("requests", work);
    Await.until("the user is being told", () -> told.size() == 1);
    daemon.add(RequestKind.EVENT, "/d/f");
    daemon.sync();
    Await.until("the rename has its end", () -> journal.size() == 1);
    daemon.add(RequestKind.EVENT, "/d/stays");
    daemon.pause("by a test");
    daemon.sync();
    assertThat(work.cancel(3).get(10, TimeUnit.SECONDS).shown()).isEqualTo("/d/stays");
    CompletableFuture<QueuedRequest> cancelled = work.cancel(1);
    hangs.countDown();
    assertThat(cancelled.get(10, TimeUnit.SECONDS)).as("it has its end").isNull();
    Await.until("all have their end", () -> journal.size() == 0);
    daemon.stop();
    assertThat(told).containsExactly(1L);
  }

  /** Its looks say nothing about how often it was tried. */
  @Test
  void run_fileWasOpenForLong_isTriedAgainOnceItIsClosed() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    work(
        RequestKind.RETRY,
        "/d/wal",
        request ->
            CompletableFuture.completedFuture(
                each(
                    request,
                    path -> {
                      int look = looks.incrementAndGet();
                      return look <= 3 * RETRIES
                          ? found(path, FileOutcome.PENDING_OPEN).whileOpen()
                          : found(
                              path, look < 4 * RETRIES ? FileOutcome.NO_TARGET : FileOutcome.MOVED);
                    })));
    assertThat(looks).hasValue(4 * RETRIES);
    assertThat(counters.getFilesFailed()).isZero();
  }

  @Test
  void run_spoolRequestWhoseOpenFilesHaveNoRoom_isTriedAgainAsItIs() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 20);
    for (int i = 0; i < 12; i++) {
      journal.add(RequestKind.INODE, i + " /d/x" + i, 0, Long.MAX_VALUE);
    }
    List<String> paths = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          request.paths().forEach(paths::add);
          MoveReport.Builder report = new MoveReport.Builder();
          for (int i = 0; i < 3; i++) {
            report.add(found("/d/t/f" + i, FileOutcome.PENDING_OPEN).whileOpen());
          }
          return CompletableFuture.completedFuture(report.build());
        };
    SpoolText text = new SpoolText("r", "alice", Map.of("/d/t", ""));
    daemon.add(RequestKind.SPOOL, text.format());
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover, new RetryRule(3, 2, 2)));
    Await.until("it has its end", () -> journal.size() == 12);
    daemon.stop();
    assertThat(paths).hasSize(4).containsOnly("/d/t");
  }

  /** A scan takes days, in which a directory cannot be read more than once. */
  @Test
  void run_scanFailsAndGetsOnInBetween_isNotGivenUp() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = scanOf(journal);
    List<CompletableFuture<MoveReport>> attempts = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          request.listener().readUpTo("/d/" + attempts.size() + "/");
          CompletableFuture<MoveReport> attempt = new CompletableFuture<>();
          attempts.add(attempt);
          return attempt;
        };
    daemon.start("requests", handOut(daemon, mover, new RetryRule(1, 2, 2)));
    for (int i = 0; i < 3; i++) {
      String place = "/d/" + i + "/";
      int attempt = i;
      Await.until("its place is noted", () -> place.equals(readUpTo(journal)));
      attempts.get(attempt).completeExceptionally(new IOException("not read"));
      Await.until("it is tried again", () -> attempts.size() == attempt + 2);
    }
    daemon.stop();
    assertThat(counters.getFilesFailed()).isZero();
  }

  /** Else a tree whose type has no room would be scanned each hour for ever. */
  @Test
  void run_scanGetsOnAndLeavesMoreThanIsListed_isGivenUpAllTheSame() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    daemon.add(RequestKind.SCAN, "/d");
    daemon.sync();
    List<CompletableFuture<MoveReport>> scans = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          if (!request.paths().iterator().next().equals("/d")) {
            return CompletableFuture.completedFuture(
                each(request, path -> found(path, FileOutcome.MOVED)));
          }
          request.listener().readUpTo("/d/x/");
          CompletableFuture<MoveReport> scan = new CompletableFuture<>();
          scans.add(scan);
          return scan;
        };
    daemon.start("requests", handOut(daemon, mover, new RetryRule(1, 2, 2)));
    MoveReport.Builder left = new MoveReport.Builder();
    for (int i = 0; i < MoveReport.LISTED_FILES + 1; i++) {
      left.add(FileReport.of("/d/" + i, FileOutcome.NO_TARGET, ""));
    }
    for (int i = 0; i < 2; i++) {
      int scan = i;
      Await.until("it is scanned", () -> scans.size() == scan + 1);
      Await.until(
          "its place is noted",
          () ->
              journal.first(2_000, Time.monotonicNow()).stream()
                  .anyMatch(state -> "/d/x/".equals(state.request().readUpTo())));
      scans.get(scan).complete(left.build());
    }
    Await.until("all has ended", () -> journal.size() == 0);
    daemon.stop();
    assertThat(scans).hasSize(2);
    assertThat(counters.getFilesFailed()).isPositive();
  }

  /** It is tried again by its inode id, so that the scan may be read on behind it. */
  @Test
  void run_fileDeniedInTheMiddleOfAScan_theScanIsReadOnBehindIt() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = scanOf(journal);
    List<MoveListener> listeners = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          listeners.add(request.listener());
          return new CompletableFuture<>();
        };
    daemon.start("requests", handOut(daemon, mover, new RetryRule(3, 60_000, 60_000)));
    Await.until("it has begun", () -> !listeners.isEmpty());
    listeners.get(0).fileDone(new FileReport("/d/a/f", 7, FileOutcome.DENIED, "", List.of()));
    listeners.get(0).readUpTo("/d/b/");
    Await.until("its place is noted", () -> "/d/b/".equals(readUpTo(journal)));
    assertThat(journal.size()).as("the scan and the file").isEqualTo(2);
    daemon.stop();
  }

  /** As while the group mapping of the NameNode is down; only reading it again finds such files. */
  @Test
  void run_directoryDeniedInTheMiddleOfAScan_theScanIsNotReadOnBehindIt() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = scanOf(journal);
    List<String> after = new CopyOnWriteArrayList<>();
    CompletableFuture<MoveReport> first = new CompletableFuture<>();
    FileReport denied = FileReport.of("/d/c", FileOutcome.DENIED, "");
    List<MoveListener> listeners = new CopyOnWriteArrayList<>();
    MoveService mover =
        request -> {
          after.add(String.valueOf(request.after()));
          listeners.add(request.listener());
          request.listener().readUpTo("/d/b/");
          if (after.size() == 2) {
            request.listener().readUpTo("/e/x");
            return new CompletableFuture<>();
          }
          return after.size() > 2
              ? CompletableFuture.completedFuture(new MoveReport.Builder().build())
              : first;
        };
    Prefixes followed = Prefixes.parse("/d", "/own");
    RetryRule rule = new RetryRule(3, 2, 2);
    daemon.start(
        "requests", new RequestRunner(daemon, mover, rule, followed, Map.of(), 2 * IN_FLIGHT));
    Await.until("its place is noted", () -> "/d/b/".equals(readUpTo(journal)));
    listeners.get(0).fileDone(denied);
    listeners.get(0).readUpTo("/d/y/");
    daemon.add(RequestKind.SCAN, "/e"); // noted together with what is to be seen
    daemon.sync();
    Await.until("what came later is noted", () -> journal.find(2).readUpTo() != null);
    first.complete(new MoveReport.Builder().add(denied).build());
    Await.until("the second attempt", () -> after.size() == 3);
    daemon.stop();
    assertThat(after).containsExactly("null", "null", "/d/b/");
  }

  @Test
  void run_fileWasOpenForLong_aMomentWithoutTheNameNodeDoesNotEndTheWait() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    work(
        RequestKind.RETRY,
        "/d/wal",
        request -> {
          int look = looks.incrementAndGet();
          if (look == 3 * RETRIES) {
            return CompletableFuture.failedFuture(new IOException("down"));
          }
          if (look == 3 * RETRIES + 1) {
            FileReport unread = FileReport.of("", FileOutcome.FAILED, "down");
            return CompletableFuture.completedFuture(new MoveReport.Builder().add(unread).build());
          }
          return CompletableFuture.completedFuture(
              each(
                  request,
                  path ->
                      look < 4 * RETRIES
                          ? found(path, FileOutcome.PENDING_OPEN).whileOpen()
                          : found(path, FileOutcome.MOVED)));
        });
    assertThat(looks).hasValue(4 * RETRIES);
    assertThat(counters.getFilesFailed()).isZero();
  }

  /** Nothing of it is begun any more; the others lose no attempt. */
  @Test
  void cancel_oneOfAGroup_theGroupIsStoppedAndTheOthersAreHandedOverAgain() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    for (int i = 0; i < 3; i++) {
      daemon.add(RequestKind.EVENT, "/d/f" + i);
    }
    daemon.sync();
    List<MoveRequest> asked = new CopyOnWriteArrayList<>();
    CompletableFuture<MoveReport> first = new CompletableFuture<>();
    RequestRunner work =
        handOut(
            daemon,
            request -> {
              asked.add(request);
              return asked.size() == 1
                  ? first
                  : CompletableFuture.completedFuture(
                      each(request, path -> found(path, FileOutcome.MOVED)));
            },
            new RetryRule(3, 2, 2));
    daemon.start("requests", work);
    Await.until("they are moved", () -> asked.size() == 1);
    assertThat(work.cancel(2).get(10, TimeUnit.SECONDS).shown()).isEqualTo("/d/f1");
    assertThat(first).isCancelled();
    Await.until("the others have their end", () -> journal.size() == 0);
    daemon.stop();
    assertThat(asked.get(1).paths()).containsExactly("/d/f0", "/d/f2");
    assertThat(counters.getRetries()).isZero();
  }

  /** A tree may have a million replicas, for which no file that is known is to wait. */
  @Test
  void run_lookIsBrokenOff_fileThatWasToldOfIsMovedWithoutWaitingForTrees() throws Exception {
    Journal journal = journal();
    ActiveDaemon daemon = new ActiveDaemon(journal, counters, 1_000);
    AtomicInteger trees = new AtomicInteger();
    MoveService mover =
        request -> {
          List<String> paths = new ArrayList<>();
          request.paths().forEach(paths::add);
          if (request.isDryRun() && paths.contains("/d/told")) {
            request.listener().fileDone(found("/d/told", FileOutcome.PLANNED));
            FileReport unread = FileReport.of("", FileOutcome.FAILED, "down");
            return CompletableFuture.completedFuture(new MoveReport.Builder().add(unread).build());
          }
          if (request.isDryRun()) {
            return CompletableFuture.completedFuture(
                each(request, path -> path.startsWith("/d/tree") ? null : asItLooks(path)));
          }
          if (paths.get(0).startsWith("/d/tree")) {
            trees.incrementAndGet();
            return new CompletableFuture<>();
          }
          return CompletableFuture.completedFuture(
              each(request, path -> found(path, FileOutcome.MOVED)));
        };
    for (int i = 0; i < IN_FLIGHT; i++) {
      daemon.add(RequestKind.EVENT, "/d/tree" + i);
    }
    daemon.sync();
    daemon.start("requests", handOut(daemon, mover));
    Await.until("as many trees as may be", () -> trees.get() == IN_FLIGHT / 4);
    daemon.add(RequestKind.EVENT, "/d/told");
    daemon.add(RequestKind.EVENT, "/d/untold");
    daemon.sync();
    Await.until("the file is moved", () -> journal.find(IN_FLIGHT + 1) == null);
    daemon.stop();
    assertThat(journal.find(IN_FLIGHT + 2)).isNotNull(); // read alone, so that it stops no others
  }
}
