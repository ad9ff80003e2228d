package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LastMinuteTest {
  private long now = -5_000_000_000L; // a monotonic clock may begin anywhere
  private final LastMinute rate = new LastMinute(() -> now);

  private void after(long seconds) {
    now += 1000 * seconds;
  }

  @Test
  void perSecond_nothingCame_isZero() {
    assertThat(rate.perSecond()).isZero();
    after(1_000_000);
    assertThat(rate.perSecond()).isZero();
  }

  @Test
  void perSecond_lessThanAMinuteOld_isOverTheTimeThereWas() {
    rate.add(10);
    assertThat(rate.perSecond()).isEqualTo(10);
    after(4);
    rate.add(10);
    assertThat(rate.perSecond()).isEqualTo(4);
  }

  @Test
  void perSecond_steady_isThat() {
    for (int second = 0; second < 1000; second++) {
      rate.add(7);
      assertThat(rate.perSecond()).isEqualTo(7);
      after(1);
    }
  }

  @Test
  void perSecond_whatIsOlderThanAMinute_isForgotten() {
    after(100);
    rate.add(600);
    after(59);
    assertThat(rate.perSecond()).isEqualTo(10);
    rate.add(60);
    after(1);
    assertThat(rate.perSecond()).isEqualTo(1);
    after(59);
    assertThat(rate.perSecond()).isZero();
    rate.add(60);
    after(10_000);
    assertThat(rate.perSecond()).isZero();
  }

  @Test
  void perSecond_clockGoesBack_isAsBefore() {
    after(100);
    rate.add(60);
    after(-50);
    rate.add(60);
    assertThat(rate.perSecond()).isEqualTo(2);
  }
}
