package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Stock looks for locks that are still held, when it is told to trace them and a DataNode stops.
 * Ours knows who holds a lock anyway, and says so with and without the key.
 */
@Timeout(300)
class LockTraceIT {
  private static final String NONE = "none";
  private static final String LEAK = "lock leak";

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({
    "false,false,none",
    "false,true,lock leak",
    "true,false,lock leak",
    "true,true,lock leak"
  })
  void lockLeakCheck_afterOperationsAndInOne_findsTheOneThatHolds(
      boolean ours, boolean trace, String found) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_LOCKMANAGER_TRACE, trace);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        LogLines lines = LogLines.of(DataSetLockManager.class)) {
      // The NameNode knows none of these blocks and would have them deleted.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      operations(one);
      assertThat(leak(one)).isEqualTo(NONE);
      assertThat(lines.at("ERROR")).isEmpty();

      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Calls<Void> holder = Calls.start("holder", () -> hold(one, ours, held, go));
      assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(leak(one)).isEqualTo(found);
      assertThat(lines.at("ERROR").stream().anyMatch(line -> line.contains("holder")))
          .isEqualTo(found.equals(LEAK));
      go.countDown();
      assertThat(holder.failure()).isNull();
    }
  }

  private static String leak(OneDataNode one) {
    DataSetLockManager locks = one.node().getDataSetLockManager();
    locks.lockLeakCheck();
    Exception leak = locks.getLastException();
    return leak == null ? NONE : leak.getMessage().toLowerCase(Locale.ROOT);
  }

  /**
   * Holds a lock until told. With stock one that has no other above it: its check takes away what
   * it has traced, and whoever holds two cannot give back the second (EmptyStackException).
   */
  private static Void hold(OneDataNode one, boolean ours, CountDownLatch held, CountDownLatch go)
      throws Exception {
    DataSetLockManager locks = one.node().getDataSetLockManager();
    String pool = ours ? one.pool() : "another pool";
    try (AutoCloseable operation = ours ? begin(one) : () -> {};
        AutoCloseable lock = locks.writeLock(LockLevel.BLOCK_POOl, pool)) {
      held.countDown();
      go.await();
      return null;
    }
  }

  private static Operation begin(OneDataNode one) {
    return one.operations().begin(OperationKind.FINALIZE, one.pool(), 1);
  }

  /** One of each kind, so that a lock that is not given back would be found. */
  private void operations(OneDataNode one) throws Exception {
    FsDatasetSpi<?> dataset = one.dataset();
    Replicas replicas = new Replicas(one, dir);
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    dataset.append(b, 1001, Replicas.LENGTH).close();
    ExtendedBlock appended = Replicas.at(b, 1001);
    dataset.recoverClose(appended, 1002, Replicas.LENGTH);
    ExtendedBlock closed = Replicas.at(b, 1002);
    dataset.moveBlockAcrossStorage(closed, StorageType.SSD, null);
    dataset.getTmpInputStreams(closed, 0, 0).close();
    assertThat(dataset.getReplicaVisibleLength(closed)).isEqualTo(Replicas.LENGTH);
    dataset.createTemporary(StorageType.DISK, null, Replicas.at(b, 1003), true).close();
    dataset.unfinalizeBlock(Replicas.at(b, 1003));
    ExtendedBlock deleted = replicas.finalized(StorageType.DISK);
    dataset.invalidate(one.pool(), new Block[] {deleted.getLocalBlock()});
    assertThat(AsyncDeletions.await(dataset)).isTrue();
    DataNodeTestUtils.runDirectoryScanner(one.node());
    assertThat(dataset.getBlockReports(one.pool())).isNotEmpty();
  }
}
