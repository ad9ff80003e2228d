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
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong around the engine: the NameNode, DataNodes, listeners, lists, the close. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class EngineFaultsTest {
  static final EngineSettings SETTINGS =
      new EngineSettings(16, 4, 0, new TaskRules(300, 20, 4), 0, 0);

  private final SimulatedCluster cluster = new SimulatedCluster(5);
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong ahead = new AtomicLong();
  private volatile Hook hook = call -> {};
  private volatile ReplicaMover mover = cluster;
  private final CountDownLatch asked = new CountDownLatch(1);
  private Engine engine;

  /** Called before each call to the NameNode. */
  interface Hook {
    void before(String call) throws IOException;
  }

  static Namespace hooked(Namespace real, Hook hook) {
    return (Namespace)
        Proxy.newProxyInstance(
            Namespace.class.getClassLoader(),
            new Class<?>[] {Namespace.class},
            (proxy, method, args) -> {
              if (method.getExceptionTypes().length > 0) { // the others ask nobody
                hook.before(method.getName());
              }
              try {
                return method.invoke(real, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void start() {
    for (int i = 0; i < 6; i++) {
      cluster.node("dn" + i, "DISK", "SSD", "ARCHIVE");
    }
    Clock clock =
        new Clock() {
          @Override
          long nanos() {
            return super.nanos() + TimeUnit.MILLISECONDS.toNanos(ahead.get());
          }
        };
    engine =
        new Engine(
            hooked(cluster, call -> hook.before(call)),
            (move, alive) -> mover.move(move, alive),
            SETTINGS,
            (what, e) -> warnings.add(what + ": " + e),
            clock);
  }

  @AfterEach
  void stop() {
    engine.close();
    cluster.close();
    assertThat(cluster.violations).isEmpty();
  }

  private CompletableFuture<MoveReport> submit(MoveRequest.Builder request) {
    return engine.submit(request.build());
  }

  private static MoveReport get(CompletableFuture<MoveReport> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private void toSsd(String path, int blocks) {
    cluster.file(path, blocks, "DISK", "SSD", "SSD", "SSD");
  }

  private void assertIdle() throws Exception {
    Await.until(
        "idle",
        () ->
            engine.load().activeRequests + engine.load().waitingMoves + engine.load().runningMoves
                == 0);
    assertThat(engine.load().held()).isZero();
  }

  /** Fails the call of that name that often. */
  private void fail(String name, int times, IOException e) {
    AtomicInteger left = new AtomicInteger(times);
    hook =
        call -> {
          if (call.equals(name) && left.getAndDecrement() > 0) {
            throw e;
          }
        };
  }

  @Test
  void namedFiles_theirCallFailsOnce_noneForgotten() throws Exception {
    List<String> paths = new ArrayList<>();
    for (int f = 0; f < 150; f++) {
      toSsd("/n/f" + f, 1);
      paths.add("/n/f" + f);
    }
    fail("files", 1, new IOException("reset"));

    MoveReport report = get(submit(MoveRequest.of().paths(paths)));

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(150);
  }

  @Test
  void namedFilesThatAreNotThere_aCallAboutThemFails_eachIsToldOnce() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    hook =
        call -> {
          if (call.equals("exists") && calls.incrementAndGet() == 2) {
            throw new IOException("reset");
          }
        };

    MoveReport report = get(submit(MoveRequest.of("/n/a", "/n/b").filesOnly(true)));

    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.MISSING, 2L));
  }

  @Test
  void pattern_itsCallFailsOnce_notForgotten() throws Exception {
    toSsd("/n/f", 1);
    fail("glob", 1, new IOException("reset"));

    MoveReport report = get(submit(MoveRequest.of().globs("/n/*")));

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(1);
  }

  @Test
  void dataNodeReportFails_betweenTwoFilesOfABatch_bothMoved() throws Exception {
    toSsd("/d/a", 2);
    toSsd("/d/b", 2);
    AtomicInteger reports = new AtomicInteger();
    hook =
        call -> {
          if (call.equals("cluster") && reports.incrementAndGet() == 2) {
            throw new IOException("reset");
          }
        };
    MoveListener waits =
        new MoveListener() {
          @Override
          public void filePlanned(String path, long replicas, long bytes) {
            ahead.addAndGet(11_000); // the planner's view of the cluster is too old for the next
          }
        };

    MoveReport report = get(submit(MoveRequest.of("/d").listener(waits)));

    assertThat(reports.get()).isGreaterThan(2);
    assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(2);
  }

  @Test
  void dataNodeReportDenied_endsAtOnce() throws Exception {
    toSsd("/d/a", 1);
    fail("cluster", 1_000, new AccessDeniedException("not you", null));

    assertThat(get(submit(MoveRequest.of("/d"))).files(FileOutcome.DENIED)).isEqualTo(1);
  }

  @Test
  void oneNamedPathDenied_theOthersAreMovedAllTheSame() throws Exception {
    toSsd("/d/a", 1);
    toSsd("/d/b", 1);
    toSsd("/e/c", 1);
    hook =
        call -> {
          if (call.equals("files") || call.equals("glob")) {
            throw new AccessDeniedException("not yours", null);
          }
        };

    MoveReport report =
        get(submit(MoveRequest.of("/d/a", "/d/b").globs("/secret/*").globs("/e/*")));

    assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(2);
    assertThat(report.listed())
        .filteredOn(f -> f.outcome() == FileOutcome.DENIED)
        .extracting(FileReport::path)
        .containsExactly("/secret/*", "/e/*");
  }

  @Test
  void oneGlobIsNoPattern_theOthersAreMovedAllTheSame() throws Exception {
    toSsd("/d/a", 1);
    AtomicInteger globs = new AtomicInteger();
    hook =
        call -> {
          if (call.equals("glob") && globs.getAndIncrement() == 0) {
            throw new IllegalArgumentException("Unclosed group");
          }
        };

    MoveReport report = get(submit(MoveRequest.of().globs("/{").globs("/d/*")));

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(1);
    assertThat(report.listed())
        .filteredOn(f -> f.outcome() == FileOutcome.FAILED)
        .extracting(FileReport::path)
        .containsExactly("/{");
  }

  @Test
  void excessStaysInSafeMode_reasonNamesIt() throws Exception {
    for (int i = 0; i < 3; i++) {
      cluster.node("ssd" + i, "SSD2");
    }
    cluster.file("/d/a", 1, "DISK", "SSD2", "SSD2", "SSD2");
    cluster.safeMode = true;

    MoveReport report = get(submit(MoveRequest.of("/d/a")));

    assertThat(report.isSatisfied()).isFalse();
    assertThat(report.listed().get(0).reason()).contains("the NameNode is in safe mode");
    cluster.safeMode = false;
  }

  @Test
  void replicasNotReportedInSafeMode_pendingNotSatisfied() throws Exception {
    SimulatedCluster.File file = cluster.file("/d/a", 2, "SSD", "SSD", "SSD", "SSD");
    file.blocks.get(1).remove(2);
    file.blocks.get(1).remove(1);
    AtomicInteger asked = new AtomicInteger();
    hook =
        call -> {
          if (call.equals("nameNode")) {
            asked.incrementAndGet();
          }
        };
    cluster.safeMode = true;

    MoveReport pending = get(submit(MoveRequest.of("/d/a")));
    cluster.safeMode = false;
    MoveReport later = get(submit(MoveRequest.of("/d/a")));

    assertThat(pending.files(FileOutcome.PENDING_REPLICATION)).isEqualTo(1);
    assertThat(pending.listed().get(0).reason())
        .contains("1 replicas of 3")
        .contains("the NameNode is in safe mode");
    assertThat(later.files(FileOutcome.SATISFIED)).isEqualTo(1);
    assertThat(later.listed().get(0).reason()).isEqualTo("1 of 3 replicas");
    assertThat(asked).hasValue(2); // once for each look that would end it
  }

  @Test
  void allReplicasThere_stateOfTheNameNodeIsNotAskedFor() throws Exception {
    toSsd("/d/a", 2);
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    hook = calls::add;

    assertThat(get(submit(MoveRequest.of("/d/a"))).files(FileOutcome.MOVED)).isEqualTo(1);

    assertThat(calls).doesNotContain("nameNode");
  }

  @Test
  @Tag("slow")
  void dataNodeReportNeverAnswered_endsAfterAWhile() throws Exception {
    toSsd("/d/a", 1);
    fail("cluster", 1_000, new IOException("no answer"));

    MoveReport report = get(submit(MoveRequest.of("/d")));

    assertThat(report.files(FileOutcome.FAILED)).isEqualTo(1);
    assertThat(report.listed().get(0).reason()).contains("no answer");
  }

  @Test
  void dryRun_errorThenDeleted_missing() throws Exception {
    toSsd("/d/a", 1);
    hook =
        call -> {
          if (call.equals("cluster") && cluster.files.containsKey("/d/a")) {
            cluster.delete("/d/a");
            throw new IOException("reset");
          }
        };

    MoveReport report = get(submit(MoveRequest.of("/d").dryRun(true)));

    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.DELETED, 1L));
  }

  @Test
  void deadline_filesThatWereRight_satisfiedNotMoved() throws Exception {
    cluster.file("/d/a", 1, "SSD", "SSD", "SSD", "SSD");
    fail("cluster", 1, new IOException("reset"));

    MoveReport report = get(submit(MoveRequest.of("/d").deadline(Duration.ofMillis(800))));

    assertThat(report.files(FileOutcome.SATISFIED)).as(report.toString()).isEqualTo(1);
    assertThat(report.files(FileOutcome.MOVED)).isZero();
  }

  @Test
  void deadline_countsFromTheSubmission_alsoOfARequestNotBegun() throws Exception {
    toSsd("/d/a", 1);

    MoveReport report =
        get(
            submit(
                MoveRequest.of("/d").delay(Duration.ofHours(1)).deadline(Duration.ofMillis(50))));

    assertThat(report.files(FileOutcome.CANCELLED)).isEqualTo(1);
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(get(submit(MoveRequest.of("/d").deadline(forever))).isSatisfied()).isTrue();
  }

  @Test
  void close_delayedAndWaitingAndBusyRequests_allEnd() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try {
      cluster.moveMillis = 20;
      List<CompletableFuture<MoveReport>> all = new ArrayList<>();
      for (int f = 0; f < 50; f++) {
        toSsd("/c/f" + f, 20);
        all.add(submit(MoveRequest.of("/c/f" + f)));
      }
      all.add(submit(MoveRequest.of("/c").delay(Duration.ofHours(1))));
      Await.until("20 moves have begun", () -> cluster.moves.get() >= 20);

      engine.close();

      assertThat(all).allMatch(CompletableFuture::isDone);
      assertThat(all).allMatch(one -> one.isCancelled() || !one.isCompletedExceptionally());
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void listenerThatThrowsAnything_isWarnedOfAndTheRequestEnds() throws Exception {
    toSsd("/d/a", 1);
    MoveListener bad =
        new MoveListener() {
          @Override
          public void replicaMoved(String path, boolean local, long bytes) {
            throw new AssertionError("not mine");
          }

          @Override
          public void fileDone(FileReport file) {
            throw new IllegalStateException("nor mine");
          }
        };

    MoveReport report = get(submit(MoveRequest.of("/d").listener(bad)));

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(1);
    assertThat(warnings).hasSize(4).anyMatch(line -> line.contains("not mine"));
  }

  @Test
  void moverThatThrowsAnything_failedAndNothingHeld() throws Exception {
    toSsd("/d/a", 1);
    mover =
        (move, alive) -> {
          throw new AssertionError("broken");
        };

    MoveReport report = get(submit(MoveRequest.of("/d")));

    assertThat(report.files(FileOutcome.FAILED)).isEqualTo(1);
    assertThat(report.listed().get(0).blocks().get(0).reason()).contains("broken");
    assertIdle();
  }

  @Test
  void dataNodeThatAlwaysSaysExists_failedAfterSomeAttempts() throws Exception {
    toSsd("/d/a", 1);
    mover = (move, alive) -> MoveResult.of(MoveResult.Kind.EXISTS, "");

    assertThat(get(submit(MoveRequest.of("/d"))).files(FileOutcome.FAILED)).isEqualTo(1);
    assertIdle();
  }

  @Test
  void localMovesAnsweredAsPinned_failedAfterSomeAttempts() throws Exception {
    toSsd("/d/a", 1);
    mover = (move, alive) -> MoveResult.of(MoveResult.Kind.PINNED, "");

    MoveReport report = get(submit(MoveRequest.of("/d")));

    assertThat(report.isSatisfied()).isFalse();
    assertIdle();
  }

  private boolean isOn(String path, String node) {
    return cluster.files.get(path).blocks.get(0).stream().anyMatch(r -> r.node().equals(node));
  }

  /** Whether a replica is on DISK of another DataNode still. */
  private boolean isOnDiskOfOthers(Set<String> nodes) {
    synchronized (cluster) {
      return cluster.files.values().stream()
          .flatMap(file -> file.blocks.stream())
          .flatMap(List::stream)
          .anyMatch(r -> r.type().equals("DISK") && !nodes.contains(r.node()));
    }
  }

  /** Answers as the cluster does but for some DataNodes, which are silent until then. */
  private void hang(Set<String> nodes, CountDownLatch until) {
    mover =
        (move, alive) -> {
          boolean hangs = nodes.contains(move.target()) || nodes.contains(move.proxy());
          if (until.getCount() > 0 && hangs) {
            asked.countDown();
            until.await();
            return MoveResult.of(MoveResult.Kind.UNREACHABLE, "no answer");
          }
          return cluster.move(move, alive);
        };
  }

  /** Makes so much time pass as says of a DataNode that it may hang. */
  private void seemsToHang() throws InterruptedException {
    asked.await();
    ahead.addAndGet(121_000);
  }

  @Test
  void oneDataNodeHangs_allOtherReplicasAreMoved() throws Exception {
    int files = 500;
    for (int f = 0; f < files; f++) {
      toSsd("/d/f" + f, 1);
    }
    CountDownLatch answers = new CountDownLatch(1);
    hang(Set.of("dn0"), answers);

    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d"));
    seemsToHang();
    Await.until("all that does not need it", () -> !isOnDiskOfOthers(Set.of("dn0")));
    assertThat(future).isNotDone();
    answers.countDown();
    long others = cluster.files.keySet().stream().filter(path -> !isOn(path, "dn0")).count();
    assertThat(get(future).files(FileOutcome.MOVED)).isBetween(others, (long) files);
  }

  private void manyNodes() {
    for (int n = 0; n < 150; n++) {
      cluster.node("x" + n, "DISK", "SSD");
    }
    for (int f = 0; f < 600; f++) {
      toSsd("/d/f" + f, 1);
    }
  }

  /** Each page of a listing has a few files on it, whose moves begin at once and do not end. */
  @Test
  void oneOfManyDataNodesHangs_allOtherReplicasAreMoved() throws Exception {
    manyNodes();
    CountDownLatch answers = new CountDownLatch(1);
    hang(Set.of("x0"), answers);

    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d"));
    Await.until("all that does not need it", () -> !isOnDiskOfOthers(Set.of("x0")));
    answers.countDown();
    get(future);
  }

  /** As many as the move threads would all wait for. */
  @Test
  void someDataNodesHang_allOtherReplicasAreMoved() throws Exception {
    manyNodes();
    Set<String> hung = Set.of("x0", "x1", "x2", "x3", "x4", "x5");
    CountDownLatch answers = new CountDownLatch(1);
    hang(hung, answers);

    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d"));
    Await.until(
        "all that does not need them",
        () -> {
          ahead.addAndGet(1_000);
          return !isOnDiskOfOthers(hung);
        });
    answers.countDown();
    get(future);
  }

  @Test
  void oneDataNodeHangs_requestsThatDoNotNeedItEnd() throws Exception {
    Map<String, CompletableFuture<MoveReport>> requests = new TreeMap<>();
    CountDownLatch answers = new CountDownLatch(1);
    hang(Set.of("dn0"), answers);
    for (int f = 0; f < 200; f++) {
      toSsd("/d/f" + f, 1);
      requests.put("/d/f" + f, submit(MoveRequest.of("/d/f" + f)));
    }
    seemsToHang();
    for (Map.Entry<String, CompletableFuture<MoveReport>> one : requests.entrySet()) {
      if (!isOn(one.getKey(), "dn0")) {
        assertThat(get(one.getValue()).isSatisfied()).isTrue();
      }
    }
    answers.countDown();
    for (CompletableFuture<MoveReport> one : requests.values()) {
      assertThat(get(one).fileCount()).isEqualTo(1);
    }
  }

  @Test
  void oneDataNodeHangs_whatWaitsForItEndsAfterTenMinutes() throws Exception {
    int files = 200;
    for (int f = 0; f < files; f++) {
      toSsd("/d/f" + f, 1);
    }
    CountDownLatch answers = new CountDownLatch(1);
    hang(Set.of("dn0"), answers);
    AtomicInteger done = new AtomicInteger();
    MoveListener counts =
        new MoveListener() {
          @Override
          public void fileDone(FileReport file) {
            done.incrementAndGet();
          }
        };
    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d").listener(counts));
    seemsToHang();
    Await.until(
        "all that does not need it",
        () ->
            cluster.files.keySet().stream()
                .allMatch(path -> isOn(path, "dn0") || cluster.isRight(cluster.files.get(path))));
    int before = done.get();
    assertThat(before).isLessThan(files - 20);
    ahead.addAndGet(480_000);

    Await.until("all but what it is asked for", () -> done.get() >= files - 4);
    answers.countDown();
    get(future);
    assertIdle();
    assertThat(engine.resources.openFiles.get()).isZero();
  }

  /** Bytes come slowly, by the Balancer's bandwidth, and moves take an hour. */
  @Test
  void oneDataNodeIsSlow_whatWaitsForItGoesOnWaiting() throws Exception {
    for (int f = 0; f < 30; f++) {
      toSsd("/d/f" + f, 1);
    }
    CountDownLatch done = new CountDownLatch(1);
    mover =
        (move, alive) -> {
          if (move.target().equals("dn0")) {
            asked.countDown();
            while (!done.await(10, TimeUnit.MILLISECONDS)) {
              alive.accept(move.target());
            }
          }
          return cluster.move(move, alive);
        };
    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d"));
    asked.await();
    Await.until("half an hour is over", () -> ahead.addAndGet(30_000) > 1_800_000);
    done.countDown();
    MoveReport report = get(future);
    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.MOVED, 30L));
    assertThat(report.counts().retries()).isZero();
  }

  /** A process may have no more threads for a moment. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noThreadCanBeMade_everythingEndsAllTheSame(boolean ofAnswers) throws Exception {
    toSsd("/d/a", 20);
    Pools pools = engine.resources.pools;
    ThreadPoolExecutor pool = ofAnswers ? pools.answers : pools.moves;
    ThreadFactory real = pool.getThreadFactory();
    AtomicInteger made = new AtomicInteger();
    pool.setThreadFactory(
        task -> {
          if (made.incrementAndGet() == (ofAnswers ? 1 : 3)) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return real.newThread(task);
        });

    assertThat(get(submit(MoveRequest.of("/d"))).files(FileOutcome.MOVED)).isEqualTo(1);
    assertThat(made.get()).isGreaterThan(ofAnswers ? 1 : 3);
    assertIdle();
  }

  /** Nobody waits for it any more. */
  @Test
  void futureIsEndedByItsOwner_nothingMoreIsMoved() throws Exception {
    for (int f = 0; f < 300; f++) {
      toSsd("/d/f" + f, 1);
    }
    cluster.moveMillis = 20;
    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/d"));
    Await.until("it has begun", () -> cluster.moves.get() > 0);
    future.completeExceptionally(new IOException("too late"));
    Await.until(
        "idle",
        () ->
            engine.load().activeRequests + engine.load().waitingMoves + engine.load().runningMoves
                == 0);
    assertThat(cluster.moves.get()).as("of 900").isLessThan(450);
  }

  @Test
  void dataNodesBusyForEver_deadlineAndCancelEndIt() throws Exception {
    for (int f = 0; f < 20; f++) {
      toSsd("/d/f" + f, 10);
    }
    mover = (move, alive) -> MoveResult.of(MoveResult.Kind.BUSY, "");

    CompletableFuture<MoveReport> cancelled = submit(MoveRequest.of("/d/f1", "/d/f2"));
    MoveReport report = get(submit(MoveRequest.of("/d").deadline(Duration.ofMillis(700))));
    cancelled.cancel(true);

    assertThat(report.files()).containsOnlyKeys(FileOutcome.CANCELLED);
    assertIdle();
  }

  @Test
  void listThatThrows_saidAndTheRequestEnds() throws Exception {
    Iterator<String> bad =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public String next() {
            throw new IllegalStateException("torn");
          }
        };

    MoveReport report = get(submit(MoveRequest.of().stream(bad)));

    assertThat(report.listed().get(0).reason()).isEqualTo("torn");
    assertIdle();
  }

  @Test
  void listsThatWait_holdUpNobodyElse() throws Exception {
    toSsd("/d/a", 1);
    CountDownLatch end = new CountDownLatch(1);
    List<CompletableFuture<MoveReport>> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Iterator<String> slow =
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return false;
            }

            @Override
            public String next() {
              throw new java.util.NoSuchElementException();
            }
          };
      waiting.add(submit(MoveRequest.of().stream(slow)));
    }

    assertThat(get(submit(MoveRequest.of("/d"))).isSatisfied()).isTrue();
    end.countDown();
    for (CompletableFuture<MoveReport> one : waiting) {
      assertThat(get(one).fileCount()).isZero();
    }
  }

  @Test
  void throttledRequest_doesNotHoldUpAnother() throws Exception {
    for (int f = 0; f < 30; f++) {
      toSsd("/slow/f" + f, 20);
    }
    toSsd("/fast/f", 5);
    CompletableFuture<MoveReport> slow = submit(MoveRequest.of("/slow").bytesPerSecond(100));
    Await.until("500 moves wait", () -> engine.load().waitingMoves >= 500);

    assertThat(get(submit(MoveRequest.of("/fast"))).isSatisfied()).isTrue();

    assertThat(slow).isNotDone();
    slow.cancel(true);
  }

  @Test
  void closedWhileDataNodesCopyInsideThemselves_anotherMoverWaitsForTheirFiles() throws Exception {
    toSsd("/d/held", 1);
    CountDownLatch copying = new CountDownLatch(1);
    mover =
        (move, alive) -> {
          copying.countDown();
          new CountDownLatch(1).await(); // the DataNode goes on after the interrupt
          return null;
        };
    CompletableFuture<MoveReport> first = submit(MoveRequest.of("/d/held"));
    copying.await();
    engine.close();
    assertThat(first).isDone();

    toSsd("/d/free", 1);
    AtomicInteger moved = new AtomicInteger();
    try (Engine second = new Engine(cluster, cluster, SETTINGS, (what, e) -> {})) {
      MoveListener count =
          new MoveListener() {
            @Override
            public void replicaMoved(String path, boolean local, long bytes) {
              moved.addAndGet(path.equals("/d/held") ? 1 : 0);
            }
          };
      CompletableFuture<MoveReport> both =
          second.submit(MoveRequest.of("/d").listener(count).build());
      CompletableFuture<MoveReport> free = second.submit(MoveRequest.of("/d/free").build());
      assertThat(get(free).isSatisfied()).isTrue();
      Await.until("only the held one is left", () -> second.load().claimedFiles == 0);
      assertThat(both).isNotDone();
      assertThat(moved).hasValue(0);

      ahead.addAndGet(TimeUnit.MINUTES.toMillis(10));

      assertThat(get(both).isSatisfied()).isTrue();
      assertThat(moved).hasPositiveValue();
    }
  }
}
