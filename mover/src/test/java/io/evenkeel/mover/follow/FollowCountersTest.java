package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowCountersTest {
  private long now;
  private final FollowCounters counters = new FollowCounters("a", () -> now);

  @Test
  void lag_eventsNotReadYetOrNotAnyMore_isUnknown() {
    assertThat(lag()).isEqualTo("-1");
    counters.lag(7, 20);
    assertThat(lag()).isEqualTo("7");
    counters.lagUnknown();
    assertThat(lag()).isEqualTo("-1");
  }

  @Test
  void moved_isCountedWhileAnAttemptGoesOn_withItsRate() {
    now = 9_999;
    counters.replicaMoved("/f", true, 300);
    counters.replicaMoved("/f", false, 700);
    counters.events(5);
    assertThat(number("replicas_moved_total")).isEqualTo("2");
    assertThat(number("bytes_local_total")).isEqualTo("300");
    assertThat(number("bytes_remote_total")).isEqualTo("700");
    assertThat(number("events_total")).isEqualTo("5");
    assertThat(number("replicas_per_second")).isEqualTo("0.2");
    assertThat(number("bytes_per_second")).isEqualTo("100.0");
    assertThat(number("events_per_second")).isEqualTo("0.5");
    now = 100_000;
    assertThat(number("bytes_per_second")).isEqualTo("0.0");
    assertThat(number("bytes_local_total")).isEqualTo("300");
  }

  private String lag() {
    return number("lag_transactions");
  }

  private String number(String of) {
    String name = "evenkeel_mover_" + of + " ";
    return PrometheusText.of(counters)
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }
}
