package io.evenkeel.bench.placement;

import com.sun.management.ThreadMXBean;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.RealCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Single calls of one policy: how long the longest take their thread, and how many fit in a time.
 * Apart from {@link ScaleExperiment} as {@link CostProbe} is: what is measured on one policy, not
 * what is compared.
 */
final class ScaleProbe {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int BLOCKS = 1_000;

  private final RealCluster cluster;
  private final List<DatanodeInfo[]> placed = new ArrayList<>();

  ScaleProbe(RealCluster cluster) {
    this.cluster = cluster;
    for (int i = 0; i < BLOCKS; i++) {
      placed.add(DatanodeStorageInfo.toDatanodeInfos(choose(i)));
    }
  }

  private DatanodeStorageInfo[] choose(int number) {
    return cluster.choose(
        cluster.dataNode(number % cluster.size()), PlacementScenario.REPLICATION, null);
  }

  /** Of so many choices, processor time that one in a thousand exceeds, in microseconds. */
  double chooseP999(int count) {
    return p999(count, this::choose);
  }

  /** The same of verifications. */
  double verifyP999(int count) {
    return p999(
        count,
        i ->
            cluster
                .policy()
                .verifyBlockPlacement(placed.get(i % BLOCKS), PlacementScenario.REPLICATION));
  }

  /** Before every thousandth call a DataNode registers again. */
  private double p999(int count, IntConsumer call) {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      if (i % 1000 == 500) {
        cluster.registersAgain(i / 1000 % cluster.size());
      }
      long start = THREADS.getCurrentThreadCpuTime();
      call.accept(i);
      nanos[i] = THREADS.getCurrentThreadCpuTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[count - 1 - count / 1000] / 1e3;
  }

  /** Choices per second of so many threads, over those of one. */
  double speedUp(int threads, long nanos) throws Exception {
    double one = perSecond(1, nanos);
    return perSecond(threads, nanos) / one;
  }

  private double perSecond(int threads, long nanos) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> running = new ArrayList<>();
      long end = System.nanoTime() + nanos;
      for (int t = 0; t < threads; t++) {
        int first = t * (cluster.size() / threads);
        running.add(pool.submit(() -> chooseUntil(end, first)));
      }
      long all = 0;
      for (Future<Long> one : running) {
        all += one.get();
      }
      return all * 1e9 / nanos;
    } finally {
      pool.shutdownNow();
    }
  }

  private long chooseUntil(long end, int first) {
    int done = 0;
    for (; System.nanoTime() < end; done++) {
      choose(first + done % cluster.size());
    }
    return done;
  }
}
