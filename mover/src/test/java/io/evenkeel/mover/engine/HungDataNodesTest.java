package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As many requests as are worked on at once, each with a move under way on a DataNode that hangs.
 */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class HungDataNodesTest {
  private static final int ACTIVE = 32;

  private final SimulatedCluster cluster = new SimulatedCluster(5);

  private void file(String path, String... nodes) {
    List<Replica> replicas = cluster.file(path, 1, "DISK", "SSD", "SSD", "SSD").blocks.get(0);
    long id = replicas.get(0).blockId();
    replicas.clear();
    for (String node : nodes) {
      replicas.add(new Replica(node, "DISK", id, 100));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void allThatIsWorkedOnWaitsForThem_othersAreBegunAfterFortySeconds(int hung) throws Exception {
    for (int i = 0; i < 10; i++) {
      cluster.node("dn" + i, "DISK", "SSD");
      cluster.node("hung" + i, "DISK", "SSD");
    }
    AtomicLong ahead = new AtomicLong();
    Clock clock =
        new Clock() {
          @Override
          long nanos() {
            return super.nanos() + TimeUnit.MILLISECONDS.toNanos(ahead.get());
          }
        };
    AtomicInteger stuck = new AtomicInteger();
    CountDownLatch until = new CountDownLatch(1);
    ReplicaMover mover =
        (move, alive) -> {
          if (move.target().startsWith("hung")) {
            stuck.incrementAndGet();
            until.await();
            return MoveResult.of(MoveResult.Kind.UNANSWERED, "hung");
          }
          return cluster.move(move, alive);
        };
    EngineSettings settings =
        new EngineSettings(ACTIVE, ACTIVE / 4, 0, new TaskRules(300, 20, 4), 0, 0);
    List<CompletableFuture<MoveReport>> waiting = new ArrayList<>();
    try (Engine engine = new Engine(cluster, mover, settings, (what, e) -> {}, clock)) {
      for (int i = 0; i < ACTIVE; i++) {
        file("/h/f" + i, "hung" + i % hung, "dn0", "dn1");
        waiting.add(engine.submit(MoveRequest.of("/h/f" + i).build()));
      }
      Await.until(
          "as many as may be are under way there",
          () -> stuck.get() == Math.min(ACTIVE, hung * ACTIVE / 4));
      file("/free", "dn5", "dn6", "dn7");
      CompletableFuture<MoveReport> free = engine.submit(MoveRequest.of("/free").build());
      ahead.addAndGet(45_000);

      assertThat(free.get(20, TimeUnit.SECONDS).isSatisfied()).isTrue();
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      until.countDown();
    } finally {
      cluster.close();
    }
  }
}
