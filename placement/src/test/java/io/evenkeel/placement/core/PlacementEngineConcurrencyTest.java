package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Eight threads place blocks while four look at all DataNodes again and again. */
@Timeout(60)
@Tag("once")
class PlacementEngineConcurrencyTest {
  private static final int PLACING = 8;
  private static final int REFRESHING = 4;
  private static final int BLOCKS = 3_000;

  private final HostTopology topology = FakeCluster.of("a:4,4,4 b:4,4,4 c:4,4,4 d:4,4,4").topology;
  private final AtomicIntegerArray inFlight = new AtomicIntegerArray(topology.nodes());
  private final AtomicIntegerArray given = new AtomicIntegerArray(topology.nodes());
  private final AtomicInteger placing = new AtomicInteger(PLACING);
  private final CyclicBarrier start = new CyclicBarrier(PLACING + REFRESHING);
  private final ExecutorService threads = Executors.newFixedThreadPool(PLACING + REFRESHING);
  private final DataNodeStats stats =
      new DataNodeStats() {
        @Override
        public int scheduled(int node) {
          return inFlight.get(node);
        }

        @Override
        public boolean inService(int node) {
          return true;
        }

        @Override
        public int types(int node) {
          return 1;
        }

        @Override
        public int fullTypes(int node) {
          return 0;
        }

        @Override
        public double weight(int node) {
          return 1;
        }
      };

  /**
   * Nothing fades, so what was given must be there in the end. Blocks in flight do not count: a
   * thread that is kept from running would let DataNodes lag so far behind that it is bounded.
   */
  private final PlacementEngine engine =
      new PlacementEngine(
          topology,
          stats,
          0,
          Double.POSITIVE_INFINITY,
          false,
          () -> ThreadLocalRandom.current().nextDouble());

  private final TargetChecks checks =
      new TargetChecks() {
        @Override
        public int wantedTypes() {
          return 1;
        }

        @Override
        public NotChosenReason take(int node, int type, boolean local) {
          inFlight.incrementAndGet(node);
          given.incrementAndGet(node);
          return null;
        }
      };

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private int[] place(int thread, int block) throws Exception {
    BlockRequest request = new BlockRequest(3).rackLimit(2);
    if (thread % 2 == 0) {
      request.writtenOn(topology, (thread * 6 + block) % topology.nodes());
    }
    return engine.replicated(request, checks).nodes();
  }

  /** Places blocks of which a few are under way; every tenth is given up. */
  private Void write(int thread, List<int[]> placed) throws Exception {
    start.await();
    ArrayDeque<int[]> open = new ArrayDeque<>();
    for (int block = 0; block < BLOCKS; block++) {
      int[] nodes = place(thread, block);
      placed.add(nodes);
      open.add(nodes);
      if (block % 10 == 9) {
        for (int node : nodes) {
          engine.giveBack(node, 0);
          given.decrementAndGet(node);
        }
      }
      if (open.size() > 5) {
        Arrays.stream(open.remove()).forEach(inFlight::decrementAndGet);
      }
    }
    open.forEach(nodes -> Arrays.stream(nodes).forEach(inFlight::decrementAndGet));
    placing.decrementAndGet();
    return null;
  }

  private Void refresh() throws Exception {
    start.await();
    while (placing.get() > 0) {
      engine.refreshAll();
    }
    return null;
  }

  @Test
  void replicated_manyThreads_rulesHoldAndEveryBlockIsCounted() throws Exception {
    engine.refreshAll();
    List<List<int[]>> placed = new ArrayList<>();
    List<Callable<Void>> work = new ArrayList<>();
    for (int thread = 0; thread < PLACING; thread++) {
      int number = thread;
      List<int[]> mine = new ArrayList<>();
      placed.add(mine);
      work.add(() -> write(number, mine));
    }
    for (int thread = 0; thread < REFRESHING; thread++) {
      work.add(this::refresh);
    }
    for (Future<Void> done : threads.invokeAll(work)) {
      done.get();
    }
    placed.forEach(blocks -> blocks.forEach(this::checkRules));
    checkCounts();
  }

  private void checkRules(int... nodes) {
    assertThat(nodes).hasSize(3);
    assertThat(Arrays.stream(nodes).map(topology::hostOf).distinct().count()).isEqualTo(3);
    assertThat(Arrays.stream(nodes).map(topology::rackOf).distinct().count()).isEqualTo(2);
  }

  private void checkCounts() {
    double sum = 0;
    for (int node = 0; node < topology.nodes(); node++) {
      assertThat(inFlight.get(node)).isZero();
      sum += given.get(node);
    }
    assertThat(sum).isEqualTo(3.0 * PLACING * BLOCKS * 9 / 10);
    double mean = sum / topology.nodes();
    double leads = 0;
    for (int node = 0; node < topology.nodes(); node++) {
      double lead = engine.loads().lead(node);
      leads += lead;
      assertThat(lead).as("given to %d", node).isCloseTo(given.get(node) - mean, within(1e-6));
      assertThat(given.get(node) / mean).isBetween(0.97, 1.03);
    }
    assertThat(leads).isCloseTo(0, within(1e-6));
  }
}
