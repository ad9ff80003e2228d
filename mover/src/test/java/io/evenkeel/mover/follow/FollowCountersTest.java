package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowCountersTest {
  private final FollowCounters counters = new FollowCounters("a");

  @Test
  void lag_eventsNotReadYetOrNotAnyMore_isUnknown() {
    assertThat(lag()).isEqualTo("-1");
    counters.lag(7, 20);
    assertThat(lag()).isEqualTo("7");
    counters.lagUnknown();
    assertThat(lag()).isEqualTo("-1");
  }

  private String lag() {
    String name = "evenkeel_mover_lag_transactions ";
    return PrometheusText.of(counters)
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }
}
