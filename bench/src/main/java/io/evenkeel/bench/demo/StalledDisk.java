package io.evenkeel.bench.demo;

import io.evenkeel.bench.fileio.FileIoHook;
import java.io.IOException;
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
    FileIoHook.set(dataNode, disk);
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
    if (of == volume) {
      FileIoHook.hangUntil(end);
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi of, FileIoProvider.OPERATION op, long len) {
    beforeMetadataOp(of, op);
  }
}
