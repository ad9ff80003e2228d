package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once") // says nothing about a Hadoop release
@Timeout(60)
class LeaseKeeperTest {
  private static final long TIMEOUT_MS = 400;

  private final AtomicInteger renewals = new AtomicInteger();

  private void renew() {
    renewals.incrementAndGet();
  }

  @Test
  void renewed_isNotLost() throws Exception {
    LeaseKeeper keeper = new LeaseKeeper(this::renew, TIMEOUT_MS * 100);
    assertThat(keeper.isLost()).isFalse();
    LeaseKeeper quick = new LeaseKeeper(this::renew, TIMEOUT_MS);
    quick.start();
    Await.until("it renews", () -> renewals.get() >= 8);
    quick.stop();
    assertThat(quick.isLost()).isFalse();
  }

  @Test
  void renewalFails_isLost() throws Exception {
    LeaseKeeper keeper =
        new LeaseKeeper(
            () -> {
              throw new IOException("another process took it");
            },
            TIMEOUT_MS);
    keeper.start();
    Await.until("it is lost", keeper::isLost);
    keeper.stop();
  }

  /**
   * A DataNode of its file may hang for minutes, and another process takes it after the timeout.
   */
  @Test
  void renewalHangs_isLateBeforeOthersMayTakeIt_andNotWhenItHasEnded() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    LeaseKeeper keeper =
        new LeaseKeeper(
            () -> {
              try {
                hang.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            TIMEOUT_MS);
    keeper.start();
    Await.until("it is late", keeper::isLate);
    assertThat(keeper.isLost()).as("the NameNode may hang, and then nobody takes it").isFalse();
    hang.countDown();
    Await.until("it is in time again", () -> !keeper.isLate());
    keeper.stop();
  }

  /**
   * Another process is cut off from nothing, so it takes the lease then, and nobody can be asked.
   */
  @Test
  void renewalHangs_isExpiredWhenOthersMayTakeIt() throws Exception {
    LeaseKeeper keeper =
        new LeaseKeeper(
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            TIMEOUT_MS);
    assertThat(keeper.isExpired()).isFalse();
    keeper.start();
    Await.until("it is expired", keeper::isExpired);
    assertThat(keeper.isLate()).isTrue();
    keeper.stop();
  }
}
