package io.evenkeel.bench.locking;

import io.evenkeel.bench.jmh.JmhRun;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Taking and giving back the lock that a DataNode takes to change or read one block, with nothing
 * done in between. The lock manager is that of a real DataNode in this JVM.
 *
 * <p>Stock locks the volume of the block (since 3.5 the block's directory on it); ours begins an
 * operation on the block, which the same request then locks, as its dataset does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BlockLockBenchmark {
  static final String BLOCKS = "blocks";
  static final String SAME = "same";
  static final String OWN = "own";

  private static final long FIRST_BLOCK = 1L << 30;

  /** Whose lock. */
  @Param({JmhRun.STOCK, JmhRun.EVENKEEL})
  public String arm;

  /** Whether all threads lock the same block, or blocks of consecutive ids on one volume. */
  @Param({SAME, OWN})
  public String blocks;

  private OneDataNode dataNode;
  private DataNodeLockManager<? extends AutoCloseDataSetLock> manager;
  private Operations operations; // null for stock
  private String pool;
  private BlockLockRequest request;

  /** The block of one thread. */
  @State(Scope.Thread)
  public static class OneBlock {
    private long id;
    private String[] resources;

    /** The same for all threads, or another for each. */
    @Setup
    public void choose(BlockLockBenchmark benchmark, ThreadParams thread) {
      of(benchmark, benchmark.blocks.equals(SAME) ? 0 : thread.getThreadIndex());
    }

    void of(BlockLockBenchmark benchmark, int number) {
      id = FIRST_BLOCK + number;
      resources = benchmark.request.resources(id);
    }
  }

  /** Starts the DataNode. */
  @Setup
  public void start() throws Exception {
    boolean stock = arm.equals(JmhRun.STOCK);
    dataNode =
        stock ? OneDataNode.stock(OneDataNode.FOUR_SSD) : OneDataNode.ours(OneDataNode.FOUR_SSD);
    manager = dataNode.dataset().acquireDatasetLockManager();
    operations = stock ? null : ((BlockLockManager) manager).operations();
    pool = dataNode.pool();
    request = BlockLockRequest.of(dataNode);
  }

  /** Stops the DataNode. */
  @TearDown
  public void stop() throws Exception {
    dataNode.close();
  }

  /** As to change the block. */
  @Benchmark
  @SuppressWarnings("try") // the operation is there for its begin and end
  public long exclusive(OneBlock block) {
    if (operations == null) {
      return writeLock(block);
    }
    try (Operation operation = operations.begin(OperationKind.FINALIZE, pool, block.id)) {
      return writeLock(block);
    }
  }

  private long writeLock(OneBlock block) {
    try (AutoCloseDataSetLock lock = manager.writeLock(request.level(), block.resources)) {
      return lock == null ? 0 : block.id;
    }
  }

  /** As to read of the block. */
  @Benchmark
  @SuppressWarnings("try") // the operation is there for its begin and end
  public long shared(OneBlock block) {
    if (operations == null) {
      return readLock(block);
    }
    try (Operation operation = operations.begin(OperationKind.VISIBLE_LENGTH, pool, block.id)) {
      return readLock(block);
    }
  }

  private long readLock(OneBlock block) {
    try (AutoCloseDataSetLock lock = manager.readLock(request.level(), block.resources)) {
      return lock == null ? 0 : block.id;
    }
  }

  /** Locks our DataNode has at the moment; 0 for stock, which keeps its locks. */
  int liveLocks() {
    return operations == null ? 0 : operations.liveLocks();
  }
}
