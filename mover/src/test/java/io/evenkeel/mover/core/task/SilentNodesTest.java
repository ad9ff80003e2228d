package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class SilentNodesTest {
  private final SilentNodes nodes = new SilentNodes();
  private long now = -3; // any clock

  private void seconds(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  private void silence() {
    assertThat(nodes.timedOut("a", now - 1, now)).isFalse();
    assertThat(nodes.timedOut("a", now - 1, now)).isFalse();
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.timedOut("a", now - 1, now)).isTrue();
  }

  @Test
  void timeOutsWithAnswersInBetween_oneDiskHangs_isNotSilent() {
    for (int i = 0; i < 10; i++) {
      assertThat(nodes.timedOut("a", now - 1, now)).isFalse();
      assertThat(nodes.timedOut("a", now - 1, now)).isFalse();
      nodes.answered("a", now - 1);
    }
    assertThat(nodes.isAnySilent()).isFalse();
  }

  @Test
  void timesOutThreeTimes_silentForAMinuteThenTriedByOneMove() {
    silence();
    assertThat(nodes.timedOut("a", now - 1, now)).as("one that was sent before").isFalse();
    seconds(59);
    assertThat(nodes.isSilent("a", now)).isTrue();
    assertThat(nodes.isSilent("b", now)).isFalse();
    assertThat(nodes.starts("a", now)).as("one that was planned before").isFalse();
    seconds(1);
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.starts("a", now)).isTrue();
    assertThat(nodes.starts("a", now)).isFalse();
    assertThat(nodes.isSilent("a", now)).isTrue();
    seconds(10);
    assertThat(nodes.timedOut("a", now - 1, now)).as("at its first").isTrue();
    seconds(119);
    assertThat(nodes.isSilent("a", now)).as("twice as long").isTrue();
    seconds(1);
    assertThat(nodes.isSilent("a", now)).isFalse();
  }

  @Test
  void itsTrialAnswers_isAsAnyOther() {
    silence();
    seconds(60);
    assertThat(nodes.starts("a", now)).isTrue();
    nodes.answered("a", now - 1);
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.starts("a", now)).isFalse();
    assertThat(nodes.isAnySilent()).isFalse();
  }

  /** The DataNode may have been restarted, which a connection does not notice. */
  @Test
  void itsTrialSaysNothingForThreeMinutes_anotherIsStarted() {
    silence();
    seconds(60);
    assertThat(nodes.starts("a", now)).isTrue();
    seconds(179);
    assertThat(nodes.isSilent("a", now)).isTrue();
    seconds(1);
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.starts("a", now)).isTrue();
  }

  /** They were asked before, and it may have been restarted since. */
  @Test
  void othersTimeOutLater_prolongsNothing() {
    long before = now - 1;
    silence();
    seconds(61);
    assertThat(nodes.timedOut("a", before, now)).isFalse();
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.starts("a", now)).isTrue();
    nodes.answered("a", now);
    seconds(1);
    for (int i = 0; i < 5; i++) {
      assertThat(nodes.timedOut("a", before, now)).isFalse();
    }
    assertThat(nodes.isAnySilent()).isFalse();
  }

  @Test
  void timeOutsFarApart_areForgotten() {
    for (int i = 0; i < 10; i++) {
      assertThat(nodes.timedOut("a", now - 1, now)).isFalse();
      seconds(3_600);
    }
  }
}
