package io.evenkeel.locking;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;

/** A new block on a DISK whose I/O hangs. */
final class HungBlock {
  private static final Set<OPERATION> CHANGES =
      EnumSet.of(OPERATION.OPEN, OPERATION.MKDIRS, OPERATION.MOVE);

  /** Which call of the block hangs. */
  enum Where {
    CREATE,
    FINALIZE
  }

  private HungBlock() {}

  /** Hangs when it returns, until {@code io} is closed. */
  static Step hang(DatasetCalls calls, ParkedIo io, Where where) throws Exception {
    AtomicReference<Thread> victim = new AtomicReference<>();
    ParkedIo.Parking parking = io.park(CHANGES, 1, thread -> thread == victim.get());
    Step slow =
        Step.start(
            "slow",
            () -> {
              if (where == Where.CREATE) {
                victim.set(Thread.currentThread());
                calls.written(StorageType.DISK);
              } else {
                ExtendedBlock block = calls.written(StorageType.DISK);
                victim.set(Thread.currentThread());
                calls.dataset().finalizeBlock(block, false);
              }
            });
    parking.awaitAll();
    return slow;
  }
}
