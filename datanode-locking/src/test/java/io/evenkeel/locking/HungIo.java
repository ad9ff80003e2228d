package io.evenkeel.locking;

import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Holds the next file operation of one kind of a DataNode until told to go on, in the place of
 * Hadoop's own hook, so all code above the file system is the real one. Thread-safe.
 */
final class HungIo extends FaultInjectorFileIoEvents implements AutoCloseable {
  private final AtomicReference<OPERATION> next = new AtomicReference<>();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private volatile String directory = "";
  private volatile Thread parked;

  private HungIo(OPERATION operation) {
    super(new Configuration(false));
    next.set(operation);
  }

  /** Parks the next file operation of that kind in this DataNode. */
  static HungIo next(OPERATION operation, DataNode dataNode) throws ReflectiveOperationException {
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    HungIo io = new HungIo(operation);
    hook.set(dataNode.getFileIoProvider(), io);
    return io;
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    park(volume, op);
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long len) {
    park(volume, op);
  }

  private void park(FsVolumeSpi volume, OPERATION op) {
    if (volume == null || !next.compareAndSet(op, null)) {
      return;
    }
    directory = new java.io.File(volume.getBaseURI()).getPath();
    parked = Thread.currentThread();
    reached.countDown();
    boolean interrupted = false;
    while (goOn.getCount() > 0) {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        interrupted = true; // a disk that hangs does not answer to that either
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a thread is parked; its volume's directory. */
  String awaitParked() throws InterruptedException {
    if (!reached.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no such file operation");
    }
    return directory;
  }

  /** The thread that is or was parked. */
  Thread thread() {
    return parked;
  }

  /** Lets it go on. */
  @Override
  public void close() {
    goOn.countDown();
  }
}
