package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.locking.OneDataNode;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stock's key for fair locks decides about those of blocks as well. */
@Timeout(300)
class FairLocksIT {
  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource(
      value = {"true,true", "false,false", "null,true"},
      nullValues = "null")
  void blockLock_isFairAsTheKeySays(String value, boolean fair) throws Exception {
    Configuration conf = OneDataNode.conf(true);
    if (value == null) {
      conf.unset(DFSConfigKeys.DFS_DATANODE_LOCK_FAIR_KEY);
      assertThat(DFSConfigKeys.DFS_DATANODE_LOCK_FAIR_DEFAULT).isEqualTo(fair);
    } else {
      conf.set(DFSConfigKeys.DFS_DATANODE_LOCK_FAIR_KEY, value);
    }
    try (OneDataNode one = OneDataNode.start(dir, conf);
        Operation operation = one.operations().begin(OperationKind.FINALIZE, one.pool(), 1)) {
      operation.lock(true);
      assertThat(one.operations().pool(one.pool()).locks())
          .singleElement()
          .satisfies(lock -> assertThat(lock.isWriteLockedByCurrentThread()).isTrue())
          .satisfies(lock -> assertThat(lock.isFair()).isEqualTo(fair));
      operation.unlock();
    }
  }
}
