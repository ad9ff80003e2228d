package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.volume.core.FakeSignals.Device;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LatencyTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Latency latency = new Latency();
  private final Device device = new Device();
  private boolean used = true;
  private long now = -3 * SECOND;

  private void sample() {
    now += SECOND;
    latency.observe(device.read(), used, now);
  }

  @Test
  void observe_firstReading_saysNothing() {
    device.writes(100, 7);
    sample();
    assertThat(latency.known(now)).isFalse();
    assertThat(latency.hasSignal()).isTrue();
  }

  @Test
  void observe_steadyLatency_isIt() {
    sample();
    for (int i = 0; i < 5; i++) {
      device.writes(50, 12);
      sample();
      assertThat(latency.updated()).isTrue();
    }
    assertThat(latency.millis()).isCloseTo(12, within(1e-9));
  }

  @Test
  void observe_tenTimesSlower_isThreeTimesSlowerAfterTwoSamples() {
    sample();
    for (int i = 0; i < 10; i++) {
      device.writes(50, 10);
      sample();
    }
    device.writes(5, 100);
    sample();
    device.writes(5, 100);
    sample();
    assertThat(latency.millis()).isGreaterThan(30).isLessThan(100);
  }

  @Test
  void observe_noWrites_bringsNothingNewAndIsForgotten() {
    sample();
    device.writes(50, 100);
    sample();
    device.idle();
    for (int i = 0; i < 15; i++) {
      sample();
      assertThat(latency.updated()).isFalse();
      assertThat(latency.known(now)).isTrue();
    }
    sample();
    assertThat(latency.known(now)).isFalse();
    device.writes(50, 3);
    sample();
    assertThat(latency.millis()).isEqualTo(3);
  }

  @Test
  void observe_requestsButNoCompletions_isStuckSinceTheLastReading() {
    sample();
    device.writes(1, 5).inFlight(4);
    sample();
    assertThat(latency.stuckFor(now)).isZero();
    sample();
    assertThat(latency.stuckFor(now)).isEqualTo(SECOND);
    sample();
    sample();
    assertThat(latency.stuckFor(now)).isEqualTo(3 * SECOND);
  }

  @Test
  void observe_worksAgainAfterBeingStuck_doesNotCountTheTimeItWas() {
    sample();
    device.writes(1, 5).inFlight(4);
    for (int i = 0; i < 30; i++) {
      sample();
    }
    device.writes(4, 30_000);
    sample();
    assertThat(latency.stuckFor(now)).isZero();
    assertThat(latency.known(now)).isFalse();
    device.writes(10, 6);
    sample();
    assertThat(latency.millis()).isEqualTo(6);
  }

  @Test
  void observe_stuckAgainAndAgain_theTimeItWasCounts() {
    sample();
    device.inFlight(4);
    for (int i = 0; i < 3; i++) {
      sample();
      sample();
      device.writes(1, 2000).inFlight(4);
      sample();
      assertThat(latency.known(now)).as("the first time is excused").isEqualTo(i > 0);
    }
    assertThat(latency.millis()).isEqualTo(2000);
  }

  @Test
  void observe_idleWithoutRequests_isNotStuck() {
    sample();
    device.idle();
    for (int i = 0; i < 30; i++) {
      sample();
    }
    assertThat(latency.stuckFor(now)).isZero();
  }

  @Test
  void observe_countersStartAgain_areTakenAsNew() {
    device.writes(1000, 5);
    sample();
    latency.observe(new Device().writes(3, 9).read(), true, now += SECOND);
    assertThat(latency.known(now)).isFalse();
  }

  @Test
  void observe_signalVanishesWhileStuck_isNotStuckAnyMore() {
    sample();
    device.inFlight(3);
    sample();
    sample();
    sample();
    latency.observe(null, true, now += SECOND);
    assertThat(latency.stuckFor(now)).isZero();
    assertThat(latency.hasSignal()).isFalse();
  }

  private void samples(int count) {
    for (int i = 0; i < count; i++) {
      sample();
    }
  }

  @Test
  void observe_requestsNobodyWaitsFor_areNotStuck() {
    used = false;
    device.inFlight(2);
    samples(30);
    assertThat(latency.stuckFor(now)).isZero();
    used = true; // a block that is open, and nothing is written
    samples(30);
    assertThat(latency.stuckFor(now)).isZero();
  }

  @Test
  void observe_moreRequestsThanThoseNobodyWaitsFor_isStuck() {
    used = false;
    device.inFlight(2);
    samples(3);
    used = true;
    device.inFlight(3);
    samples(5);
    assertThat(latency.stuckFor(now)).isEqualTo(4 * SECOND);
  }

  @Test
  void observe_stuckAndThenUnused_staysStuckUntilItCompletesOne() {
    device.inFlight(2);
    samples(5);
    used = false;
    samples(5);
    assertThat(latency.stuckFor(now)).isEqualTo(9 * SECOND);
    device.writes(1, 5).inFlight(2);
    sample();
    assertThat(latency.stuckFor(now)).isZero();
  }

  @Test
  void observe_counterIsRightAgain_everyRequestCounts() {
    used = false;
    device.inFlight(2);
    samples(3);
    device.writes(1, 5).idle();
    sample();
    used = true;
    device.inFlight(1);
    samples(5);
    assertThat(latency.stuckFor(now)).isEqualTo(4 * SECOND);
  }
}
