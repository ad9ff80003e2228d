package io.evenkeel.volume.live;

import io.evenkeel.common.testing.Await;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Makes the writes of one volume of a DataNode slow, or holds them. Takes the place of Hadoop's own
 * hook in front of every file operation, so all code above the file system is the real one.
 * Thread-safe.
 */
final class SlowDisk extends FaultInjectorFileIoEvents {
  /** A write of fewer bytes is no packet of data but its checksums. */
  private static final int SMALLEST_PACKET = 4096;

  private final AtomicInteger held = new AtomicInteger();
  private final Object released = new Object();

  // The volume and what is done to it; null for nothing.
  private volatile Fault fault;

  private record Fault(FsVolumeSpi volume, Duration perPacket, boolean hangs) {}

  private SlowDisk() {
    super(new Configuration(false));
  }

  /** Puts a new, idle one into a DataNode. */
  static SlowDisk in(DataNode dataNode) throws ReflectiveOperationException {
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    SlowDisk disk = new SlowDisk();
    hook.set(dataNode.getFileIoProvider(), disk);
    return disk;
  }

  /** From now on each packet of 64 KB written to that volume takes so much longer. */
  void slow(FsVolumeSpi volume, Duration perPacket) {
    fault = new Fault(volume, perPacket, false);
  }

  /** From now on no write to that volume ends before {@link #heal}. */
  void hang(FsVolumeSpi volume) {
    fault = new Fault(volume, Duration.ZERO, true);
  }

  /** All volumes are as fast as they are; held writes go on. */
  void heal() {
    synchronized (released) {
      fault = null;
      released.notifyAll();
    }
  }

  /** Writes that are held at this moment. */
  int held() {
    return held.get();
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, FileIoProvider.OPERATION op, long len) {
    Fault now = fault;
    if (now == null || volume != now.volume || op != FileIoProvider.OPERATION.WRITE) {
      return;
    }
    if (now.hangs) {
      hold();
    } else if (len >= SMALLEST_PACKET) {
      Await.pauseUninterruptibly(now.perPacket);
    }
  }

  private void hold() {
    held.incrementAndGet();
    try {
      synchronized (released) {
        while (fault != null && fault.hangs) {
          released.wait();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      held.decrementAndGet();
    }
  }
}
