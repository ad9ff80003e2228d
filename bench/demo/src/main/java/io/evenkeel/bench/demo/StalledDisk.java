package io.evenkeel.bench.demo;

import io.evenkeel.bench.fileio.FileIoHook;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * One volume of a DataNode whose file operations do not return while it stalls, whatever interrupts
 * them, as on a disk that resets itself. All other volumes go on. Takes the place of Hadoop's own
 * hook in front of every file operation. Apart from {@link StallSection} because a test of the
 * locks puts it into DataNodes that are processes. Thread-safe.
 */
public final class StalledDisk extends FaultInjectorFileIoEvents {
  private final String storage; // stays when the volume is removed and comes back
  private final AtomicInteger blocked = new AtomicInteger();
  private volatile CountDownLatch end = new CountDownLatch(0);

  private StalledDisk(FsVolumeSpi volume) {
    super(new Configuration(false));
    storage = volume.getStorageID();
  }

  /**
   * Puts itself in front of the first volume of a type; it is healthy at first.
   *
   * @throws IOException when the DataNode has no such volume, or Hadoop no place for a hook
   */
  public static StalledDisk in(DataNode dataNode, StorageType type) throws IOException {
    StalledDisk disk = new StalledDisk(first(dataNode, type));
    FileIoHook.set(dataNode, disk);
    return disk;
  }

  private static FsVolumeSpi first(DataNode dataNode, StorageType type) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences references =
        dataNode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : references) {
        if (volume.getStorageType() == type) {
          return volume;
        }
      }
    }
    throw new IOException("the DataNode has no " + type + " volume");
  }

  /** From now on no operation that begins returns. */
  public void stall() {
    end = new CountDownLatch(1);
  }

  /** Lets all of them return, and works again. */
  public void recover() {
    end.countDown();
  }

  /** How many operations have had to wait for a stall to end, those that still wait included. */
  public int blocked() {
    return blocked.get();
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi of, FileIoProvider.OPERATION op) {
    CountDownLatch until = end;
    if (until.getCount() > 0 && of != null && storage.equals(of.getStorageID())) {
      blocked.incrementAndGet();
      FileIoHook.hangUntil(until);
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi of, FileIoProvider.OPERATION op, long len) {
    beforeMetadataOp(of, op);
  }
}
