package io.evenkeel.bench.demo;

import io.evenkeel.bench.fileio.FileIoHook;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Gives every volume of one DataNode the write speed of a disk of its own, although all are
 * directories of one: a write waits until its volume has passed on all bytes before it. Takes the
 * place of Hadoop's own hook in front of every file operation, so all code above the file system is
 * the real one; like {@link StalledDisk} it stands apart from the load that is measured.
 * Thread-safe.
 */
final class PacedDisks extends FaultInjectorFileIoEvents {
  private final double nanosPerByte;
  private final Map<FsVolumeSpi, Disk> disks = new ConcurrentHashMap<>();
  private final LongAdder written = new LongAdder();

  private PacedDisks(long bytesPerSecond) {
    super(new Configuration(false));
    this.nanosPerByte = 1e9 / bytesPerSecond;
  }

  /**
   * Puts them in front of a DataNode's volumes.
   *
   * @param bytesPerSecond speed of each volume
   */
  static PacedDisks in(DataNode dataNode, long bytesPerSecond) throws IOException {
    PacedDisks paced = new PacedDisks(bytesPerSecond);
    FileIoHook.set(dataNode, paced);
    return paced;
  }

  /** Makes a volume so many times slower; 1 is its own speed. */
  void slow(FsVolumeSpi volume, double times) {
    disk(volume).slow(times);
  }

  /** Bytes that all volumes have passed on. */
  long written() {
    return written.sum();
  }

  private Disk disk(FsVolumeSpi volume) {
    return disks.computeIfAbsent(volume, v -> new Disk());
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, FileIoProvider.OPERATION op, long len) {
    if (volume == null || op != FileIoProvider.OPERATION.WRITE) {
      return;
    }
    long until = disk(volume).queue(len * nanosPerByte);
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
    written.add(len);
  }

  /** The queue of one disk; {@code this} guards it. */
  private static final class Disk {
    private double times = 1;
    private long busyUntil = System.nanoTime();

    synchronized void slow(double newTimes) {
      times = newTimes;
    }

    /** Takes a write in; returns the nanoTime at which it is done. */
    synchronized long queue(double nanos) {
      long now = System.nanoTime();
      busyUntil = (busyUntil - now > 0 ? busyUntil : now) + (long) (nanos * times);
      return busyUntil;
    }
  }
}
