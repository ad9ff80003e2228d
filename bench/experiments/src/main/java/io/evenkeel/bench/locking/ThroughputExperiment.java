package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;

/** How many small blocks a dataset takes in a second when no disk is slow. */
public final class ThroughputExperiment implements Experiment {
  private static final int[] THREADS = {1, 2, 4, 8, 16};
  private static final int PAIRS = 5;
  private static final int QUICK_PAIRS = 1;
  private static final long MILLIS = 2000;
  private static final long QUICK_MILLIS = 500;

  @Override
  public String name() {
    return "locking.throughput";
  }

  @Override
  public String description() {
    return "create, write 1 KB and finalize on 4 volumes in memory, 1 to 16 threads";
  }

  /**
   * Threads that create, write and finalize blocks one after the other.
   *
   * @param most of them at work on a block at once; the others wait in line, which counts as part
   *     of their blocks' time. With no more than there are processors, a difference of p99 that
   *     more threads bring is not one of locks
   */
  private record Load(int threads, int most, long millis) {
    String label() {
      return threads + " threads" + (most < threads ? ", " + most + " at a time" : "");
    }
  }

  /**
   * What they got done.
   *
   * @param perSecond blocks finalized
   * @param sortedNanos how long each took
   */
  private record Done(double perSecond, List<Long> sortedNanos) {
    /** Microseconds within which this part of the blocks was done. */
    double micros(double part) {
      return sortedNanos.get((int) Math.ceil(part * sortedNanos.size()) - 1) / 1e3;
    }
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    long millis = settings.quick() ? QUICK_MILLIS : MILLIS;
    int cores = Runtime.getRuntime().availableProcessors();
    List<Load> loads = new ArrayList<>();
    for (int threads : THREADS) {
      loads.add(new Load(threads, threads, millis));
    }
    for (int threads : THREADS) {
      if (threads > cores) {
        loads.add(new Load(threads, cores, millis));
      }
    }
    List<Comparison> rows = new ArrayList<>();
    try (OneDataNode stock = OneDataNode.stock(OneDataNode.FOUR_SSD);
        OneDataNode ours = OneDataNode.ours(OneDataNode.FOUR_SSD)) {
      Load warmUp = new Load(2, 2, millis);
      Runs.inTurn(2, stock, ours, (dataNode, i) -> run(dataNode, warmUp));
      for (Load load : loads) {
        settings.say("locking.throughput: " + load.label());
        int pairs = settings.quick() ? QUICK_PAIRS : PAIRS;
        Runs<Done> runs = Runs.inTurn(pairs, stock, ours, (dataNode, i) -> run(dataNode, load));
        rows.add(runs.median(load.label() + ", blocks", "1/s", Done::perSecond));
        rows.add(runs.pairs(load.label() + ", blocks, median of pairs", Done::perSecond));
        rows.add(runs.median(load.label() + ", p50", "us", done -> done.micros(0.5)));
        rows.add(runs.median(load.label() + ", p99", "us", done -> done.micros(0.99)));
      }
    }
    return rows;
  }

  /** Runs it, then deletes the blocks. */
  private static Done run(OneDataNode dataNode, Load load) throws Exception {
    Semaphore line = new Semaphore(load.most, true);
    ExecutorService pool = Executors.newFixedThreadPool(load.threads);
    try {
      long start = System.nanoTime();
      long end = start + TimeUnit.MILLISECONDS.toNanos(load.millis);
      Callable<Writer> writer = () -> new Writer(dataNode, line).until(end);
      List<Future<Writer>> writers = pool.invokeAll(Collections.nCopies(load.threads, writer));
      double seconds = (System.nanoTime() - start) / 1e9;
      List<Long> nanos = new ArrayList<>();
      for (Future<Writer> done : writers) {
        nanos.addAll(done.get().nanos);
        dataNode.delete(done.get().blocks);
      }
      Collections.sort(nanos);
      return new Done(nanos.size() / seconds, nanos);
    } finally {
      pool.shutdownNow();
    }
  }

  /** One thread of a load. */
  private record Writer(
      OneDataNode dataNode, Semaphore line, List<ExtendedBlock> blocks, List<Long> nanos) {
    Writer(OneDataNode dataNode, Semaphore line) {
      this(dataNode, line, new ArrayList<>(), new ArrayList<>());
    }

    Writer until(long end) throws IOException {
      for (long now = System.nanoTime(); now < end; ) {
        line.acquireUninterruptibly();
        try {
          write(dataNode.newBlock());
        } finally {
          line.release();
        }
        long after = System.nanoTime();
        nanos.add(after - now);
        now = after;
      }
      return this;
    }

    private void write(ExtendedBlock block) throws IOException {
      try (ReplicaHandler handler =
          dataNode.dataset().createRbw(StorageType.SSD, null, block, false)) {
        OneDataNode.write(handler.getReplica(), OneDataNode.BLOCK);
        block.setNumBytes(OneDataNode.BLOCK);
        dataNode.dataset().finalizeBlock(block, false);
      }
      blocks.add(block);
    }
  }
}
