package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class TimeHistogramTest {
  private final TimeHistogram histogram = new TimeHistogram();

  @Test
  void empty_allNumbers_areZero() {
    assertThat(histogram.count()).isZero();
    assertThat(histogram.totalMicros()).isZero();
    assertThat(histogram.maxMicros()).isZero();
    assertThat(histogram.percentileMicros(0.99)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 8, 9, 15, 16, 17, 1000, 123_456, 5_000_000, 3_600_000_000L})
  void percentile_oneValueAndALargerOne_isAtMostAnEighthAbove(long micros) {
    histogram.record(TimeUnit.MICROSECONDS.toNanos(micros));
    histogram.record(TimeUnit.DAYS.toNanos(1));
    assertThat(histogram.percentileMicros(0.5)).isBetween(micros, micros + micros / 8);
    assertThat(histogram.percentileMicros(1)).isEqualTo(TimeUnit.DAYS.toMicros(1));
  }

  @Test
  void percentile_randomValues_areThoseOfTheSortedList() {
    Random random = new Random(9668);
    long[] micros = new long[20_000];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = (long) Math.exp(random.nextDouble() * 20);
      histogram.record(TimeUnit.MICROSECONDS.toNanos(micros[i]));
    }
    Arrays.sort(micros);
    for (double fraction : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) {
      long exact = micros[(int) Math.ceil(fraction * micros.length) - 1];
      assertThat(histogram.percentileMicros(fraction))
          .as("percentile " + fraction)
          .isBetween(exact, exact + exact / 8);
    }
    assertThat(histogram.maxMicros()).isEqualTo(micros[micros.length - 1]);
    assertThat(histogram.totalMicros()).isEqualTo(Arrays.stream(micros).sum());
  }

  @Test
  void record_valuesOutOfRange_countAtTheEnds() {
    histogram.record(-5);
    histogram.record(Long.MAX_VALUE);
    assertThat(histogram.count()).isEqualTo(2);
    assertThat(histogram.percentileMicros(0.5)).isZero();
    assertThat(histogram.percentileMicros(1)).isEqualTo(Long.MAX_VALUE / 1000);
  }

  @Test
  void record_manyThreads_losesNothing() throws InterruptedException {
    int threads = 4;
    int each = 50_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      long start = 1000L * t;
      pool.execute(
          () -> {
            for (int i = 0; i < each; i++) {
              histogram.record(1000 * (start + i % 10));
            }
            done.countDown();
          });
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    pool.shutdown();
    assertThat(histogram.count()).isEqualTo((long) threads * each);
    assertThat(histogram.maxMicros()).isEqualTo(3009);
  }

  @Test
  void record_manyTimes_allocatesNothing() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) {
      histogram.record(i * 1000L);
    }
    long id = Thread.currentThread().getId();
    threads.getThreadAllocatedBytes(id);
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < 100_000; i++) {
      histogram.record(i * 1000L);
    }
    assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(10_000); // 0.1 per record
  }
}
