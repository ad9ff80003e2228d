package io.evenkeel.bench.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Threads that write until they are told to stop; what a writer fails with ends it and is kept.
 * Started and ended by one thread.
 */
final class Writers {
  private static final long END_LIMIT_MILLIS = 60_000;

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  /** What a writer does while {@link #running}. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  void start(String name, Work work) {
    Thread thread = new Thread(() -> run(name, work), name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void run(String name, Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      // try-with-resources makes a RuntimeException of what HDFS throws twice
      failures.add(name + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean running() {
    return running;
  }

  /** Lets every writer finish what it is at; returns what failed, in words. */
  List<String> end() throws InterruptedException {
    running = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_LIMIT_MILLIS);
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      if (thread.isAlive()) {
        failures.add(thread.getName() + ": still writing");
      }
    }
    return List.copyOf(failures);
  }
}
