package io.evenkeel.volume.signal;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final long STEP = TimeUnit.MILLISECONDS.toNanos(10);

  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final AtomicInteger samples = new AtomicInteger();
  private Object owner = new Object();
  private Sampler sampler;

  @AfterEach
  void stop() throws Exception {
    sampler.stop();
    Await.until("the thread has ended", () -> !thread.get().isAlive());
  }

  private void start(long interval, Runnable sample) {
    sampler =
        Sampler.start(
            owner,
            () -> thread.set(Thread.currentThread()),
            () -> {
              samples.incrementAndGet();
              sample.run();
            },
            interval);
  }

  @Test
  void thread_whileOwnerIsInUse_samplesAsADaemon() throws Exception {
    start(STEP, () -> {});
    Await.until("there are samples", () -> samples.get() >= 3);
    assertThat(thread.get().isDaemon()).isTrue();
    assertThat(thread.get().getName()).isEqualTo("evenkeel-volume-sampler");
    assertThat(owner).isNotNull();
  }

  @Test
  void thread_ownerCollected_ends() throws Exception {
    start(TimeUnit.HOURS.toNanos(1), () -> {});
    Await.until("there is a sample", () -> samples.get() >= 1);
    owner = null;
    Await.until(
        "the thread has ended",
        () -> {
          System.gc();
          return !thread.get().isAlive();
        });
    assertThat(samples).hasValue(1);
  }

  @Test
  void thread_stopped_endsThoughOwnerIsInUse() throws Exception {
    start(STEP, () -> {});
    Await.until("there is a sample", () -> samples.get() >= 1);
    sampler.stop();
    Await.until("the thread has ended", () -> !thread.get().isAlive());
    assertThat(owner).isNotNull();
  }

  @Test
  void sample_thatThrows_isLoggedOnceAndTheNextOneComes() throws Exception {
    try (LogLines log = LogLines.of(Sampler.class)) {
      start(
          STEP,
          () -> {
            if (samples.get() % 2 == 0) {
              throw new IllegalStateException("test");
            }
            throw new LinkageError("test");
          });
      Await.until("there are samples", () -> samples.get() >= 5);
      assertThat(log.at("WARN")).singleElement().asString().contains("sample of the volumes");
    }
    assertThat(owner).isNotNull();
  }

  @Test
  void samples_farApart_areWatchedInBetween() throws Exception {
    AtomicInteger watched = new AtomicInteger();
    List<Integer> samplesAtWatch = new CopyOnWriteArrayList<>();
    sampler =
        Sampler.start(
            owner,
            () -> {
              thread.set(Thread.currentThread());
              samplesAtWatch.add(samples.get());
              watched.incrementAndGet();
            },
            samples::incrementAndGet,
            TimeUnit.MILLISECONDS.toNanos(1500));
    Await.until("it was watched four times", () -> watched.get() >= 4);
    assertThat(samplesAtWatch).startsWith(0, 1, 1, 2);
    assertThat(owner).isNotNull();
  }

  @Test
  void samples_afterALateOne_areNotMadeUpFor() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    List<Long> times = new CopyOnWriteArrayList<>();
    start(
        STEP,
        () -> {
          times.add(System.nanoTime());
          if (times.size() == 1) {
            awaitQuietly(late);
          }
        });
    Await.until("the first sample waits", () -> times.size() == 1);
    Await.pause(TimeUnit.NANOSECONDS.toMillis(20 * STEP)); // samples that are not made up for
    long end = System.nanoTime();
    late.countDown();
    Await.until("more samples came", () -> times.size() >= 11);
    assertThat(times.get(10) - end).isGreaterThanOrEqualTo(10 * STEP);
    assertThat(owner).isNotNull();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
