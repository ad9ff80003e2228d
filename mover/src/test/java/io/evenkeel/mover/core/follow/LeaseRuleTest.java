package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.follow.LeaseRule.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class LeaseRuleTest {
  private final LeaseRule rule = new LeaseRule("a", "a1", 8_000);

  private static Lease view(String instance, String incarnation, long beats) {
    return new Lease(instance + "|" + incarnation, beats);
  }

  @Test
  void mayTake_noLease_atOnce() {
    assertThat(rule.mayTake(Lease.ABSENT, 0)).isTrue();
  }

  @Test
  void mayTake_ownPredecessor_atOnce() {
    assertThat(rule.mayTake(view("a", "a0", 5), 0)).isTrue();
  }

  @Test
  void mayTake_anotherRenews_never() {
    for (long now = 0; now < 100_000; now += 1_000) {
      assertThat(rule.mayTake(view("b", "b1", 1 + now / 7_000), now)).isFalse();
    }
  }

  @Test
  void mayTake_anotherStops_afterTheTimeoutAndNotBefore() {
    assertThat(rule.mayTake(view("b", "b1", 5), 1_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 6), 3_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 6), 7_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 6), 10_999)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 6), 11_000)).isTrue();
  }

  /** A daemon that fails takes the lease and lets it go. */
  @Test
  void isRenewed_onlyOfOneThatGoesOn() {
    for (int i = 1; i < 5; i++) {
      rule.mayTake(view("b", "b1", 2 * i), 0);
      rule.mayTake(view("b", "b1", 2 * i + 1), 0);
      assertThat(rule.isRenewed()).isFalse();
      rule.mayTake(view("a", "a1", 100), 0);
    }
    for (int beats = 1; beats < 4; beats++) {
      rule.mayTake(view("b", "b1", beats), 0);
    }
    assertThat(rule.isRenewed()).isTrue();
    rule.mayTake(view("b", "b1", 3), 0);
    assertThat(rule.isRenewed()).isTrue();
    rule.mayTake(view("c", "c1", 3), 0);
    assertThat(rule.isRenewed()).isFalse();
  }

  @Test
  void mayTake_ownerChangesWithTheSameBeats_startsAgain() {
    assertThat(rule.mayTake(view("b", "b1", 5), 0)).isFalse();
    assertThat(rule.mayTake(view("c", "c1", 5), 8_000)).isFalse();
    assertThat(rule.mayTake(view("c", "c1", 5), 12_000)).isFalse();
    assertThat(rule.mayTake(view("c", "c1", 5), 15_999)).isFalse();
    assertThat(rule.mayTake(view("c", "c1", 5), 16_000)).isTrue();
  }

  @Test
  void mayTake_ownerCannotBeRead_isAnother() {
    assertThat(rule.mayTake(view("", "", 5), 0)).isFalse();
    assertThat(rule.mayTake(view("", "", 5), 4_000)).isFalse();
    assertThat(rule.mayTake(view("", "", 5), 8_000)).isTrue();
  }

  /** As while no NameNode answers: neither can the owner renew it. */
  @Test
  void mayTake_aLookTakesLong_mostOfThatDoesNotCount() {
    assertThat(rule.mayTake(view("b", "b1", 5), 0)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 5), 1_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 5), 31_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 6), 32_000)).isFalse();
  }

  @Test
  void mayTake_everyLookTakesLong_takenAllTheSame() {
    assertThat(rule.mayTake(view("b", "b1", 5), 0)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 5), 30_000)).isFalse();
    assertThat(rule.mayTake(view("b", "b1", 5), 60_000)).isTrue();
  }

  @Test
  void lostTo_sameInstanceElsewhere_waitsFromThenOn() {
    Lease twin = view("a", "a2", 3);
    assertThat(rule.lostTo(twin)).isTrue();
    assertThat(rule.mayTake(twin, 0)).isFalse();
    assertThat(rule.mayTake(view("a", "a2", 4), 8_000)).isFalse();
    assertThat(rule.mayTake(view("a", "a2", 4), 12_000)).isFalse();
    assertThat(rule.mayTake(view("a", "a2", 4), 16_000)).isTrue();
    assertThat(rule.mayTake(view("a", "a1", 4), 16_000)).as("its own is still its own").isTrue();
  }

  @Test
  void lostTo_anotherInstance_isNoTwin() {
    assertThat(rule.lostTo(view("b", "b1", 3))).isFalse();
    assertThat(rule.mayTake(view("a", "a0", 3), 0)).isTrue();
  }

  @Test
  void pace_events_shortThenDoubledUpToTheLongOne() {
    PollPace pace = new PollPace(100);
    assertThat(pace.waitAfter(false, true, 0)).isEqualTo(100);
    assertThat(pace.waitAfter(false, false, 0)).isEqualTo(100);
    assertThat(pace.waitAfter(false, false, 0)).isEqualTo(200);
    assertThat(pace.waitAfter(false, false, 0)).isEqualTo(400);
    assertThat(pace.waitAfter(false, false, 0)).isEqualTo(500);
    assertThat(pace.waitAfter(false, false, 0)).isEqualTo(500);
    assertThat(pace.waitAfter(false, true, 0)).isEqualTo(100);
  }

  @Test
  void pace_callsTakeLong_twentyTimesAsLongUpToFiveSeconds_butNotWhileThereAreMore() {
    PollPace pace = new PollPace(100);
    assertThat(pace.waitAfter(false, true, 4)).isEqualTo(100);
    assertThat(pace.waitAfter(false, true, 100)).isEqualTo(2_000);
    assertThat(pace.waitAfter(false, false, 417)).isEqualTo(5_000);
    assertThat(pace.waitAfter(true, true, 417)).isZero();
    assertThat(pace.waitAfter(true, false, 417)).as("of others").isZero();
    assertThat(pace.waitAfter(false, false, 1)).isEqualTo(100);
  }
}
