package io.evenkeel.bench.locking;

import io.evenkeel.bench.fileio.FileIoHook;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Lets the metadata I/O of chosen threads hang until it is let go, as a system call on a hung disk
 * does: an interrupt does not end it. All other threads go on. Thread-safe.
 */
final class StuckIo extends FaultInjectorFileIoEvents {
  private static final Set<OPERATION> CHANGES =
      EnumSet.of(OPERATION.OPEN, OPERATION.MKDIRS, OPERATION.MOVE);

  private final Set<Thread> victims = ConcurrentHashMap.newKeySet();
  private final Set<Thread> stuck = ConcurrentHashMap.newKeySet();
  private volatile CountDownLatch release = new CountDownLatch(1);

  private StuckIo() {
    super(null);
  }

  /** Puts itself between a DataNode and its disks. */
  static StuckIo in(DataNode dataNode) throws IOException {
    StuckIo events = new StuckIo();
    FileIoHook.set(dataNode, events);
    return events;
  }

  /** From now on this thread hangs when it next creates or moves a file or a directory. */
  void hang(Thread thread) {
    victims.add(thread);
  }

  boolean hangs(Thread thread) {
    return stuck.contains(thread);
  }

  /** Lets all threads go, and no thread hang any more. */
  void letGo() {
    victims.clear();
    CountDownLatch old = release;
    release = new CountDownLatch(1);
    old.countDown();
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION operation) {
    Thread thread = Thread.currentThread();
    if (!CHANGES.contains(operation) || !victims.contains(thread)) {
      return;
    }
    CountDownLatch until = release;
    if (!victims.contains(thread)) {
      return; // let go meanwhile
    }
    stuck.add(thread);
    FileIoHook.hangUntil(until);
    stuck.remove(thread);
  }
}
