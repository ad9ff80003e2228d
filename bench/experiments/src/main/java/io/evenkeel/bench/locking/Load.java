package io.evenkeel.bench.locking;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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

/**
 * What some threads got done that create, write and finalize blocks one after the other.
 *
 * @param perSecond blocks finalized
 * @param sortedNanos how long each took
 */
record Load(double perSecond, long[] sortedNanos) {
  private static final int MOST = 1 << 20;

  /** Runs it, then deletes the blocks. */
  static Load run(DatasetRig rig, int threads, long millis) throws Exception {
    return run(rig, threads, threads, millis);
  }

  /**
   * Runs it, then deletes the blocks.
   *
   * @param most of the threads that are at work on a block at once; the others wait in line, which
   *     counts as part of their blocks' time
   */
  static Load run(DatasetRig rig, int threads, int most, long millis) throws Exception {
    Semaphore line = new Semaphore(most, true);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
      List<Callable<Writer>> writers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        writers.add(() -> new Writer(rig, line, MOST / threads).until(end));
      }
      List<Future<Writer>> done = pool.invokeAll(writers);
      double seconds = (System.nanoTime() - start) / 1e9;
      long[] nanos = new long[0];
      for (Future<Writer> future : done) {
        Writer writer = future.get();
        int before = nanos.length;
        nanos = Arrays.copyOf(nanos, before + writer.count);
        System.arraycopy(writer.nanos, 0, nanos, before, writer.count);
        rig.delete(writer.blocks);
      }
      Arrays.sort(nanos);
      return new Load(nanos.length / seconds, nanos);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Microseconds within which this part of the blocks was done. */
  double micros(double part) {
    return sortedNanos[(int) Math.ceil(part * sortedNanos.length) - 1] / 1e3;
  }

  private static final class Writer {
    private final DatasetRig rig;
    private final Semaphore line;
    private final long[] nanos;
    private final List<ExtendedBlock> blocks = new ArrayList<>();
    private int count;

    Writer(DatasetRig rig, Semaphore line, int most) {
      this.rig = rig;
      this.line = line;
      this.nanos = new long[most];
    }

    Writer until(long end) throws IOException {
      for (long now = System.nanoTime(); now < end && count < nanos.length; ) {
        line.acquireUninterruptibly();
        try {
          write(rig.newBlock());
        } finally {
          line.release();
        }
        long after = System.nanoTime();
        nanos[count++] = after - now;
        now = after;
      }
      return this;
    }

    private void write(ExtendedBlock block) throws IOException {
      try (ReplicaHandler handler = rig.dataset().createRbw(StorageType.SSD, null, block, false)) {
        DatasetRig.write(handler.getReplica(), DatasetRig.BLOCK);
        block.setNumBytes(DatasetRig.BLOCK);
        rig.dataset().finalizeBlock(block, false);
      }
      blocks.add(block);
    }
  }
}
