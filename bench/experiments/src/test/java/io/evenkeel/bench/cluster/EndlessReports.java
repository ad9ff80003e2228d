package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Has DataNodes send one full block report after another, but while its monitor is held. */
final class EndlessReports implements AutoCloseable {
  private static final long PAUSE_MILLIS = 200;

  private final AtomicInteger made = new AtomicInteger();
  private final List<ReconfiguredNode> nodes;
  private final Thread thread = new Thread(this::run, "full reports");
  private volatile boolean over;
  private volatile Throwable broken; // what ended it against its will

  EndlessReports(List<ReconfiguredNode> nodes) {
    this.nodes = nodes;
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> broken = e);
  }

  void begin() {
    thread.start();
  }

  int made() {
    if (broken != null) {
      throw new AssertionError("no reports any more", broken);
    }
    return made.get();
  }

  private void run() {
    while (!over) {
      once();
      try {
        Await.pause(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Has each DataNode that runs send one. */
  synchronized void once() {
    for (ReconfiguredNode node : nodes) {
      try {
        node.reportAll();
        made.incrementAndGet();
      } catch (IOException e) {
        // It is down, or stalls.
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    thread.join(60_000);
  }
}
