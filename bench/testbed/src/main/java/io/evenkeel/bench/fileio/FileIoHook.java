package io.evenkeel.bench.fileio;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;

/** Hadoop's own hook in front of every file operation of a DataNode. Stateless. */
public final class FileIoHook {
  private FileIoHook() {}

  /**
   * Puts these events into the hook, in place of what was there.
   *
   * @throws IOException when this Hadoop release has no such hook
   */
  public static void set(DataNode dataNode, FaultInjectorFileIoEvents events) throws IOException {
    try {
      Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
      hook.setAccessible(true);
      hook.set(dataNode.getFileIoProvider(), events);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this Hadoop release has no hook in front of file operations", e);
    }
  }

  /**
   * Hangs as a system call on a hung disk does: an interrupt does not end it, but is there
   * afterwards.
   */
  public static void hangUntil(CountDownLatch end) {
    boolean interrupted = false;
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Takes a time, as a system call on a slow disk does: an interrupt does not end it, but is there
   * afterwards.
   *
   * @param end ends it earlier
   * @param millis how long, at least 0
   */
  public static void delay(CountDownLatch end, long millis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    boolean interrupted = false;
    for (long left = deadline - System.nanoTime();
        left > 0 && end.getCount() > 0;
        left = deadline - System.nanoTime()) {
      try {
        if (end.await(left, TimeUnit.NANOSECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
