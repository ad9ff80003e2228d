package io.evenkeel.terasort;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS where something happens to the input while a job of this JVM reads it: after the listing,
 * before the first partition is opened. Thread-safe.
 */
public final class HookedFileSystem extends DistributedFileSystem {
  private static final AtomicReference<Hook> NEXT = new AtomicReference<>();

  /** What happens. */
  interface Hook {
    void run() throws Exception;
  }

  /** Runs the hook once, when a partition is opened next; the reader waits for it. */
  static void onNextOpen(Hook hook) {
    NEXT.set(hook);
  }

  /** Whether the last hook is still to run. */
  static boolean pending() {
    return NEXT.getAndSet(null) != null;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.getName().startsWith("part-") && !path.getParent().getName().startsWith("report")) {
      Hook hook = NEXT.getAndSet(null);
      if (hook != null) {
        run(hook);
      }
    }
    return super.open(path, bufferSize);
  }

  private static void run(Hook hook) throws IOException {
    try {
      hook.run();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
