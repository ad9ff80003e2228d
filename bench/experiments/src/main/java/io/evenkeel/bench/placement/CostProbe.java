package io.evenkeel.bench.placement;

import com.sun.management.ThreadMXBean;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.RealCluster;
import io.evenkeel.bench.sim.placement.Shape;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Processor time and bytes of one placement, with as many blocks in flight as DataNodes. What the
 * harness itself does (counting scheduled blocks) is in it, for every policy the same.
 */
final class CostProbe {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int CHECK_EVERY = 8;

  private final RealCluster cluster;
  private final List<Writers> writers = new ArrayList<>();

  /**
   * Cost of one placement.
   *
   * @param micros processor time of the placing thread, microseconds
   * @param bytes allocated by the placing thread
   */
  record Cost(double micros, double bytes) {}

  /** What one thread did: sums over its placements. */
  private record Sums(long placements, long nanos, long bytes) {}

  /** The writers of one thread, and where they are. */
  private final class Writers {
    private final int first;
    private final DatanodeStorageInfo[][] current;
    private int next;

    Writers(int first, int count) {
      this.first = first;
      current = new DatanodeStorageInfo[count][];
    }

    Sums place(long nanos) {
      long id = Thread.currentThread().getId();
      long bytes = THREADS.getThreadAllocatedBytes(id);
      long start = THREADS.getCurrentThreadCpuTime();
      long now = start;
      long placements = 0;
      while (now - start < nanos) {
        for (int i = 0; i < CHECK_EVERY; i++) {
          placeOne();
        }
        placements += CHECK_EVERY;
        now = THREADS.getCurrentThreadCpuTime();
      }
      return new Sums(placements, now - start, THREADS.getThreadAllocatedBytes(id) - bytes);
    }

    private void placeOne() {
      if (current[next] != null) {
        cluster.received(current[next]);
      }
      DatanodeStorageInfo[] storages =
          cluster.choose(cluster.dataNode(first + next), PlacementScenario.REPLICATION, null);
      cluster.scheduled(storages);
      current[next] = storages;
      next = (next + 1) % current.length;
    }
  }

  CostProbe(RealCluster cluster, int threads) {
    this.cluster = cluster;
    for (int t = 0; t < threads; t++) {
      int from = (int) ((long) cluster.size() * t / threads);
      int to = (int) ((long) cluster.size() * (t + 1) / threads);
      writers.add(new Writers(from, to - from));
    }
  }

  /** What is measured. */
  record Setup(Shape shape, String storagePolicy, int threads) {
    RealCluster cluster(Candidate policy) throws ClassNotFoundException {
      return new RealCluster(policy, shape.places(), storagePolicy);
    }
  }

  /** What both policies cost, in turn in the same JVM. */
  static Runs<Cost> compare(PolicyPair pair, Setup setup, boolean quick) throws Exception {
    long chunk = TimeUnit.MILLISECONDS.toNanos(quick ? 100 : 300) / setup.threads;
    CostProbe stock = new CostProbe(setup.cluster(pair.stock()), setup.threads);
    CostProbe ours = new CostProbe(setup.cluster(pair.ours()), setup.threads);
    stock.measure(6 * chunk); // warms up
    ours.measure(6 * chunk);
    return Runs.inTurn(quick ? 3 : 7, stock, ours, (probe, round) -> probe.measure(chunk));
  }

  /**
   * Places for some time.
   *
   * @param nanos processor time of each thread
   */
  Cost measure(long nanos) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(writers.size());
    try {
      List<Future<Sums>> running = new ArrayList<>();
      for (Writers each : writers) {
        running.add(pool.submit(() -> each.place(nanos)));
      }
      double placements = 0;
      double time = 0;
      double bytes = 0;
      for (Future<Sums> one : running) {
        Sums sums = one.get();
        placements += sums.placements;
        time += sums.nanos;
        bytes += sums.bytes;
      }
      return new Cost(time / placements / 1000, bytes / placements);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a placing thread failed: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }
}
