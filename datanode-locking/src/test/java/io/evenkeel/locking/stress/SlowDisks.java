package io.evenkeel.locking.stress;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Makes the disks of a DataNode slow, and lets the first I/O of a chosen call fail.
 *
 * <p>Only the first, because a call whose later I/O fails leaves half-done files in stock even when
 * it runs alone; after a failure of the first nothing may have changed.
 */
final class SlowDisks extends FaultInjectorFileIoEvents {
  private static final Set<OPERATION> CAN_FAIL =
      EnumSet.of(OPERATION.OPEN, OPERATION.MOVE, OPERATION.MKDIRS, OPERATION.NATIVE_COPY);
  private static final Set<OPERATION> CHANGES =
      EnumSet.of(
          OPERATION.OPEN,
          OPERATION.MOVE,
          OPERATION.MKDIRS,
          OPERATION.NATIVE_COPY,
          OPERATION.DELETE,
          OPERATION.WRITE);

  private final ThreadLocal<Boolean> armed = ThreadLocal.withInitial(() -> false);
  private volatile Pace pace = Pace.FAST;

  SlowDisks() {
    super(null);
  }

  /** Sets how slow all disks are from now on. */
  void pace(Pace value) {
    pace = value;
  }

  /** Lets the calling thread's next I/O fail, or not. */
  void failNext(boolean fail) {
    armed.set(fail);
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    strike(op);
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long len) {
    strike(op);
  }

  private void strike(OPERATION op) {
    Pace now = pace;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (random.nextInt(100) < now.percent) {
      Await.pauseUninterruptibly(Duration.ofNanos(1000 * random.nextLong(now.maxMicros)));
    }
    if (armed.get() && CHANGES.contains(op)) {
      armed.set(false);
      if (CAN_FAIL.contains(op)) {
        SlowDisks.<RuntimeException>throwAsIs(new InjectedException(op));
      }
    }
  }

  /** The hook declares nothing, but every I/O behind the failing kinds declares IOException. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwAsIs(Throwable e) throws E {
    throw (E) e;
  }

  /**
   * How slow disks are.
   *
   * @param percent of I/Os that wait
   * @param maxMicros longest wait, microseconds
   */
  record Pace(int percent, long maxMicros) {
    static final Pace FAST = new Pace(0, 1);
  }

  /** The failing disk. */
  static final class InjectedException extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedException(OPERATION op) {
      super("injected failure of " + op);
    }
  }
}
