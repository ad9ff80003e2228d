package io.evenkeel.common.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LogLimiterTest {
  @Test
  void permit_withinAnInterval_isQuietAndCounted() {
    LogLimiter limiter = new LogLimiter(60);
    long start = Long.MAX_VALUE - 10; // nanoTime may wrap
    assertThat(limiter.permit(start)).isZero();
    assertThat(limiter.permit(start + 1)).isEqualTo(LogLimiter.QUIET);
    assertThat(limiter.permit(start + 59)).isEqualTo(LogLimiter.QUIET);
    assertThat(limiter.permit(start + 60)).isEqualTo(2);
    assertThat(limiter.permit(start + 120)).isZero();
  }

  @Test
  void new_noInterval_isRefused() {
    assertThatThrownBy(() -> new LogLimiter(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
