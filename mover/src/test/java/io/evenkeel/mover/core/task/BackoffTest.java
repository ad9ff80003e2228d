package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class BackoffTest {
  @Test
  void ceiling_moreAttempts_doublesUpToTheLongest() {
    Backoff backoff = new Backoff(new Random(1), 100, 1500);
    assertThat(LongStream.of(-3, 0, 1, 2, 3, 4, 5, 1000, Integer.MAX_VALUE))
        .extracting(attempt -> backoff.ceiling(attempt.intValue()))
        .containsExactly(100L, 100L, 200L, 400L, 800L, 1500L, 1500L, 1500L, 1500L);
  }

  @Test
  void ceiling_hugeLongest_doesNotOverflow() {
    Backoff backoff = new Backoff(new Random(1), 1, Long.MAX_VALUE / 4);
    assertThat(backoff.ceiling(200)).isEqualTo(Long.MAX_VALUE / 4);
    assertThat(backoff.delay(200)).isBetween(0L, Long.MAX_VALUE / 4);
  }

  @Test
  void delay_manyCalls_isSpreadOverTheWholeWait() {
    Backoff backoff = new Backoff(new Random(1), 100, 10_000);
    long[] delays = LongStream.range(0, 20_000).map(i -> backoff.delay(3)).toArray();
    assertThat(LongStream.of(delays).min()).hasValue(0);
    assertThat(LongStream.of(delays).max()).hasValue(800);
    assertThat(LongStream.of(delays).average().orElseThrow()).isCloseTo(400, within(10.0));
  }

  @Test
  void delay_sameSeed_isTheSame() {
    Backoff one = new Backoff(new Random(3), 100, 10_000);
    Backoff two = new Backoff(new Random(3), 100, 10_000);
    assertThat(LongStream.range(0, 20).map(i -> one.delay((int) i)))
        .containsExactlyElementsOf(
            LongStream.range(0, 20).map(i -> two.delay((int) i)).boxed().toList());
  }

  @Test
  void constructor_uselessBounds_areRefused() {
    assertThatThrownBy(() -> new Backoff(new Random(1), 0, 5)).hasMessageContaining("0");
    assertThatThrownBy(() -> new Backoff(new Random(1), 6, 5)).hasMessageContaining("6");
  }
}
