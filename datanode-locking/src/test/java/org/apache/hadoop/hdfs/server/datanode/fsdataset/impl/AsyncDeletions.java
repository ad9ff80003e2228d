package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * The threads that delete files for a dataset: one per volume, which does in turn what was ordered.
 *
 * <p>What our dataset looks at before it orders a deletion has a thread of its own, and is waited
 * for too.
 *
 * <p>Their count of what is pending ({@code getPendingAsyncDeletions}) does not say when they are
 * done: a deletion that its thread has taken from the queue and not begun is in no number.
 */
public final class AsyncDeletions {
  private static final long LIMIT_SECONDS = 30;

  private AsyncDeletions() {}

  /** Lets what is deleted go to the trash from now on, as in a rolling upgrade. */
  public static void intoTrash(FsDatasetSpi<?> dataset, String pool) {
    ((FsDatasetImpl) dataset).dataStorage.enableTrash(pool);
  }

  /**
   * Waits until all deletions have ended that were ordered before, and those they ordered again, as
   * ours does for a replica that has changed. For a dataset nobody else uses meanwhile. An
   * interrupt stays pending.
   *
   * @return false when they have not after 30 s
   */
  public static boolean await(FsDatasetSpi<?> dataset) throws IOException {
    boolean ended = awaitOrdered(dataset);
    return ended && awaitOrdered(dataset);
  }

  private static boolean awaitOrdered(FsDatasetSpi<?> dataset) throws IOException {
    if (dataset instanceof FineGrainedDataset) { // whose checks of older replicas order deletions
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (((FineGrainedDataset) dataset).mergingMap.merging() > 0) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.onSpinWait();
      }
      CountDownLatch looked = new CountDownLatch(1);
      ((FineGrainedDataset) dataset).deferredChecks.add(looked::countDown);
      if (!await(looked)) {
        return false;
      }
    }
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      CountDownLatch ended = new CountDownLatch(volumes.size());
      for (FsVolumeSpi volume : volumes) {
        service(dataset).execute((FsVolumeImpl) volume, ended::countDown);
      }
      return await(ended);
    }
  }

  private static boolean await(CountDownLatch latch) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static FsDatasetAsyncDiskService service(FsDatasetSpi<?> dataset) {
    return ((FsDatasetImpl) dataset).asyncDiskService;
  }

  /**
   * Holds the thread of a volume after it took the next deletion and before it begins, as a busy
   * machine may.
   */
  @SuppressWarnings("unchecked")
  public static Held hold(FsDatasetSpi<?> dataset, FsVolumeSpi volume)
      throws ReflectiveOperationException {
    FsDatasetAsyncDiskService service = service(dataset);
    Field field = FsDatasetAsyncDiskService.class.getDeclaredField("executors");
    field.setAccessible(true);
    Held held = new Held();
    ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, held.queue);
    executor.prestartCoreThread();
    synchronized (service) {
      Map<String, ThreadPoolExecutor> executors =
          (Map<String, ThreadPoolExecutor>) field.get(service);
      executors.put(volume.getStorageID(), executor).shutdown();
    }
    return held;
  }

  /** A thread that is held. */
  public static final class Held implements AutoCloseable {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final Queue queue = new Queue(this);

    /** Waits until the thread has taken a deletion. */
    public void awaitTaken() throws InterruptedException {
      taken.await();
    }

    /** Lets it go on, for good. */
    public void release() {
      go.countDown();
    }

    @Override
    public void close() {
      release();
    }
  }

  private static final class Queue extends LinkedBlockingQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    private final transient Held held;

    Queue(Held held) {
      this.held = held;
    }

    @Override
    public Runnable take() throws InterruptedException {
      Runnable task = super.take();
      held.taken.countDown();
      held.go.await();
      return task;
    }
  }
}
