package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnresponsiveDataNodesTest {
  private final UnresponsiveDataNodes nodes = UnresponsiveDataNodes.targets();

  private static long at(int seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private void assertHeld(int now, boolean held, boolean stalled) {
    assertThat(nodes.isHeld("a", at(now))).isEqualTo(held);
    assertThat(nodes.isStalled("a", at(now))).isEqualTo(stalled);
    assertThat(nodes.isHeld("b", at(now)) || nodes.isStalled("b", at(now))).isFalse();
  }

  @Test
  void askedAndSaysNothing_isQuietSinceThen() {
    assertHeld(9, false, false);
    nodes.asked("a", at(0));
    nodes.asked("a", at(30));
    assertHeld(40, false, false);
    assertHeld(41, true, false);
    assertThat(nodes.askedOfQuiet(at(40))).isZero();
    assertThat(nodes.askedOfQuiet(at(41))).isEqualTo(2);
    assertHeld(600, true, false);
    assertHeld(601, true, true);
  }

  @Test
  void saysSomething_isQuietFromThenOnWhileItIsAsked() {
    nodes.asked("a", at(0));
    nodes.asked("a", at(0));
    nodes.alive("a", at(50));
    assertHeld(90, false, false);
    assertHeld(91, true, false);
    nodes.ended("a");
    nodes.alive("a", at(100));
    nodes.ended("a");
    assertHeld(9_000, false, false);
    nodes.asked("a", at(9_000));
    assertHeld(9_040, false, false);
    assertHeld(9_041, true, false);
  }

  /** As where it is given one move at a time. */
  @Test
  void oneFailureAfterTheOther_isQuietSinceTheFirst() {
    for (int begin = 0; begin < 900; begin += 300) {
      nodes.asked("a", at(begin));
      nodes.failed("a", at(begin + 300));
      nodes.ended("a");
    }
    assertHeld(900, false, true);
    assertHeld(901 + 360, false, false);
    nodes.asked("a", at(2_000));
    assertHeld(2_040, false, false);
  }

  /** It was away, and its first move has had no time yet. */
  @Test
  void mayBeBack_isGivenAMinute() {
    nodes.asked("a", at(0));
    nodes.failed("a", at(500));
    nodes.ended("a");
    nodes.asked("a", at(700));
    assertHeld(759, true, false);
    assertHeld(760, true, true);
  }

  @Test
  void endedWithoutAWordOfIt_saysNothing() {
    nodes.asked("a", at(0));
    nodes.ended("a");
    assertHeld(60, false, false);
    nodes.asked("a", at(60));
    assertHeld(100, false, false);
    assertHeld(101, true, false);
  }

  /** It may be slow, or the target may hang. */
  @Test
  void sourceThatSaysNothing_isNotQuietBeforeATargetComplains() {
    UnresponsiveDataNodes sources = UnresponsiveDataNodes.sources();
    sources.asked("a", at(0));
    assertThat(sources.isHeld("a", at(900))).isFalse();
    sources.failed("a", at(900));
    assertThat(sources.isHeld("a", at(940))).isFalse();
    assertThat(sources.isHeld("a", at(941))).isTrue();
    assertThat(sources.isStalled("a", at(1_500))).isFalse();
    assertThat(sources.isStalled("a", at(1_501))).isTrue();
    sources.alive("a", at(1_502));
    assertThat(sources.isHeld("a", at(9_000))).isFalse();
  }
}
