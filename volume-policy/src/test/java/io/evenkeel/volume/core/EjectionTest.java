package io.evenkeel.volume.core;

import static io.evenkeel.volume.core.Ejection.State.EJECTED;
import static io.evenkeel.volume.core.Ejection.State.IN_USE;
import static io.evenkeel.volume.core.Ejection.State.PROBATION;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class EjectionTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -5 * SECOND; // the clock may have any origin

  private final GroupSettings settings = GroupSettings.defaults();
  private final Ejection ejection = new Ejection();
  private long now = START;

  private void judged(boolean outlier, int times) {
    for (int i = 0; i < times; i++) {
      now += SECOND;
      ejection.judged(outlier, true, settings, now);
    }
  }

  private void waitSeconds(long seconds) {
    now += seconds * SECOND;
  }

  /** Seconds from the ejection until a probe is due. */
  private long secondsUntilProbe() {
    long seconds = 0;
    while (!ejection.probeDue(now)) {
      waitSeconds(1);
      seconds++;
    }
    return seconds;
  }

  @Test
  void judged_outlierThreeTimesInARow_isEjected() {
    judged(true, 2);
    assertThat(ejection.state()).isEqualTo(IN_USE);
    judged(true, 1);
    assertThat(ejection.state()).isEqualTo(EJECTED);
    assertThat(ejection.ejections()).isEqualTo(1);
  }

  @Test
  void judged_oneGoodSampleInBetween_countsFromTheStart() {
    judged(true, 2);
    judged(false, 1);
    judged(true, 2);
    assertThat(ejection.state()).isEqualTo(IN_USE);
  }

  @Test
  void judged_noMoreMayBeEjected_staysInUse() {
    for (int i = 0; i < 10; i++) {
      ejection.judged(true, false, settings, now += SECOND);
    }
    assertThat(ejection.state()).isEqualTo(IN_USE);
  }

  @Test
  void probe_stillSlow_isEjectedTwiceAsLongUpToTheLongest() {
    judged(true, 3);
    long[] waits = new long[5];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = secondsUntilProbe();
      ejection.probe(now);
      assertThat(ejection.state()).isEqualTo(PROBATION);
      judged(true, 2);
      assertThat(ejection.state()).isEqualTo(EJECTED);
    }
    assertThat(waits).containsExactly(10, 20, 40, 45, 45);
    assertThat(ejection.probes()).isEqualTo(5);
  }

  @Test
  void probe_asGoodAsItsPeers_isInUseAgain() {
    judged(true, 3);
    secondsUntilProbe();
    ejection.probe(now);
    judged(false, 2);
    assertThat(ejection.state()).isEqualTo(IN_USE);
  }

  @Test
  void probe_oneIsUnderWay_noOtherIsSent() {
    judged(true, 3);
    secondsUntilProbe();
    ejection.probe(now);
    waitSeconds(9);
    assertThat(ejection.probeDue(now)).isFalse();
  }

  @Test
  void probe_leftNoTrace_isRepeated() {
    judged(true, 3);
    secondsUntilProbe();
    ejection.probe(now);
    assertThat(secondsUntilProbe()).isEqualTo(10);
    ejection.probe(now);
    judged(false, 2);
    assertThat(ejection.state()).isEqualTo(IN_USE);
  }

  @Test
  void probe_tooQuickForTwoSamples_isRepeatedAtOnce() {
    judged(true, 3);
    secondsUntilProbe();
    ejection.probe(now);
    assertThat(ejection.probeDue(now)).isFalse();
    judged(false, 1);
    assertThat(ejection.probeDue(now)).isTrue();
    ejection.probe(now);
    assertThat(ejection.probeDue(now)).isFalse();
    judged(false, 1);
    assertThat(ejection.state()).isEqualTo(IN_USE);
  }

  @Test
  void probe_oneBadSampleAndThenNone_isRepeated() {
    judged(true, 3);
    secondsUntilProbe();
    ejection.probe(now);
    judged(true, 1);
    assertThat(ejection.probeDue(now)).isFalse();
    assertThat(secondsUntilProbe()).isEqualTo(10);
  }

  @Test
  void judged_recoversWhileItsQueueDrains_isInUseWithoutAProbe() {
    judged(true, 3);
    judged(false, 9);
    assertThat(ejection.state()).isEqualTo(EJECTED);
    judged(false, 1);
    assertThat(ejection.state()).isEqualTo(IN_USE);
    assertThat(ejection.probes()).isZero();
  }

  @Test
  void judged_slowAgainAfterAWhileInUse_waitsLongerThanTheFirstTime() {
    judged(true, 3);
    judged(false, 10);
    judged(false, 60);
    judged(true, 3);
    assertThat(secondsUntilProbe()).isEqualTo(20);
  }

  @Test
  void judged_fiveMinutesInUse_isForgiven() {
    judged(true, 3);
    judged(false, 10);
    judged(false, 302);
    judged(true, 3);
    assertThat(secondsUntilProbe()).isEqualTo(10);
  }
}
