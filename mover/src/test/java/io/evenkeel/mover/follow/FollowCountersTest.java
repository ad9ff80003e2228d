package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowCountersTest {
  private final FollowCounters counters = new FollowCounters("a");

  @Test
  void lag_eventsNotReadYetOrNotAnyMore_isUnknown() {
    assertThat(counters.getLagTransactions()).isEqualTo(-1);
    counters.lag(7, 20);
    assertThat(counters.getLagTransactions()).isEqualTo(7);
    counters.lagUnknown();
    assertThat(counters.getLagTransactions()).isEqualTo(-1);
  }

  @Test
  void moved_isCountedWhileAnAttemptGoesOn() {
    counters.replicaMoved(true, 300);
    counters.replicaMoved(false, 700);
    counters.events(5);
    assertThat(counters.getReplicasMoved()).isEqualTo(2);
    assertThat(counters.getBytesLocal()).isEqualTo(300);
    assertThat(counters.getBytesRemote()).isEqualTo(700);
    assertThat(counters.getEvents()).isEqualTo(5);
  }
}
