package io.evenkeel.locking;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Holds chosen threads of a DataNode at chosen I/O, as a disk does that does not answer. */
final class ParkedIo extends FaultInjectorFileIoEvents implements AutoCloseable {
  private final Field hook;
  private final FileIoProvider provider;
  private final Object before;
  private final List<Parking> parkings = new CopyOnWriteArrayList<>();

  private ParkedIo(FileIoProvider provider) throws ReflectiveOperationException {
    super(null);
    this.provider = provider;
    hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    before = hook.get(provider);
    hook.set(provider, this);
  }

  static ParkedIo of(DataNode node) throws ReflectiveOperationException {
    return new ParkedIo(node.getFileIoProvider());
  }

  /** Parks the next {@code threads} threads that come to such I/O. */
  Parking park(OPERATION operation, int threads, Predicate<Thread> which) {
    return park(EnumSet.of(operation), threads, which);
  }

  /** Parks the next {@code threads} threads that come to one of such I/Os. */
  Parking park(Set<OPERATION> operations, int threads, Predicate<Thread> which) {
    Parking parking = new Parking(operations, threads, which);
    parkings.add(parking);
    return parking;
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    for (Parking each : parkings) {
      each.stop(volume, op);
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    beforeMetadataOp(volume, op);
  }

  @Override
  public void close() throws ReflectiveOperationException {
    parkings.forEach(Parking::release);
    hook.set(provider, before);
  }

  /** Where threads wait. */
  static final class Parking {
    private final Set<OPERATION> operations;
    private final Predicate<Thread> which;
    private final CountDownLatch arrived;
    private final CountDownLatch go = new CountDownLatch(1);

    private volatile Thread last;
    private volatile String directory;

    private Parking(Set<OPERATION> operations, int threads, Predicate<Thread> which) {
      this.operations = operations;
      this.which = which;
      this.arrived = new CountDownLatch(threads);
    }

    private void stop(FsVolumeSpi volume, OPERATION op) {
      synchronized (this) {
        if (!operations.contains(op)
            || arrived.getCount() == 0
            || !which.test(Thread.currentThread())) {
          return;
        }
        last = Thread.currentThread();
        directory = volume == null ? "" : new File(volume.getBaseURI()).getPath();
        arrived.countDown();
      }
      boolean interrupted = false;
      while (go.getCount() > 0) {
        try {
          go.await();
        } catch (InterruptedException e) {
          interrupted = true; // a disk is not interrupted
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** Waits until all are parked. */
    void awaitAll() throws Exception {
      Await.until("all who were to be parked are", this::full);
    }

    /** Who was parked last. */
    Thread thread() {
      return last;
    }

    /** The directory of the volume on which the last one was parked. */
    String directory() {
      return directory;
    }

    /** Whether nobody more would be parked. */
    boolean full() {
      return arrived.getCount() == 0;
    }

    void release() {
      go.countDown();
    }
  }
}
