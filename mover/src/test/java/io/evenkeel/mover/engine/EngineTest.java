package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class EngineTest {
  private final SimulatedCluster cluster = new SimulatedCluster(11);
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private Engine engine;

  @BeforeEach
  void start() {
    for (int i = 0; i < 6; i++) {
      cluster.node("dn" + i, "DISK", "SSD", "ARCHIVE");
    }
    engine = engine(new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 0, 0));
  }

  private Engine engine(EngineSettings settings) {
    return new Engine(cluster, cluster, settings, (what, e) -> warnings.add(what + e));
  }

  @AfterEach
  void stop() {
    engine.close();
    cluster.close();
    assertThat(cluster.violations).isEmpty();
    assertThat(warnings).isEmpty();
  }

  private MoveReport move(String... paths) throws Exception {
    return move(MoveRequest.of(paths));
  }

  private MoveReport move(MoveRequest.Builder request) throws Exception {
    return engine.submit(request.build()).get(60, TimeUnit.SECONDS);
  }

  @Test
  void oneFile_allWrong_movedWithFewCalls() throws Exception {
    SimulatedCluster.File file = cluster.file("/d/f", 10, "DISK", "SSD", "SSD", "SSD");

    MoveReport report = move("/d/f");

    assertThat(report.files()).containsOnly(Map1.of(FileOutcome.MOVED));
    assertThat(report.counts().localReplicas()).isEqualTo(30);
    assertThat(report.counts().localBytes()).isEqualTo(3000);
    assertThat(cluster.isRight(file)).isTrue();
    assertThat(cluster.listings.get() + cluster.clusterCalls.get() + cluster.fileCalls.get())
        .isLessThanOrEqualTo(4);
  }

  /** The thread that tells may come later than who closes. */
  @Test
  void closedRightAfterTheEnd_reportIsTold() throws Exception {
    cluster.file("/d/f", 1, "SSD", "SSD", "SSD", "SSD");
    for (int i = 0; i < 200; i++) {
      Engine other = engine(new EngineSettings(2, 2, 0, new TaskRules(2_000, 50, 8), 0, 0));
      CompletableFuture<MoveReport> future = other.submit(MoveRequest.of("/d/f").build());
      while (other.load().activeRequests + other.load().waitingRequests > 0) {
        Thread.onSpinWait();
      }
      other.close();
      assertThat(future).isCompleted();
    }
  }

  /** More of them than there are threads that plan; stock has no futures. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void dependentsWaitForOtherMoves_allEnd(boolean pastTheirDeadline) throws Exception {
    List<CompletableFuture<MoveReport>> second = new ArrayList<>();
    AtomicInteger begun = new AtomicInteger();
    CompletableFuture<Void> allBegun = new CompletableFuture<>();
    for (int i = 0; i < 8; i++) {
      cluster.file("/first/" + i, 1, "DISK", "SSD", "SSD", "SSD");
      cluster.file("/second/" + i, 1, "DISK", "SSD", "SSD", "SSD");
      MoveRequest.Builder first = MoveRequest.of("/first/" + i);
      if (pastTheirDeadline) {
        first.delay(Duration.ofDays(1)).deadline(Duration.ofMillis(100));
      }
      String next = "/second/" + i;
      second.add(
          engine
              .submit(first.build())
              .thenApply(
                  report -> {
                    if (begun.incrementAndGet() == 8) {
                      allBegun.complete(null);
                    }
                    allBegun.join();
                    return engine.submit(MoveRequest.of(next).build()).join();
                  }));
    }
    for (CompletableFuture<MoveReport> each : second) {
      assertThat(each.get(60, TimeUnit.SECONDS).files(FileOutcome.MOVED)).isEqualTo(1);
    }
  }

  /** A tree would hold up the files that were asked for with it. */
  @Test
  void filesOnly_directoriesAreLeftOut() throws Exception {
    cluster.file("/d/f", 1, "DISK", "SSD", "SSD", "SSD");
    cluster.file("/d/g", 1, "SSD", "SSD", "SSD", "SSD");
    cluster.file("/tree/h", 1, "DISK", "SSD", "SSD", "SSD");
    for (String[] paths : new String[][] {{"/d/f", "/tree", "/d/g", "/none"}, {"/tree"}}) {
      List<String> leftOut = Collections.synchronizedList(new ArrayList<>());
      MoveListener listener =
          new MoveListener() {
            @Override
            public void leftOut(String path) {
              leftOut.add(path);
            }
          };
      MoveReport report = move(MoveRequest.of(paths).filesOnly(true).listener(listener));
      assertThat(leftOut).containsExactly("/tree");
      assertThat(report.listed())
          .extracting(FileReport::path)
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(paths).filter(path -> !path.equals("/tree")).toList());
    }
    assertThat(move(MoveRequest.of("/d/f").filesOnly(true)).files())
        .containsOnly(Map1.of(FileOutcome.SATISFIED));
  }

  @Test
  void filesWhoseMovesTakeLong_areNotReadAgainMeanwhile() throws Exception {
    cluster.file("/quick/f", 2, "DISK", "SSD", "SSD", "SSD");
    move("/quick");
    int ofQuick = cluster.listings.getAndSet(0) + cluster.fileCalls.getAndSet(0);
    cluster.file("/slow/f", 2, "DISK", "SSD", "SSD", "SSD");
    cluster.moveMillis = 6_000;

    MoveReport report = move("/slow");

    assertThat(report.files()).containsOnly(Map1.of(FileOutcome.MOVED));
    // a quick one is looked at once more where its DataNodes are late
    assertThat(cluster.listings.get() + cluster.fileCalls.get()).isBetween(2, ofQuick);
  }

  @Test
  void oneFileOfAPage_isReadByItsId_inASnapshotWithItsPage() throws Exception {
    for (String directory : List.of("/d", "/d/.snapshot/s")) {
      for (int i = 0; i < 20; i++) {
        cluster.file(directory + "/right" + i, 1, "SSD", "SSD", "SSD", "SSD");
      }
      cluster.file(directory + "/wrong", 1, "DISK", "SSD", "SSD", "SSD");
    }

    move("/d/.snapshot/s");
    assertThat(cluster.listings.getAndSet(0)).isGreaterThan(1);
    assertThat(cluster.fileCalls.get()).isZero();

    move("/d");
    assertThat(cluster.fileCalls.get()).isPositive();
  }

  /** Keeps the assertion on the map readable. */
  private static final class Map1 {
    static java.util.Map.Entry<FileOutcome, Long> of(FileOutcome outcome) {
      return java.util.Map.entry(outcome, 1L);
    }
  }

  @Test
  void aFileThatIsRight_again_satisfiedWithoutAMove() throws Exception {
    cluster.file("/d/f", 2, "SSD", "SSD", "SSD", "SSD");

    MoveReport report = move("/d/f");

    assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(1);
    assertThat(report.isSatisfied()).isTrue();
    assertThat(cluster.moves).hasValue(0);
  }

  @Test
  void nothingMayBeMoved_whatIsRightIsSatisfiedTheRestFailsWithTheReason() throws Exception {
    cluster.file("/d/right", 1, "SSD", "SSD", "SSD", "SSD");
    cluster.file("/d/wrong", 1, "DISK", "SSD", "SSD", "SSD");
    cluster.refusal = "an upgrade is not finalised";

    MoveReport report = move("/d");

    assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(1);
    assertThat(report.listed())
        .filteredOn(file -> file.path().equals("/d/wrong"))
        .singleElement()
        .matches(file -> file.outcome() == FileOutcome.FAILED)
        .matches(file -> file.reason().equals("an upgrade is not finalised"));
    assertThat(cluster.moves).hasValue(0);
    assertThat(engine.load().held()).isZero();
  }

  @Test
  void nothingMayBeMovedFromNowOn_queuedMovesEndWithTheReasonAndLaterRequestsMove()
      throws Exception {
    int files = 20;
    for (int f = 0; f < files; f++) {
      cluster.file("/d/f" + f, 10, "DISK", "SSD", "SSD", "SSD");
    }
    cluster.moveMillis = 20;
    AtomicInteger moved = new AtomicInteger();
    MoveListener upgrade =
        new MoveListener() {
          @Override
          public void replicaMoved(String path, boolean local, long bytes) {
            if (moved.incrementAndGet() == 30) {
              cluster.refusal = "an upgrade is not finalised";
            }
          }
        };

    MoveReport report = move(MoveRequest.of("/d").listener(upgrade));

    assertThat(cluster.moves).hasValueLessThan(files * 30);
    assertThat(report.files(FileOutcome.FAILED)).isPositive();
    assertThat(report.listed())
        .filteredOn(file -> file.outcome() == FileOutcome.FAILED)
        .allMatch(file -> file.reason().equals("an upgrade is not finalised"));
    assertThat(engine.load().held()).isZero();

    cluster.refusal = null;
    assertThat(move("/d").isSatisfied()).isTrue();
  }

  @Test
  void twoEngines_sameFiles_eachReplicaIsMovedOnce() throws Exception {
    for (int f = 0; f < 50; f++) {
      cluster.file("/d/f" + f, 2, "DISK", "SSD", "SSD", "SSD");
    }
    try (Engine other = engine(new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 0, 0))) {
      CompletableFuture<MoveReport> second = other.submit(MoveRequest.of("/d").build());
      MoveReport first = move("/d");

      assertThat(first.isSatisfied()).isTrue();
      assertThat(second.get(60, TimeUnit.SECONDS).isSatisfied()).isTrue();
      assertThat(cluster.moves).hasValue(50 * 2 * 3);
      assertThat(other.load().held()).isZero();
    }
  }

  @Test
  void engineClosedInTheMiddle_itsFilesAreFreeForOthers() throws Exception {
    cluster.file("/d/f", 20, "DISK", "SSD", "SSD", "SSD");
    cluster.moveMillis = 200;
    Engine other = engine(new EngineSettings(1, 1, 0, new TaskRules(2_000, 50, 8), 0, 0));
    CompletableFuture<MoveReport> unused = other.submit(MoveRequest.of("/d").build());
    Await.until("a move has begun", () -> cluster.moves.get() > 0);
    other.close();
    cluster.moveMillis = 0;

    assertThat(move("/d").isSatisfied()).isTrue();
  }

  @Test
  void tree_manyDirectories_everyFileReportedOnce() throws Exception {
    for (int d = 0; d < 5; d++) {
      for (int f = 0; f < 120; f++) {
        cluster.file("/t/d" + d + "/f" + f, 1, "DISK", "SSD", "SSD", "SSD");
      }
    }
    List<String> done = Collections.synchronizedList(new ArrayList<>());

    MoveReport report =
        move(
            MoveRequest.of("/t")
                .listener(
                    new MoveListener() {
                      @Override
                      public void fileDone(FileReport file) {
                        done.add(file.path());
                      }
                    }));

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(600);
    assertThat(done).hasSize(600).doesNotHaveDuplicates();
    // two looks at each page of 50 and some repeats, not one call for each file
    assertThat(cluster.listings.get() + cluster.fileCalls.get()).isLessThan(150);
  }

  @Test
  void remote_typeOnOtherNodesOnly_oneAtATimeAndExact() throws Exception {
    for (int i = 0; i < 4; i++) {
      cluster.node("nv" + i, "NVDIMM");
    }
    List<SimulatedCluster.File> files = new ArrayList<>();
    for (int f = 0; f < 20; f++) {
      files.add(cluster.file("/r/f" + f, 3, "DISK", "NVDIMM", "NVDIMM", "NVDIMM"));
    }

    MoveReport report = move("/r");

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(20);
    assertThat(report.counts().remoteReplicas()).isEqualTo(180);
    assertThat(files).allMatch(cluster::isRight);
  }

  @Test
  void failuresAndBusyNodes_retried_allRight() throws Exception {
    cluster.unreachable = 0.1;
    cluster.quota = 2; // less than the 4 permits of a DataNode
    cluster.moveMillis = 2;
    List<SimulatedCluster.File> files = new ArrayList<>();
    for (int f = 0; f < 30; f++) {
      files.add(cluster.file("/b/f" + f, 3, "DISK", "SSD", "SSD", "DISK"));
    }

    MoveReport report = move("/b");

    assertThat(report.isSatisfied()).isTrue();
    assertThat(report.counts().retries()).isPositive();
    assertThat(files).allMatch(cluster::isRight);
  }

  @Test
  void twoRequestsForTheSameFiles_atOnce_oneMovesTheOtherWaits() throws Exception {
    for (int f = 0; f < 50; f++) {
      cluster.file("/s/f" + f, 2, "DISK", "SSD", "SSD", "SSD");
    }
    cluster.moveMillis = 1;

    CompletableFuture<MoveReport> one = engine.submit(MoveRequest.of("/s").build());
    CompletableFuture<MoveReport> two = engine.submit(MoveRequest.of("/s").build());

    assertThat(one.get().isSatisfied()).isTrue();
    assertThat(two.get().isSatisfied()).isTrue();
    assertThat(one.get().counts().replicas() + two.get().counts().replicas()).isEqualTo(300);
    assertThat(cluster.moves).hasValue(300);
  }

  @Test
  void missingAndUnmatched_namedInTheReport() throws Exception {
    cluster.file("/d/f", 1, "SSD", "SSD", "SSD", "SSD");

    MoveReport report = move(MoveRequest.of("/d/f", "/no/such").globs("/x/*"));

    assertThat(report.isSatisfied()).isFalse();
    assertThat(report.files(FileOutcome.MISSING)).isEqualTo(2);
    assertThat(report.listed())
        .extracting(FileReport::path)
        .containsExactly("/no/such", "/x/*", "/d/f");
  }

  @Test
  void noSuchType_noTarget_saysWhichType() throws Exception {
    cluster.file("/d/f", 2, "DISK", "NVDIMM", "NVDIMM", "NVDIMM");

    MoveReport report = move("/d/f");

    assertThat(report.files(FileOutcome.NO_TARGET)).isEqualTo(1);
    assertThat(report.listed().get(0).reason()).contains("NVDIMM");
  }

  @Test
  void pinned_typeElsewhereOnly_reportedAsPinned() throws Exception {
    cluster.node("nv", "NVDIMM");
    cluster.pinned = true;
    cluster.file("/d/f", 1, "DISK", "DISK", "DISK", "NVDIMM");

    assertThat(move("/d/f").files(FileOutcome.PINNED)).isEqualTo(1);
  }

  @Test
  void openFile_itsCompleteBlocksMovedThenPending() throws Exception {
    SimulatedCluster.File file = cluster.file("/d/f", 2, "DISK", "SSD", "SSD", "SSD");
    file.open = true;

    MoveReport report = move("/d/f");

    assertThat(report.files(FileOutcome.PENDING_OPEN)).isEqualTo(1);
    assertThat(report.isSatisfied()).isFalse();
    assertThat(cluster.isRight(file)).isTrue();
  }

  @Test
  void renamedAndDeletedMeanwhile_followedAndTold() throws Exception {
    cluster.moveMillis = 50;
    SimulatedCluster.File renamed = cluster.file("/d/a", 8, "DISK", "SSD", "SSD", "SSD");
    cluster.file("/d/b", 8, "DISK", "SSD", "SSD", "SSD");
    AtomicInteger moved = new AtomicInteger();
    MoveListener change =
        new MoveListener() {
          @Override
          public void replicaMoved(String path, boolean local, long bytes) {
            if (moved.incrementAndGet() == 3) {
              cluster.rename("/d/a", "/e/a");
              cluster.delete("/d/b");
            }
          }
        };

    MoveReport report = move(MoveRequest.of("/d").listener(change));

    assertThat(cluster.isRight(renamed)).isTrue();
    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.MOVED, 1L, FileOutcome.DELETED, 1L));
    assertThat(report.isSatisfied()).as("nothing is left on a wrong type").isTrue();
  }

  @Test
  void dryRun_plansAndMovesNothing() throws Exception {
    cluster.file("/d/f", 2, "DISK", "SSD", "SSD", "SSD");

    MoveReport report = move(MoveRequest.of("/d").dryRun(true));

    assertThat(report.files(FileOutcome.PLANNED)).isEqualTo(1);
    assertThat(report.counts().localBytes()).isEqualTo(600);
    assertThat(cluster.moves).hasValue(0);
  }

  @Test
  void fileAndItsSnapshotCopy_namedTogether_bothLookedAt() throws Exception {
    for (boolean snapshotFirst : new boolean[] {true, false}) {
      String path = "/a" + snapshotFirst + "/f";
      String copy = "/a" + snapshotFirst + "/.snapshot/s/f";
      cluster.file(path, 1, "SSD", "SSD", "SSD", "SSD");
      SimulatedCluster.File then = cluster.snapshot(path, copy, "DISK");
      String[] paths = snapshotFirst ? new String[] {copy, path} : new String[] {path, copy};

      MoveReport dryRun = move(MoveRequest.of(paths).dryRun(true));
      MoveReport report = move(paths);

      assertThat(dryRun.files(FileOutcome.PLANNED)).isEqualTo(1);
      assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(1);
      assertThat(report.files(FileOutcome.MOVED)).isEqualTo(1);
      assertThat(report.counts().replicas()).isEqualTo(3);
      assertThat(cluster.isRight(then)).isTrue();
    }
  }

  @Test
  void cancelAndDeadline_startNothingMore() throws Exception {
    cluster.moveMillis = 20;
    for (int f = 0; f < 100; f++) {
      cluster.file("/c/f" + f, 10, "DISK", "SSD", "SSD", "SSD");
    }

    MoveReport report = move(MoveRequest.of("/c").deadline(Duration.ofMillis(300)));

    assertThat(report.files(FileOutcome.CANCELLED)).isPositive();
    int before = cluster.moves.get();
    assertThat(before).isLessThan(3000);
    CompletableFuture<MoveReport> cancelled = engine.submit(MoveRequest.of("/c").build());
    Await.until("20 moves have begun", () -> cluster.moves.get() >= before + 20);
    cancelled.cancel(true);
    Await.until("no request is left", () -> engine.load().activeRequests == 0);
    assertThat(cluster.moves.get()).isLessThan(3000);
  }

  /** It is added by one thread as another one looks at its deadline. */
  @Test
  void deadlinePassesAsItsTurnComes_whatIsToldNotBegunIsNotMoved() throws Exception {
    for (int i = 0; i < 500; i++) {
      SimulatedCluster.File file = cluster.file("/d/" + i, 1, "DISK", "SSD", "SSD", "SSD");
      Duration soon = Duration.ofMillis(1);
      MoveReport report = move(MoveRequest.of("/d/" + i).delay(soon).deadline(soon));
      if (report.listed().get(0).reason().endsWith("not begun")) {
        Await.until(
            "no request is left",
            () -> engine.load().activeRequests + engine.load().waitingRequests == 0);
        assertThat(cluster.isRight(file)).as("" + i).isFalse();
      }
    }
  }

  @Test
  void close_withWorkUnderWay_endsEveryRequest() throws Exception {
    cluster.moveMillis = 20;
    for (int f = 0; f < 50; f++) {
      cluster.file("/c/f" + f, 10, "DISK", "SSD", "SSD", "SSD");
    }
    List<CompletableFuture<MoveReport>> all =
        IntStream.range(0, 50)
            .mapToObj(i -> engine.submit(MoveRequest.of("/c/f" + i).build()))
            .toList();

    engine.close();

    for (CompletableFuture<MoveReport> one : all) {
      assertThat(one).isDone();
    }
  }

  @Test
  void laterRequestOfHigherPriority_moreRequestsThanAreWorkedOn_itsMovesStartNext()
      throws Exception {
    for (int i = 0; i < 3; i++) {
      cluster.node("nv" + i, "NVDIMM", "SSD"); // each has a replica of every block
    }
    List<SimulatedCluster.File> low = new ArrayList<>();
    for (int f = 0; f < 40; f++) {
      low.add(cluster.file("/low/f" + f, 1, "NVDIMM", "SSD", "SSD", "SSD"));
    }
    SimulatedCluster.File high = cluster.file("/high", 1, "NVDIMM", "SSD", "SSD", "SSD");
    List<Long> started = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch gate = new CountDownLatch(1);
    ReplicaMover gated =
        (move, alive) -> {
          started.add(move.replica().blockId());
          gate.await();
          return cluster.move(move, alive);
        };
    EngineSettings oneAtATime = new EngineSettings(1, 1, 0, new TaskRules(2_000, 50, 8), 0, 0);
    try (Engine one = new Engine(cluster, gated, oneAtATime, (what, e) -> warnings.add(what + e))) {
      List<CompletableFuture<MoveReport>> all = new ArrayList<>();
      low.forEach(file -> all.add(one.submit(MoveRequest.of(file.path).build())));
      awaitLoad(one, 8, 32 * 3 - 1);
      CompletableFuture<MoveReport> later =
          one.submit(MoveRequest.of(high.path).priority(1).build());
      awaitLoad(one, 9, 32 * 3 - 1);
      Await.until("the move that was taken begins", () -> !started.isEmpty());
      boolean runs = started.get(0) == block(low.get(0));
      all.remove(runs ? 1 : 0).cancel(true); // the next request takes its place
      awaitLoad(one, 8, 32 * 3 - 1);

      gate.countDown();

      assertThat(later.get(60, TimeUnit.SECONDS).isSatisfied()).isTrue();
      for (CompletableFuture<MoveReport> other : all) {
        assertThat(other.get(60, TimeUnit.SECONDS).isSatisfied()).isTrue();
      }
    }
    assertThat(started.subList(1, 4)).containsOnly(block(high));
  }

  private static long block(SimulatedCluster.File file) {
    return file.blocks.get(0).get(0).blockId();
  }

  /** First the requests that wait, then, since those that began plan later, the moves. */
  private static void awaitLoad(Engine engine, long requests, long moves) throws Exception {
    Await.until("the requests wait", () -> engine.load().waitingRequests == requests);
    Await.until("the moves wait", () -> engine.load().waitingMoves == moves);
  }

  /** What Ctrl-C does: the future is cancelled, so only the listener can tell what was done. */
  @Test
  void close_afterCancel_tellsOfEveryFileAndItsMoves() throws Exception {
    cluster.moveMillis = 20;
    for (int f = 0; f < 20; f++) {
      cluster.file("/c/f" + f, 30, "DISK", "SSD", "SSD", "SSD");
    }
    MoveReport.Builder told = new MoveReport.Builder();
    MoveListener listener =
        new MoveListener() {
          @Override
          public void fileDone(FileReport file) {
            told.add(file);
          }
        };
    CompletableFuture<MoveReport> future =
        engine.submit(MoveRequest.of("/c").listener(listener).build());
    Await.until("100 moves have begun", () -> cluster.moves.get() >= 100);

    future.cancel(true);
    engine.close();

    MoveReport report = told.build();
    assertThat(report.fileCount()).isEqualTo(20);
    assertThat(report.files(FileOutcome.CANCELLED)).isPositive();
    assertThat(report.counts().localReplicas()).isBetween(50L, 1799L);
  }

  @Test
  @Tag("slow")
  void aMillionNames_streamed_boundedThreads() throws Exception {
    streamed(1_000_000);
  }

  @Test
  void manyNames_streamed_boundedThreads() throws Exception {
    streamed(50_000);
  }

  private void streamed(int names) throws Exception {
    SimulatedCluster.File file = cluster.file("/d/f", 1, "SSD", "SSD", "SSD", "SSD");
    AtomicInteger read = new AtomicInteger();
    AtomicInteger ahead = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    MoveListener count =
        new MoveListener() {
          @Override
          public void fileDone(FileReport f) {
            done.incrementAndGet();
          }
        };
    Stream<String> inodes =
        Stream.generate(() -> MoveRequest.inode(file.inode))
            .limit(names)
            .peek(n -> ahead.accumulateAndGet(read.incrementAndGet() - done.get(), Math::max));

    MoveReport report = move(MoveRequest.of().stream(inodes.iterator()).listener(count));

    assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(names);
    assertThat(report.listed()).hasSize(MoveReport.LISTED_FILES);
    assertThat(ahead.get()).isLessThan(10_000);
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .filteredOn(name -> name.startsWith("evenkeel-mover"))
        .hasSizeLessThan(25);
  }

  @Test
  void throttle_bytesPerSecond_kept() throws Exception {
    for (int f = 0; f < 10; f++) {
      cluster.file("/c/f" + f, 10, "DISK", "SSD", "SSD", "SSD");
    }
    long start = System.nanoTime();

    move(MoveRequest.of("/c").bytesPerSecond(10_000)); // 30 000 bytes, 10 000 of them at once

    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(30_000 / seconds).isLessThan(10_000 * 1.7);
  }

  @Test
  void listingsPerSecond_directoriesOfPacedRequestsAlone() throws Exception {
    List<String> files = new ArrayList<>();
    for (int f = 0; f < 40; f++) {
      files.add("/c/" + f + "/f");
      cluster.file("/c/" + f + "/f", 1, "SSD", "SSD", "SSD", "SSD");
    }
    EngineSettings slow = new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 0, 20);
    try (Engine paced = engine(slow)) {
      long start = System.nanoTime();
      paced.submit(MoveRequest.of("/c").paced(true).build()).get(60, TimeUnit.SECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;
      int listings = cluster.listings.get();
      assertThat(listings).isGreaterThan(40);
      assertThat(listings - 20)
          .as("20 at once, then 20 a second")
          .isLessThan((int) (20 * seconds) + 2);

      String[] named = files.toArray(new String[0]);
      MoveRequest together = MoveRequest.of(named).filesOnly(true).paced(true).build();
      paced.submit(together).get(60, TimeUnit.SECONDS);
      assertThat(cluster.listings).as("named files are read together").hasValue(listings);
    }
  }

  /** What was told before the place needs not be read again; what was not is told then. */
  @Test
  void stoppedAndReadOnFromThePlaceItTold_everyFileIsToldAtLeastOnce() throws Exception {
    for (int f = 0; f < 2_000; f++) {
      cluster.file("/c/" + f % 37 + "/" + f % 7 + "/f" + f, 1, "DISK", "SSD", "SSD", "SSD");
    }
    Set<String> done = ConcurrentHashMap.newKeySet();
    AtomicReference<String> place = new AtomicReference<>();
    for (int stop = 200; done.size() < 2_000; stop += 200) {
      int limit = stop;
      CountDownLatch reached = new CountDownLatch(1);
      MoveListener listener =
          new MoveListener() {
            @Override
            public void fileDone(FileReport file) {
              if (file.outcome().isSatisfied()) {
                done.add(file.path());
              }
              if (done.size() >= limit) {
                reached.countDown();
              }
            }

            @Override
            public void readUpTo(String position) {
              place.set(position);
            }
          };
      CompletableFuture<MoveReport> run =
          engine.submit(MoveRequest.of("/c").after(place.get()).listener(listener).build());
      CompletableFuture.anyOf(run, CompletableFuture.runAsync(() -> await(reached))).get();
      run.cancel(false);
    }
    assertThat(cluster.wrong()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** At two replicas a second a paced request takes a minute, and the others hours. */
  @Test
  void paced_inNobodysWay_norForTheSameFiles() throws Exception {
    for (int f = 0; f < 40; f++) {
      cluster.file("/d/f" + f, 1, "DISK", "SSD", "SSD", "SSD");
    }
    cluster.file("/u/f", 1, "DISK", "SSD", "SSD", "SSD");
    EngineSettings slow = new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 2, 0);
    try (Engine paced = engine(slow)) {
      List<CompletableFuture<MoveReport>> own = new ArrayList<>();
      for (int i = 0; i < 40; i++) { // more than are worked on at once
        own.add(paced.submit(MoveRequest.of("/d").paced(true).build()));
      }
      Await.until("moves wait", () -> paced.load().waitingMoves > 100);
      MoveReport other = paced.submit(MoveRequest.of("/u").build()).get(60, TimeUnit.SECONDS);
      assertThat(other.isSatisfied()).isTrue();
      assertThat(own.get(0).isDone()).isFalse();
      MoveReport one =
          paced.submit(MoveRequest.of("/d/f7").priority(10).build()).get(60, TimeUnit.SECONDS);
      assertThat(one.isSatisfied()).isTrue();
      assertThat(cluster.wrong()).as("its neighbours wait").hasSizeGreaterThan(20);
      MoveReport same =
          paced.submit(MoveRequest.of("/d").priority(10).build()).get(60, TimeUnit.SECONDS);
      assertThat(same.isSatisfied()).isTrue();
      assertThat(paced.load().waitingMoves).as("moves that wait for the pace").isZero();
      own.forEach(each -> each.cancel(false));
    }
  }

  /**
   * What has to be planned anew is not put behind the others of its page again, nor is it looked at
   * only once they have ended.
   */
  @ParameterizedTest
  @EnumSource(names = {"UNREACHABLE", "BUSY"})
  void paced_aMoveOfAFileSomebodyWaitsForFails_itIsStillInFrontOfTheOthers(MoveResult.Kind kind)
      throws Exception {
    for (int f = 0; f < 150; f++) {
      cluster.file("/d/f" + f, 1, "DISK", "SSD", "SSD", "SSD");
    }
    Set<Long> blocks = new HashSet<>();
    cluster.files.get("/d/f77").blocks.get(0).forEach(replica -> blocks.add(replica.blockId()));
    Set<String> failed = ConcurrentHashMap.newKeySet();
    ReplicaMover failing =
        (move, alive) -> {
          boolean first =
              blocks.contains(move.replica().blockId()) && failed.add(move.replica().node());
          return first ? MoveResult.of(kind, "once") : cluster.move(move, alive);
        };
    EngineSettings slow = new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 1, 0);
    try (Engine paced = new Engine(cluster, failing, slow, (what, e) -> {})) {
      CompletableFuture<MoveReport> own =
          paced.submit(MoveRequest.of("/d").paced(true).priority(-10).build());
      Await.until("moves wait", () -> paced.load().waitingMoves > 100);
      MoveReport one =
          paced.submit(MoveRequest.of("/d/f77").priority(10).build()).get(100, TimeUnit.SECONDS);
      assertThat(one.isSatisfied()).isTrue();
      assertThat(cluster.wrong()).as("at one replica a second").hasSizeGreaterThan(135);
      own.cancel(false);
    }
  }

  /** It may be right now, and not any more when those moves arrive. */
  @Test
  void dryRunOfAFile_anotherRequestMovesIt_isNotCalledSatisfied() throws Exception {
    cluster.file("/d/f", 1, "DISK", "SSD", "SSD", "SSD");
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    ReplicaMover slow =
        (move, alive) -> {
          begun.countDown();
          hangs.await();
          return cluster.move(move, alive);
        };
    EngineSettings settings = new EngineSettings(16, 4, 0, new TaskRules(2_000, 50, 8), 0, 0);
    try (Engine engine = new Engine(cluster, slow, settings, (what, e) -> {})) {
      CompletableFuture<MoveReport> first = engine.submit(MoveRequest.of("/d/f").build());
      begun.await();
      cluster.policy("/d/f", "DISK", "DISK", "DISK"); // as after a rename back
      MoveRequest look = MoveRequest.of("/d/f").filesOnly(true).dryRun(true).build();
      assertThat(engine.submit(look).get(60, TimeUnit.SECONDS).isSatisfied()).isFalse();
      hangs.countDown();
      MoveReport unused = first.get(60, TimeUnit.SECONDS);
      Await.until(
          "as its policy is now",
          () -> engine.submit(look).get(60, TimeUnit.SECONDS).isSatisfied());
    }
  }
}
