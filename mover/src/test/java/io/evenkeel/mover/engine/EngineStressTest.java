package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and accidents at random; whatever happens, nothing hangs, leaks or lies. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class EngineStressTest {
  private static final int FILES = 60;
  private static final int REQUESTS = 120;
  private static final String[][] LAYOUTS = {
    {"SSD", "SSD", "SSD"},
    {"SSD", "DISK", "DISK"},
    {"ARCHIVE", "ARCHIVE", "ARCHIVE"},
    {"DISK", "DISK", "DISK"},
    {"NVDIMM", "DISK", "DISK"},
  };

  private final List<String> lies = Collections.synchronizedList(new ArrayList<>());
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private SimulatedCluster cluster;
  private Random random;
  private int named;

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void anythingAtAnyTime_everyRequestEndsAndToldTheTruth() throws Exception {
    anythingAtAnyTime(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4, 5})
  @Tag("slow")
  void anythingElseAtAnyTime_everyRequestEndsAndToldTheTruth(long seed) throws Exception {
    anythingAtAnyTime(seed);
  }

  private void anythingAtAnyTime(long seed) throws Exception {
    build(seed);
    Random failures = new Random(seed + 1);
    Namespace namespace =
        EngineFaultsTest.hooked(
            cluster,
            call -> {
              synchronized (failures) {
                if (failures.nextInt(150) == 0) {
                  throw new IOException("reset");
                }
              }
            });
    EngineSettings settings = new EngineSettings(16, 4, 0, new TaskRules(1_500, 20, 10), 0, 0);
    List<CompletableFuture<MoveReport>> all = new ArrayList<>();
    try (Engine engine =
        new Engine(namespace, cluster, settings, (what, e) -> warnings.add(what + e))) {
      for (int i = 0; i < REQUESTS; i++) {
        all.add(engine.submit(request()));
        accident();
        if (random.nextInt(10) == 0) {
          all.get(random.nextInt(all.size())).cancel(true);
        }
        Await.pause(random.nextInt(20));
      }
      assertThat(threads()).isLessThan(16 + 4 + 32);
      for (CompletableFuture<MoveReport> one : all) {
        try {
          MoveReport unused = one.get(60, TimeUnit.SECONDS);
        } catch (CancellationException e) {
          assertThat(one).isCancelled();
        }
      }
      calm();
      MoveReport last = engine.submit(MoveRequest.of("/").build()).get(60, TimeUnit.SECONDS);
      assertThat(last.isSatisfied()).as(last.listed().toString()).isTrue();
      Await.until("idle", () -> engine.load().all() == 0);
      assertThat(engine.load().held()).isZero();
    }
    assertThat(cluster.violations).isEmpty();
    assertThat(cluster.wrong()).isEmpty();
    assertThat(lies).isEmpty();
    assertThat(warnings).isEmpty();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("evenkeel-mover"))
        .count();
  }

  private void build(long seed) {
    random = new Random(seed);
    cluster = new SimulatedCluster(seed);
    for (int i = 0; i < 5; i++) {
      cluster.node("dn" + i, "DISK", "SSD", "ARCHIVE");
    }
    for (int i = 0; i < 3; i++) {
      cluster.node("nv" + i, "NVDIMM");
    }
    cluster.unreachable = 0.03;
    cluster.noSpace = 0.02;
    cluster.exists = 0.01;
    cluster.quota = 3;
    cluster.moveMillis = 2;
    cluster.hearMillis = 60;
    for (int f = 0; f < FILES; f++) {
      create();
    }
  }

  private void calm() {
    cluster.unreachable = 0;
    cluster.noSpace = 0;
    cluster.exists = 0;
  }

  private void create() {
    String path = "/d" + random.nextInt(4) + "/f" + named++;
    String[] wanted = LAYOUTS[random.nextInt(LAYOUTS.length)];
    cluster.file(path, 1 + random.nextInt(4), random.nextBoolean() ? "DISK" : "SSD", wanted);
  }

  private String anyPath() {
    synchronized (cluster) {
      List<String> paths = new ArrayList<>(cluster.files.keySet());
      return paths.get(random.nextInt(paths.size()));
    }
  }

  private void accident() {
    String path = anyPath();
    switch (random.nextInt(6)) {
      case 0:
        cluster.rename(path, "/d" + random.nextInt(5) + "/r" + named++);
        break;
      case 1:
        cluster.delete(path);
        create();
        break;
      case 2:
        cluster.append(path, "DISK");
        break;
      case 3:
        cluster.policy(path, LAYOUTS[random.nextInt(LAYOUTS.length)]);
        break;
      default:
        break;
    }
  }

  private MoveRequest request() {
    MoveRequest.Builder request;
    switch (random.nextInt(5)) {
      case 0:
        request = MoveRequest.of(anyPath(), anyPath(), "/no/such", anyPath());
        break;
      case 1:
        request = MoveRequest.of().globs("/d" + random.nextInt(4) + "/*");
        break;
      case 2:
        request = MoveRequest.of().stream(List.of(anyPath(), anyPath()).iterator());
        break;
      default:
        request = MoveRequest.of("/d" + random.nextInt(4));
        break;
    }
    if (random.nextInt(5) == 0) {
      request.deadline(Duration.ofMillis(random.nextInt(400)));
    }
    if (random.nextInt(5) == 0) {
      request.delay(Duration.ofMillis(random.nextInt(300)));
    }
    if (random.nextInt(5) == 0) {
      request.bytesPerSecond(10_000);
    }
    request.dryRun(random.nextInt(12) == 0);
    return request.priority(random.nextInt(3)).listener(new Witness()).build();
  }

  /** Holds what it is told against what the NameNode said. */
  private final class Witness implements MoveListener {
    private final Map<String, Long> lastMove = new HashMap<>();
    private final AtomicBoolean inside = new AtomicBoolean();

    private void alone(Runnable what) {
      if (!inside.compareAndSet(false, true)) {
        lies.add("two calls at once");
      }
      what.run();
      inside.set(false);
    }

    @Override
    public void replicaMoved(String path, boolean local, long bytes) {
      alone(() -> lastMove.put(path, System.nanoTime()));
    }

    @Override
    public void fileDone(FileReport file) {
      alone(() -> check(file));
    }

    private void check(FileReport report) {
      if (!report.outcome().isSatisfied()) {
        return;
      }
      synchronized (cluster) {
        SimulatedCluster.File file = cluster.byInode.get(report.inodeId());
        if (file == null) {
          return; // deleted since then
        }
        long since = lastMove.getOrDefault(report.path(), Long.MIN_VALUE + 1);
        if (file.rightSeen < since) {
          lies.add(report + " was not right after its last move");
        }
      }
      boolean moved = report.counts().replicas() > 0;
      if (moved != (report.outcome() == FileOutcome.MOVED)) {
        lies.add(report + " counts " + report.counts());
      }
    }
  }
}
