package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class RepeatedTest {
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void toolThatThrows_runsAgain_andIsAFindingWhereItNeverEnded() throws Exception {
    Repeated tool =
        new Repeated(
            "mover",
            PAUSE,
            () -> {
              calls.incrementAndGet();
              throw new IllegalStateException("a rolling upgrade is not finalised\nat line 2");
            });
    Await.until("it runs again", () -> calls.get() > 2);
    tool.close();
    assertThat(tool.finding().orElseThrow().reason())
        .startsWith("0 runs of the mover")
        .endsWith("the last: a rolling upgrade is not finalised");
  }

  @Test
  void toolThatFailsOnce_isNoFinding() throws Exception {
    Repeated tool =
        new Repeated(
            "mover",
            PAUSE,
            () -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the NameNode is away");
              }
            });
    Await.until("it runs again", () -> calls.get() > 2);
    tool.close();
    assertThat(tool.finding()).isEmpty();
    assertThat(tool.toString()).contains("1 failed, the last: the NameNode is away");
  }

  @Test
  void toolThatWaitsForALease_isNoFinding() throws Exception {
    Repeated tool =
        new Repeated(
            "balancer",
            PAUSE,
            () -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the NameNode is away");
              }
              throw new Repeated.LeaseHeld();
            });
    Await.until("it runs again", () -> calls.get() > 3);
    tool.close();
    assertThat(tool.finding()).isEmpty();
    assertThat(tool.toString())
        .matches(
            "0 runs of the balancer, \\d+ had to wait for an earlier one's lease, 1 failed, the last:"
                + " the NameNode is away");
    String refused =
        "RemoteException(...): Failed to APPEND_FILE /system/balancer.id for DFSClient_1 on"
            + " 127.0.0.1 because ";
    assertThat(Round.isLeaseHeld(refused + "lease recovery is in progress.")).isTrue();
    assertThat(Round.isLeaseHeld(refused + "this file lease is currently owned by X")).isTrue();
    assertThat(Round.isLeaseHeld("java.net.ConnectException: Connection refused")).isFalse();
  }

  @Test
  void toolThatHangs_isAFinding() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Repeated tool =
        new Repeated(
            "mover",
            PAUSE,
            Duration.ofMillis(50),
            () -> {
              if (calls.incrementAndGet() > 1) {
                never.await();
              }
            });
    Await.until("it hangs", () -> calls.get() > 1);
    tool.close();
    assertThat(tool.finding().orElseThrow().reason())
        .isEqualTo("1 runs of the mover, one did not end");
  }
}
