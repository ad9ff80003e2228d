package io.evenkeel.bench.placement;

import com.sun.management.ThreadMXBean;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.RealCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Processor time and bytes of one placement, with as many blocks in flight as DataNodes. What the
 * harness itself does (counting scheduled blocks) is in it, for every policy the same.
 */
final class CostProbe {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int CHECK_EVERY = 8;

  private final RealCluster cluster;
  private final List<Share> shares = new ArrayList<>();

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
  private final class Share {
    private final int first;
    private final DatanodeStorageInfo[][] current;
    private int next;

    Share(int first, int count) {
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
      shares.add(new Share(from, to - from));
    }
  }

  /**
   * Places for some time.
   *
   * @param nanos processor time of each thread
   */
  Cost measure(long nanos) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(shares.size());
    try {
      List<Future<Sums>> running = new ArrayList<>();
      for (Share share : shares) {
        running.add(pool.submit(() -> share.place(nanos)));
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
