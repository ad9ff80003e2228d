package io.evenkeel.bench.locking;

import static org.apache.hadoop.fs.StorageType.DISK;

import io.evenkeel.bench.locking.BackgroundEvents.Action;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The I/O of one block stuck for a while, and what others saw of it.
 *
 * @param create longest createRbw, milliseconds
 * @param finish longest finalizeBlock, milliseconds
 * @param open longest opening of a block, milliseconds; not a number where nobody reads
 * @param idle how late a thread went on that does nothing but pause, milliseconds
 */
record StallRun(double create, double finish, double open, double idle) {
  private static final int WARM_UP = 100;
  private static final long BEFORE_EVENT_MILLIS = 200;

  double worst() {
    return Math.max(Math.max(create, finish), Double.isNaN(open) ? 0 : open);
  }

  /** What the longest call took beyond what an idle thread had to wait for the machine. */
  double beyondIdle() {
    return Math.max(0, worst() - idle);
  }

  /** Which call of the slow block gets stuck. */
  enum Where {
    CREATE,
    FINALIZE
  }

  /** Creates, finalizes and opens on an SSD, with an event in the background. */
  static StallRun beside(
      DatasetRig rig, BackgroundEvents.Preparation event, Where where, long millis)
      throws Exception {
    Action action = event.prepare(rig);
    String fast = rig.volume(0).getStorageID();
    ExtendedBlock read = rig.finalized(StorageType.SSD, fast);
    Probe writing = Probe.writing(rig, StorageType.SSD, fast).warmUp(WARM_UP);
    Probe finishing = Probe.finishing(rig, StorageType.SSD, fast, millis);
    Probe opening = Probe.opening(rig, read).warmUp(WARM_UP);
    Probe idle = Probe.idle(rig).start();
    Failing background = new Failing("background", action);
    Failing slow = stick(rig, where);
    writing.start();
    finishing.start();
    opening.start();
    Thread.sleep(BEFORE_EVENT_MILLIS);
    background.start();
    Thread.sleep(millis - BEFORE_EVENT_MILLIS);
    rig.io().letGo();
    writing.end();
    finishing.end();
    opening.end();
    idle.end();
    slow.end();
    background.end();
    return new StallRun(
        writing.worstCreate(),
        Math.max(finishing.worstFinalize(), writing.worstFinalize()),
        opening.worstOpen(),
        idle.worstPause());
  }

  /** Creates and finalizes on the given volume, or all of the type in turn; no event. */
  static StallRun sameType(DatasetRig rig, Integer volume, Where where, long millis)
      throws Exception {
    String storageId = volume == null ? null : rig.volume(volume).getStorageID();
    Probe writing = Probe.writing(rig, DISK, storageId).warmUp(WARM_UP);
    Probe idle = Probe.idle(rig).start();
    Failing slow = stick(rig, where);
    writing.start();
    Thread.sleep(millis);
    rig.io().letGo();
    writing.end();
    idle.end();
    slow.end();
    return new StallRun(
        writing.worstCreate(), writing.worstFinalize(), Double.NaN, idle.worstPause());
  }

  /** Returns once the I/O hangs. */
  private static Failing stick(DatasetRig rig, Where where) throws Exception {
    String slow = rig.volume(BackgroundEvents.SLOW).getStorageID();
    Failing thread = new Failing("slow", () -> writeSlowly(rig, slow, where));
    thread.start();
    while (!rig.io().hangs(thread)) {
      if (!thread.isAlive()) {
        thread.end();
        throw new IllegalStateException("the slow block was written without any I/O");
      }
      Thread.sleep(1);
    }
    return thread;
  }

  /** Fails without harm where the volume is gone when its disk works again. */
  private static void writeSlowly(DatasetRig rig, String storageId, Where where) throws Exception {
    ExtendedBlock written = where == Where.FINALIZE ? rig.written(DISK, storageId) : null;
    rig.io().hang(Thread.currentThread());
    try {
      if (written == null) {
        rig.written(DISK, storageId);
      } else {
        rig.dataset().finalizeBlock(written, false);
      }
    } catch (ClosedChannelException e) {
      // The replica was opened on a volume that had been removed meanwhile.
    } catch (IOException e) {
      if (!Thread.interrupted() && !e.toString().contains("Interrupted")) {
        throw e;
      }
    }
  }

  /** A thread whose exception is not lost. */
  private static final class Failing extends Thread {
    private final Action action;
    private volatile Exception failure;

    Failing(String name, Action action) {
      super(name);
      this.action = action;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        action.run();
      } catch (Exception e) {
        failure = e;
      }
    }

    void end() throws Exception {
      join();
      if (failure != null) {
        throw failure;
      }
    }
  }
}
