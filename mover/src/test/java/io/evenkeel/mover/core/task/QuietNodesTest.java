package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuietNodesTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final QuietNodes nodes = new QuietNodes();

  private boolean isQuiet(long minutes, long atMinute) {
    boolean quiet = nodes.isQuiet("a", minutes * MINUTE, atMinute * MINUTE);
    assertThat(nodes.isAnyQuiet(minutes * MINUTE, atMinute * MINUTE)).isEqualTo(quiet);
    return quiet;
  }

  @Test
  void askedAndSaysNothing_isQuietSinceThen() {
    assertThat(isQuiet(0, 9)).isFalse();
    nodes.asked("a", MINUTE);
    nodes.asked("a", 5 * MINUTE);
    assertThat(isQuiet(5, 6)).isFalse();
    assertThat(isQuiet(5, 7)).isTrue();
    assertThat(nodes.isQuiet("b", 0, 7 * MINUTE)).isFalse();
  }

  @Test
  void saysSomething_isQuietFromThenOnWhileItIsAsked() {
    nodes.asked("a", 0);
    nodes.asked("a", 0);
    nodes.alive("a", 5 * MINUTE);
    assertThat(isQuiet(5, 10)).isFalse();
    assertThat(isQuiet(5, 11)).isTrue();
    nodes.ended("a");
    nodes.alive("a", 11 * MINUTE);
    nodes.ended("a");
    assertThat(isQuiet(0, 90)).as("nobody waits for it").isFalse();
    nodes.asked("a", 90 * MINUTE);
    assertThat(isQuiet(1, 91)).isFalse();
    assertThat(isQuiet(1, 92)).isTrue();
  }

  /** One move at a time is enough to be known as hung. */
  @Test
  void oneFailureAfterTheOther_isQuietSinceTheFirst() {
    for (int minute = 0; minute < 10; minute += 2) {
      nodes.asked("a", minute * MINUTE);
      nodes.failed("a", (minute + 2) * MINUTE);
      nodes.ended("a");
    }
    assertThat(isQuiet(9, 10)).isTrue();
    assertThat(isQuiet(9, 12)).isTrue();
    assertThat(isQuiet(9, 13)).as("nothing is known of it any more").isFalse();
    nodes.asked("a", 13 * MINUTE);
    assertThat(isQuiet(1, 14)).isFalse();
    assertThat(isQuiet(1, 15)).isTrue();
  }

  @Test
  void endedWithoutAWordOfIt_saysNothing() {
    nodes.asked("a", 0);
    nodes.ended("a");
    assertThat(isQuiet(0, 60)).isFalse();
    nodes.asked("a", 60 * MINUTE);
    assertThat(isQuiet(1, 61)).isFalse();
  }

  @Test
  void targetsComplainOfIt_isQuietSinceTheFirstOfThem() {
    for (int minute = 0; minute < 10; minute++) {
      nodes.failed("a", minute * MINUTE);
    }
    assertThat(isQuiet(8, 9)).isTrue();
    nodes.alive("a", 9 * MINUTE);
    assertThat(isQuiet(0, 10)).isFalse();
  }
}
