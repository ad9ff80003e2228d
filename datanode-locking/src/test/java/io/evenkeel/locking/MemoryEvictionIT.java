package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Memory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica in memory is to make room for another one, and its block is in use: it stays, can be
 * chosen again, and nobody waits.
 */
@Timeout(300)
class MemoryEvictionIT {
  @TempDir private Path dir;
  private Memory memory;
  private OneDataNode one;
  private Replicas replicas;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = OneDataNode.conf(true);
    memory = Memory.configure(conf);
    one = OneDataNode.start(dir, conf, StorageType.RAM_DISK, StorageType.DISK, StorageType.DISK);
    replicas = new Replicas(one, dir);
    memory.use(one.dataset());
  }

  @AfterEach
  void end() throws Exception {
    one.close();
    memory.close();
  }

  /** In memory and saved on a disk, so that it may be evicted. */
  private ExtendedBlock saved() throws Exception {
    ExtendedBlock b = replicas.inMemory();
    memory.awaitSaved(b);
    return b;
  }

  private boolean inMemory(ExtendedBlock b) {
    return one.dataset().getVolume(b).isTransientStorage();
  }

  @Test
  void nobodyUsesTheReplica_isEvictedToItsDisk() throws Exception {
    ExtendedBlock b = saved();
    memory.evict();
    assertThat(inMemory(b)).isFalse();
    assertThat(one.dataset().isValidBlock(b)).isTrue();
    assertThat(one.operations().liveLocks()).isZero();
  }

  @Test
  void replicaInUse_staysAndIsChosenLater() throws Exception {
    ExtendedBlock used = saved();
    ExtendedBlock free = saved();
    try (Operation user = use(used)) {
      Calls<Void> eviction = Calls.start("evict", memory::evict);
      assertThat(eviction.failure()).isNull(); // it did not wait
      assertThat(user.holds()).isTrue();
      assertThat(inMemory(used)).isTrue();
    }
    memory.evict();
    memory.evict();
    assertThat(inMemory(used)).isFalse();
    assertThat(inMemory(free)).isFalse();
    assertThat(one.dataset().isValidBlock(used)).isTrue();
    assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
  }

  /** The deletion has the block's lock and forgets the replica while the eviction looks at it. */
  @Test
  void replicaForgottenWhileItIsPutBack_creationGoesOn() throws Exception {
    ExtendedBlock gone = saved();
    try (Operation deletion = use(gone)) {
      memory.forgetsBetween(gone);
      Calls<ReplicaHandler> creation =
          Calls.start(
              "create",
              () -> {
                memory.evict();
                return one.dataset().createRbw(StorageType.DISK, null, replicas.block(), false, 0);
              });
      assertThat(creation.failure()).isNull();
      memory.awaitForgotten();
      assertThat(deletion.holds()).isTrue();
    }
  }

  private Operation use(ExtendedBlock b) {
    Operation user =
        one.operations().begin(OperationKind.FINALIZE, b.getBlockPoolId(), b.getBlockId());
    user.keepLock();
    return user;
  }
}
