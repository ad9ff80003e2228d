package io.evenkeel.bench.locking;

import com.sun.management.ThreadMXBean;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;

/** What a dataset keeps after many operations, and what a call that locks allocates. */
public final class MemoryExperiment implements Experiment {
  private static final int OPERATIONS = 1_000_000;
  private static final int QUICK_OPERATIONS = 50_000;
  private static final int PER_BLOCK = 8;
  private static final int BATCH = 2_000;
  private static final int CALLS = 200_000;
  private static final int SAME_BATCHES = 5;
  private static final int MOST_BATCHES = 30;

  @Override
  public String name() {
    return "locking.memory";
  }

  @Override
  public String description() {
    return "locks, threads and heap after a million operations; bytes allocated by a call";
  }

  /** One call on the dataset. */
  private interface Call {
    void run() throws IOException;
  }

  /** What there is more of than before. */
  private record Kept(double locks, double threads, double heapBytes) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    int blocks = (settings.quick() ? QUICK_OPERATIONS : OPERATIONS) / PER_BLOCK;
    Kept[] kept = new Kept[2];
    double[][] bytes = new double[2][];
    String[] factories = {null, DatasetRig.OURS};
    for (int side = 0; side < factories.length; side++) {
      settings.progress().accept("evenkeel: locking.memory: " + (side == 0 ? "stock" : "ours"));
      try (DatasetRig rig = DatasetRig.start(DatasetRig.FOUR_SSD, factories[side])) {
        bytes[side] = allocations(rig);
        kept[side] = operations(rig, blocks);
      }
    }
    String after = " after " + blocks * PER_BLOCK + " operations";
    rows.add(Comparison.counted("more locks" + after, "", kept[0].locks, kept[1].locks));
    rows.add(Comparison.counted("more threads" + after, "", kept[0].threads, kept[1].threads));
    double unit = 1 << 20;
    rows.add(
        Comparison.counted(
            "more heap" + after, "MiB", kept[0].heapBytes / unit, kept[1].heapBytes / unit));
    String[] labels = {
      "exclusive (finalizeBlock, done before)", "shared (getReplicaVisibleLength)"
    };
    for (int i = 0; i < labels.length; i++) {
      rows.add(Comparison.counted("allocated, " + labels[i], "B/call", bytes[0][i], bytes[1][i]));
    }
    return rows;
  }

  /** Both calls do no I/O; what differs between stock and ours is the lock. */
  private static double[] allocations(DatasetRig rig) throws IOException {
    ExtendedBlock done = rig.finalized(StorageType.SSD, null);
    return new double[] {
      bytesPerCall(() -> rig.dataset().finalizeBlock(done, false)),
      bytesPerCall(() -> rig.dataset().getReplicaVisibleLength(done))
    };
  }

  /** What it allocates when the JVM has done with compiling it. */
  private static double bytesPerCall(Call call) throws IOException {
    double bytes = 0;
    int same = 0;
    for (int batch = 0; batch < MOST_BATCHES && same < SAME_BATCHES; batch++) {
      double now = bytesOfBatch(call);
      same = Math.abs(now - bytes) < 1 ? same + 1 : 0;
      bytes = now;
    }
    return bytes;
  }

  private static double bytesOfBatch(Call call) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return (threads.getThreadAllocatedBytes(id) - before) / (double) CALLS;
  }

  private static Kept operations(DatasetRig rig, int blocks) throws Exception {
    work(rig, BATCH); // whatever comes with the first operations is not counted
    double locks = LockCount.of(rig);
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    long heap = heap();
    for (int left = blocks; left > 0; left -= BATCH) {
      work(rig, Math.min(left, BATCH));
    }
    return new Kept(
        LockCount.of(rig) - locks,
        ManagementFactory.getThreadMXBean().getThreadCount() - threads,
        heap() - heap);
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(500);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** {@link #PER_BLOCK} operations on each of so many blocks, which are gone afterwards. */
  private static void work(DatasetRig rig, int count) throws Exception {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ExtendedBlock block = rig.newBlock();
      try (ReplicaHandler handler = rig.dataset().createRbw(StorageType.SSD, null, block, false)) {
        DatasetRig.write(handler.getReplica(), DatasetRig.BLOCK);
      }
      block.setNumBytes(DatasetRig.BLOCK);
      rig.dataset().getReplicaVisibleLength(block);
      rig.dataset().finalizeBlock(block, false);
      rig.dataset().finalizeBlock(block, false);
      rig.dataset().getStoredBlock(block.getBlockPoolId(), block.getBlockId());
      try (InputStream in = rig.dataset().getBlockInputStream(block, 0)) {
        rig.dataset().getTmpInputStreams(block, 0, 0).close();
      }
      blocks.add(block);
    }
    rig.delete(blocks);
  }
}
