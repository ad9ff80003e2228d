package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuietNodesTest {
  private final QuietNodes nodes = new QuietNodes();

  private static long at(int seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private void assertQuiet(int now, boolean quiet, boolean stalled) {
    assertThat(nodes.isQuiet("a", at(now))).isEqualTo(quiet);
    assertThat(nodes.isAnyQuiet(at(now))).isEqualTo(quiet);
    assertThat(nodes.isStalled("a", at(now))).isEqualTo(stalled);
    assertThat(nodes.isQuiet("b", at(now)) || nodes.isStalled("b", at(now))).isFalse();
  }

  @Test
  void askedAndSaysNothing_isQuietSinceThen() {
    assertQuiet(9, false, false);
    nodes.asked("a", at(0));
    nodes.asked("a", at(30));
    assertQuiet(40, false, false);
    assertThat(nodes.askedOfQuiet(at(40))).isZero();
    assertQuiet(41, true, false);
    assertThat(nodes.askedOfQuiet(at(41))).isEqualTo(2);
    assertQuiet(600, true, false);
    assertQuiet(601, true, true);
  }

  @Test
  void saysSomething_isQuietFromThenOnWhileItIsAsked() {
    nodes.asked("a", at(0));
    nodes.asked("a", at(0));
    nodes.answered("a", at(50));
    assertQuiet(90, false, false);
    assertQuiet(91, true, false);
    nodes.ended("a");
    nodes.answered("a", at(100));
    nodes.ended("a");
    assertQuiet(9_000, false, false);
    nodes.asked("a", at(9_000));
    assertQuiet(9_040, false, false);
    assertQuiet(9_041, true, false);
  }

  /** As where it is given one move at a time. */
  @Test
  void oneFailureAfterTheOther_isQuietSinceTheFirst() {
    for (int begin = 0; begin < 900; begin += 300) {
      nodes.asked("a", at(begin));
      nodes.failed("a", at(begin + 300));
      nodes.ended("a");
    }
    assertQuiet(900, true, true);
    assertQuiet(901 + 360, false, false);
    nodes.asked("a", at(2_000));
    assertQuiet(2_040, false, false);
  }

  /** It was away, and its first move has had no time yet. */
  @Test
  void mayBeBack_isGivenAMinute() {
    nodes.asked("a", at(0));
    nodes.failed("a", at(500));
    nodes.ended("a");
    nodes.asked("a", at(700));
    assertQuiet(759, true, false);
    assertQuiet(760, true, true);
  }

  @Test
  void endedWithoutAWordOfIt_saysNothing() {
    nodes.asked("a", at(0));
    nodes.ended("a");
    assertQuiet(60, false, false);
    nodes.asked("a", at(60));
    assertQuiet(100, false, false);
    assertQuiet(101, true, false);
  }

  @Test
  void targetsComplainOfIt_isQuietUntilSomebodyReadsFromIt() {
    for (int second = 0; second <= 660; second += 60) {
      nodes.failed("a", at(second));
    }
    assertQuiet(660, true, true);
    nodes.readFrom("a");
    assertQuiet(661, false, false);
  }

  /** Its disks of one type may hang, and those of another one serve. */
  @Test
  void isReadFrom_saysNothingOfItAsATarget() {
    nodes.asked("a", at(0));
    nodes.readFrom("a");
    assertQuiet(601, true, true);
  }
}
