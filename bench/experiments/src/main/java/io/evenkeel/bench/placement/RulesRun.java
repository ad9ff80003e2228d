package io.evenkeel.bench.placement;

import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.RealCluster;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.bench.sim.placement.Shape.Place;
import io.evenkeel.bench.sim.placement.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Threads that place blocks beside threads that verify the blocks placed last, on one policy. Apart
 * from {@link RulesExperiment}, which says how much and compares two of them.
 *
 * @param violations of the placements; one that threw has too few targets
 * @param rejected placements without a violation that verification found fault with
 * @param verified calls of the verification
 * @param threw calls of the verification that threw
 * @param moved DataNodes whose location is another one than at the start
 */
record RulesRun(Violations violations, long rejected, long verified, long threw, int moved) {
  private static final int RECENT = 1024;
  private static final int IN_FLIGHT = 32;
  private static final Violations NO_TARGETS = new Violations(0, 0, 0, 1);

  /** How many threads do what. */
  record Threads(int placing, int verifying) {}

  /** Counts of one thread. */
  private static final class Counts {
    Violations violations = Violations.NONE;
    long rejected;
    long verified;
    long threw;
  }

  /** What the threads share. */
  private record Shared(
      RealCluster cluster,
      Shape shape,
      List<Place> places,
      AtomicReferenceArray<DatanodeStorageInfo[]> recent,
      AtomicBoolean placing) {
    static Shared of(Shape shape, Candidate candidate) throws ClassNotFoundException {
      List<Place> places = shape.places();
      return new Shared(
          new RealCluster(candidate, places, "HOT"),
          shape,
          places,
          new AtomicReferenceArray<>(RECENT),
          new AtomicBoolean(true));
    }
  }

  /** So many placements, divided over the placing threads. */
  static RulesRun placing(Shape shape, Candidate candidate, int placements, Threads threads)
      throws Exception {
    Shared shared = Shared.of(shape, candidate);
    ExecutorService pool = Executors.newFixedThreadPool(threads.placing + threads.verifying);
    List<Future<Counts>> running = new ArrayList<>();
    List<Future<Counts>> beside = new ArrayList<>();
    List<Counts> done = new ArrayList<>();
    try {
      for (int t = 0; t < threads.placing; t++) {
        int number = t;
        running.add(pool.submit(() -> place(shared, placements / threads.placing, number)));
      }
      for (int t = 0; t < threads.verifying; t++) {
        int number = t;
        beside.add(pool.submit(() -> verifyWhilePlacing(shared, number)));
      }
      collect(running, done);
      shared.placing.set(false);
      collect(beside, done);
    } finally {
      shared.placing.set(false);
      pool.shutdownNow();
    }
    return sum(shared, done);
  }

  /** So many verifications in each thread, of blocks placed before. */
  static RulesRun verifying(Shape shape, Candidate candidate, int verifications, int threads)
      throws Exception {
    Shared shared = Shared.of(shape, candidate);
    List<Counts> done = new ArrayList<>();
    done.add(place(shared, RECENT, 0));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Counts>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int number = t;
        tasks.add(() -> verify(shared, verifications, number));
      }
      collect(pool.invokeAll(tasks), done);
    } finally {
      pool.shutdownNow();
    }
    return sum(shared, done);
  }

  private static void collect(List<Future<Counts>> tasks, List<Counts> done)
      throws ExecutionException, InterruptedException {
    for (Future<Counts> task : tasks) {
      done.add(task.get());
    }
  }

  private static Counts place(Shared shared, int placements, int number) {
    Counts counts = new Counts();
    RealCluster cluster = shared.cluster;
    Random random = new Random(number);
    DatanodeStorageInfo[][] current = new DatanodeStorageInfo[IN_FLIGHT][];
    for (int i = 0; i < placements; i++) {
      DatanodeStorageInfo[] storages;
      try {
        int writer = random.nextInt(cluster.size());
        storages = cluster.choose(cluster.dataNode(writer), PlacementScenario.REPLICATION, null);
      } catch (RuntimeException e) {
        counts.violations = counts.violations.plus(NO_TARGETS);
        continue;
      }
      counts.violations = counts.violations.plus(judge(shared, storages));
      cluster.scheduled(storages);
      if (current[i % IN_FLIGHT] != null) {
        cluster.received(current[i % IN_FLIGHT]);
      }
      current[i % IN_FLIGHT] = storages;
      shared.recent.set(i % RECENT, storages);
    }
    return counts;
  }

  private static Violations judge(Shared shared, DatanodeStorageInfo[] storages) {
    return Violations.of(
        shared.places,
        shared.shape.racks(),
        shared.cluster.indexes(storages),
        PlacementScenario.REPLICATION);
  }

  private static Counts verifyWhilePlacing(Shared shared, int number) {
    Counts counts = new Counts();
    Random random = new Random(~number);
    while (shared.placing.get()) {
      verifyOne(shared, random, counts);
    }
    return counts;
  }

  private static Counts verify(Shared shared, int verifications, int number) {
    Counts counts = new Counts();
    Random random = new Random(~number);
    for (int i = 0; i < verifications; i++) {
      verifyOne(shared, random, counts);
    }
    return counts;
  }

  private static void verifyOne(Shared shared, Random random, Counts counts) {
    DatanodeStorageInfo[] storages = shared.recent.get(random.nextInt(RECENT));
    if (storages == null) {
      return;
    }
    counts.verified++;
    try {
      DatanodeInfo[] locations = DatanodeStorageInfo.toDatanodeInfos(storages);
      boolean satisfied =
          shared
              .cluster
              .policy()
              .verifyBlockPlacement(locations, PlacementScenario.REPLICATION)
              .isPlacementPolicySatisfied();
      counts.rejected += !satisfied && judge(shared, storages).sum() == 0 ? 1 : 0;
    } catch (RuntimeException e) {
      counts.threw++;
    }
  }

  private static RulesRun sum(Shared shared, List<Counts> done) {
    Violations violations = Violations.NONE;
    long rejected = 0;
    long verified = 0;
    long threw = 0;
    for (Counts counts : done) {
      violations = violations.plus(counts.violations);
      rejected += counts.rejected;
      verified += counts.verified;
      threw += counts.threw;
    }
    int moved = 0;
    for (Place place : shared.places) {
      String now = shared.cluster.dataNode(place.index()).getNetworkLocation();
      moved += now.equals(shared.cluster.location(place)) ? 0 : 1;
    }
    return new RulesRun(violations, rejected, verified, threw, moved);
  }
}
