package io.evenkeel.locking;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** As {@link ParkedIo}, but by volume too, and with what a thread does while it hangs. */
final class HangingIo extends FaultInjectorFileIoEvents implements AutoCloseable {
  private final Field hook;
  private final FileIoProvider provider;
  private final Object before;
  private final List<Hang> hangs = new CopyOnWriteArrayList<>();

  private HangingIo(FileIoProvider provider) throws ReflectiveOperationException {
    super(null);
    this.provider = provider;
    hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    before = hook.get(provider);
    hook.set(provider, this);
  }

  static HangingIo of(DataNode node) throws ReflectiveOperationException {
    return new HangingIo(node.getFileIoProvider());
  }

  /** The first thread that comes to such I/O hangs. */
  Hang hang(OPERATION operation, BiPredicate<FsVolumeSpi, Thread> which) {
    return hang(operation, which, HangingIo::await);
  }

  /** It does {@code how} with the latch that lets it go. */
  Hang hang(OPERATION operation, BiPredicate<FsVolumeSpi, Thread> which, How how) {
    Hang hang = new Hang(operation, which, how);
    hangs.add(hang);
    return hang;
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    hangs.forEach(each -> each.stop(volume, op));
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    beforeMetadataOp(volume, op);
  }

  @Override
  public void close() throws ReflectiveOperationException {
    hangs.forEach(Hang::release);
    hook.set(provider, before);
  }

  /** As a disk, which is not interrupted. */
  static void await(CountDownLatch go) {
    boolean interrupted = false;
    while (go.getCount() > 0) {
      try {
        go.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** How a thread hangs. */
  interface How {
    void hang(CountDownLatch go);
  }

  /** Where one thread hangs. */
  static final class Hang {
    private final OPERATION operation;
    private final BiPredicate<FsVolumeSpi, Thread> which;
    private final How how;
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Hang(OPERATION operation, BiPredicate<FsVolumeSpi, Thread> which, How how) {
      this.operation = operation;
      this.which = which;
      this.how = how;
    }

    private void stop(FsVolumeSpi volume, OPERATION op) {
      synchronized (this) {
        if (op != operation
            || arrived.getCount() == 0
            || !which.test(volume, Thread.currentThread())) {
          return;
        }
        arrived.countDown();
      }
      how.hang(go);
    }

    void awaitArrival() throws InterruptedException {
      arrived.await();
    }

    void release() {
      go.countDown();
    }
  }
}
