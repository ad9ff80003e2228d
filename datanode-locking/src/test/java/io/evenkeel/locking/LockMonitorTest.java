package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watching thread logs, and that it ends. */
@Timeout(120)
class LockMonitorTest {
  private final LockMonitorFixture fixture = new LockMonitorFixture();
  private final LogLines log = LogLines.of(FineGrainedDatasetFactory.class);

  @AfterEach
  void end() {
    fixture.close();
    log.close();
  }

  private LockMonitor started(String... keysAndValues) {
    LockMonitor monitor = fixture.monitor(keysAndValues);
    monitor.start(LockMonitorFixture.dataset("a", "b"));
    return monitor;
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("evenkeel-locking-watch"))
        .count();
  }

  @Test
  void watch_holderThatGoesOn_isOneLinePerVolume() throws Exception {
    LockMonitor monitor = started("slow-hold", "20ms", "log-interval", "1h");
    Operation a = LockMonitorFixture.hold(monitor, OperationKind.APPEND, 1, "a");
    Await.until("the first line", () -> log.at("WARN").size() == 1);
    Operation b = LockMonitorFixture.hold(monitor, OperationKind.EVICT, 2, "b");
    Await.until("the second line", () -> log.at("WARN").size() == 2);
    Await.pause(100); // several looks
    b.close();
    a.close();
    List<String> lines = log.at("WARN");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .matches(
            "Slow holder: append of BP-1:1 has held the lock of its block for \\d+ ms and still"
                + " does, volume /data/a, thread .+");
    assertThat(lines.get(1)).contains("evictBlocks of BP-1:2", "volume /data/b");
  }

  @Test
  void watch_intervalOver_isToldAgainWithTheNumberOfOthers() throws Exception {
    LockMonitor monitor = started("slow-hold", "1ms", "log-interval", "1s");
    for (int i = 0; i < 3; i++) {
      Operation operation = LockMonitorFixture.hold(monitor, OperationKind.APPEND, i, "a");
      Await.pause(30);
      operation.close();
    }
    Await.until("the second line", () -> log.at("WARN").size() >= 2);
    assertThat(log.at("WARN").get(1))
        .matches(
            "Slow holder: append of BP-1:\\d (has )?held the lock .* ms, volume /data/a, thread"
                + " .*");
  }

  @Test
  void watch_ruleBroken_isAnErrorOnce() throws Exception {
    LockMonitor monitor = started("slow-hold", "10ms");
    for (int i = 0; i < 2; i++) {
      try (Operation operation = monitor.operations().begin(OperationKind.APPEND, "BP-1", 1)) {
        operation.unlock();
      }
      Await.until("the line", () -> !log.at("ERROR").isEmpty());
    }
    Await.pause(100); // several looks
    assertThat(log.at("ERROR"))
        .singleElement()
        .asString()
        .contains("A rule of the locks of blocks was broken, 1 times since start")
        .contains("append of BP-1:1", "as often as it was taken");
  }

  @Test
  void close_endsTheThread_andStartAfterwardsDoesNothing() throws Exception {
    LockMonitor monitor = started();
    Await.until("the threads of other tests end", () -> threads() == 1);
    monitor.close();
    monitor.close();
    Await.until("the thread ends", () -> threads() == 0);
    monitor.start(LockMonitorFixture.dataset("a"));
    assertThat(threads()).isZero();
  }
}
