package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.IdempotentDirectories;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.junit.jupiter.api.Test;

class StockPartsTest {
  private final DataNode node = mock(DataNode.class);
  private final DataSetLockManager oldLocks = mock(DataSetLockManager.class);
  private final FileIoProvider oldIo = new FileIoProvider(new Configuration(), null);
  private final BlockLockManager locks =
      new BlockLockManager(new Operations(true, System::nanoTime));
  private final IdempotentDirectories io = new IdempotentDirectories(new Configuration(), null);

  private static Object field(DataNode of, String name) throws ReflectiveOperationException {
    Field field = DataNode.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  @Test
  void replace_fieldsAreSet_nodeHasOurs() throws Exception {
    doReturn(locks).when(node).getDataSetLockManager();
    doReturn(io).when(node).getFileIoProvider();
    StockParts.find().replace(node, locks, io);
    assertThat(field(node, "dataSetLockManager")).isSameAs(locks);
    assertThat(field(node, "fileIoProvider")).isSameAs(io);
  }

  /** Half of ours would be worse than none. */
  @Test
  void replace_nodeKeepsOneOfItsOwn_hasBothOfItsOwnAgain() throws Exception {
    doReturn(oldLocks, locks).when(node).getDataSetLockManager();
    doReturn(oldIo).when(node).getFileIoProvider();
    StockParts parts = StockParts.find();
    assertThatThrownBy(() -> parts.replace(node, locks, io))
        .isInstanceOf(ReflectiveOperationException.class)
        .hasMessageContaining("keeps its old value");
    assertThat(field(node, "dataSetLockManager")).isSameAs(oldLocks);
    assertThat(field(node, "fileIoProvider")).isSameAs(oldIo);
  }
}
