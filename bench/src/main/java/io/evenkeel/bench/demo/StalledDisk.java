package io.evenkeel.bench.demo;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * One volume of a DataNode whose file operations do not return while it stalls, whatever interrupts
 * them, as on a disk that resets itself. All other volumes go on. Takes the place of Hadoop's own
 * hook in front of every file operation. Thread-safe.
 */
final class StalledDisk extends FaultInjectorFileIoEvents {
  private final FsVolumeSpi volume;
  private volatile CountDownLatch end = new CountDownLatch(0);

  private StalledDisk(FsVolumeSpi volume) {
    super(new Configuration(false));
    this.volume = volume;
  }

  /** Puts itself in front of one volume; it is healthy at first. */
  static StalledDisk in(DataNode dataNode, FsVolumeSpi volume) throws IOException {
    StalledDisk disk = new StalledDisk(volume);
    try {
      Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
      hook.setAccessible(true);
      hook.set(dataNode.getFileIoProvider(), disk);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this Hadoop release has no hook in front of file operations", e);
    }
    return disk;
  }

  /** From now on no operation that begins returns. */
  void stall() {
    end = new CountDownLatch(1);
  }

  /** Lets all of them return, and works again. */
  void recover() {
    end.countDown();
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi of, FileIoProvider.OPERATION op) {
    if (of != volume) {
      return;
    }
    boolean interrupted = false;
    CountDownLatch until = end;
    while (until.getCount() > 0) {
      try {
        until.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi of, FileIoProvider.OPERATION op, long len) {
    beforeMetadataOp(of, op);
  }
}
