package io.evenkeel.locking;

import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Lets one thread hang in its next creation or move of a file or directory, until it is let go; an
 * interrupt does not end it. Thread-safe.
 */
final class HungIo extends FaultInjectorFileIoEvents {
  private static final Set<OPERATION> CHANGES =
      EnumSet.of(OPERATION.OPEN, OPERATION.MKDIRS, OPERATION.MOVE);

  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile Thread victim;

  private HungIo() {
    super(null);
  }

  /** Puts itself between a DataNode and its disks, in the place of the one before. */
  static HungIo in(DataNode dataNode) throws ReflectiveOperationException {
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    HungIo io = new HungIo();
    hook.set(dataNode.getFileIoProvider(), io);
    return io;
  }

  /** The calling thread is the one. */
  void hangThisThread() {
    victim = Thread.currentThread();
  }

  void awaitHanging() throws InterruptedException {
    hangs.await();
  }

  void letGo() {
    release.countDown();
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION operation) {
    if (Thread.currentThread() != victim || !CHANGES.contains(operation)) {
      return;
    }
    hangs.countDown();
    boolean interrupted = false;
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
