package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.locking.dataset.BlockLockManager;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;

/** What a dataset keeps after many operations. */
public final class MemoryExperiment implements Experiment {
  private static final int OPERATIONS = 1_000_000;
  private static final int QUICK_OPERATIONS = 50_000;
  private static final int PER_BLOCK = 8;
  private static final int BATCH = 2_000;
  private static final double MEBI = 1 << 20;

  @Override
  public String name() {
    return "locking.memory";
  }

  @Override
  public String description() {
    return "locks, threads and heap after a million operations";
  }

  /** What there is more of than before. */
  private record Kept(double locks, double threads, double heapBytes) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    int blocks = (settings.quick() ? QUICK_OPERATIONS : OPERATIONS) / PER_BLOCK;
    settings.say("locking.memory: stock");
    Kept stock;
    try (OneDataNode dataNode = OneDataNode.stock(OneDataNode.FOUR_SSD)) {
      stock = kept(dataNode, blocks);
    }
    settings.say("locking.memory: ours");
    Kept ours;
    try (OneDataNode dataNode = OneDataNode.ours(OneDataNode.FOUR_SSD)) {
      ours = kept(dataNode, blocks);
    }
    String after = " after " + blocks * PER_BLOCK + " operations";
    return List.of(
        Comparison.counted("more locks" + after, "", stock.locks, ours.locks),
        Comparison.counted("more threads" + after, "", stock.threads, ours.threads),
        Comparison.counted(
            "more heap" + after, "MiB", stock.heapBytes / MEBI, ours.heapBytes / MEBI));
  }

  private static Kept kept(OneDataNode dataNode, int blocks) throws Exception {
    work(dataNode, BATCH); // whatever comes with the first operations is not counted
    int locks = locks(dataNode);
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    long heap = heap();
    for (int left = blocks; left > 0; left -= BATCH) {
      work(dataNode, Math.min(left, BATCH));
    }
    return new Kept(
        locks(dataNode) - locks,
        ManagementFactory.getThreadMXBean().getThreadCount() - threads,
        heap() - heap);
  }

  /** How many locks a dataset has at the moment; stock's are known only to its own manager. */
  private static int locks(OneDataNode dataNode) throws ReflectiveOperationException {
    Object manager = dataNode.dataset().acquireDatasetLockManager();
    Object all = value(DataSetLockManager.class.getDeclaredField("lockMap"), manager);
    Map<?, ?> stock = (Map<?, ?>) value(all.getClass().getDeclaredField("writeLockMap"), all);
    return stock.size()
        + (manager instanceof BlockLockManager ours ? ours.operations().liveLocks() : 0);
  }

  private static Object value(Field field, Object owner) throws IllegalAccessException {
    field.setAccessible(true);
    return field.get(owner);
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(500);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** {@link #PER_BLOCK} operations on each of so many blocks, which are gone afterwards. */
  private static void work(OneDataNode dataNode, int count) throws Exception {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ExtendedBlock block = dataNode.newBlock();
      try (ReplicaHandler handler =
          dataNode.dataset().createRbw(StorageType.SSD, null, block, false)) {
        OneDataNode.write(handler.getReplica(), OneDataNode.BLOCK);
      }
      block.setNumBytes(OneDataNode.BLOCK);
      dataNode.dataset().getReplicaVisibleLength(block);
      dataNode.dataset().finalizeBlock(block, false);
      dataNode.dataset().finalizeBlock(block, false);
      dataNode.dataset().getStoredBlock(block.getBlockPoolId(), block.getBlockId());
      try (InputStream in = dataNode.dataset().getBlockInputStream(block, 0)) {
        dataNode.dataset().getTmpInputStreams(block, 0, 0).close();
      }
      blocks.add(block);
    }
    dataNode.delete(blocks);
  }
}
