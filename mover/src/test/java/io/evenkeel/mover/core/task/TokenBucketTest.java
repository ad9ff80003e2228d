package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once") // says nothing about a Hadoop release
class TokenBucketTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void delay_noLimit_isNothing() {
    TokenBucket bucket = new TokenBucket(0);
    bucket.take(Long.MAX_VALUE / 2, 5);
    assertThat(bucket.delayNanos(6)).isZero();
  }

  @Test
  void delay_afterABlockLargerThanTheBurst_isWhatItsBytesTake() {
    TokenBucket bucket = new TokenBucket(100);
    assertThat(bucket.delayNanos(-7)).isZero();
    bucket.take(1000, -7);
    assertThat(bucket.delayNanos(-7)).isEqualTo(10 * SECOND);
    assertThat(bucket.delayNanos(4 * SECOND - 7)).isEqualTo(6 * SECOND);
    assertThat(bucket.delayNanos(10 * SECOND - 7)).isZero();
  }

  @Test
  void delay_afterALongRest_savedOneSecondOnly() {
    TokenBucket bucket = new TokenBucket(100);
    bucket.take(0, 0);
    bucket.take(100, 3600 * SECOND);
    assertThat(bucket.delayNanos(3600 * SECOND)).isZero();
    bucket.take(50, 3600 * SECOND);
    assertThat(bucket.delayNanos(3600 * SECOND)).isEqualTo(SECOND / 2);
  }

  @Test
  void delay_clockStandsStill_staysTheSame() {
    TokenBucket bucket = new TokenBucket(100);
    bucket.take(100, 50);
    bucket.delayNanos(50);
    assertThat(bucket.delayNanos(50)).isEqualTo(SECOND);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 10, 1",
    "1000000, 65536, 4",
    "10485760, 134217728, 8",
    "1, 3, 2",
    "5000000000, 1048576, 16"
  })
  void take_movesAsFastAsAllowed_meanRateIsTheRateSet(long rate, long block, int threads) {
    Random random = new Random(7);
    TokenBucket bucket = new TokenBucket(rate);
    long now = -SECOND;
    long bytes = 0;
    long start = now;
    while (now - start < 30 * SECOND || bytes < 30 * block) {
      for (int i = 0; i < threads && bucket.delayNanos(now) == 0; i++) {
        long size = 1 + (long) (random.nextDouble() * block);
        bucket.take(size, now);
        bytes += size;
      }
      now += Math.max(1, bucket.delayNanos(now));
    }
    double seconds = (now - start) / (double) SECOND;
    assertThat(bytes / seconds / rate).isCloseTo(1, within(0.15));
  }

  @Test
  void constructor_negativeRate_isRefused() {
    assertThatThrownBy(() -> new TokenBucket(-1)).hasMessageContaining("-1");
  }
}
