package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class SilentNodesTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(5);

  private final SilentNodes<String> nodes = new SilentNodes<>();
  private long now = -3; // any clock

  private void seconds(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void failsAtOnce_isInNobodysWay() {
    assertThat(nodes.failed("a", 1_000, now)).isFalse();
    assertThat(nodes.isSilent("a", now)).isFalse();
  }

  @Test
  void failsAfterLong_refusedButForOneMoveAtATime() {
    nodes.begins("a", "first");
    assertThat(nodes.isSilent("a", now)).isFalse();
    assertThat(nodes.failed("a", LONG, now)).isTrue();
    assertThat(nodes.failed("a", LONG, now)).as("told before").isFalse();
    seconds(9);
    assertThat(nodes.isSilent("a", now)).isTrue();
    assertThat(nodes.isSilent("b", now)).isFalse();
    seconds(1);
    assertThat(nodes.isSilent("a", now)).isFalse();
    nodes.begins("a", "probe");
    seconds(300);
    assertThat(nodes.isSilent("a", now)).isTrue();
    assertThat(nodes.failed("a", LONG, now)).isTrue();
    seconds(19);
    assertThat(nodes.isSilent("a", now)).as("twice as long").isTrue();
    seconds(1);
    assertThat(nodes.isSilent("a", now)).isFalse();
  }

  @Test
  void answers_isAsAnyOther() {
    nodes.failed("a", LONG, now);
    nodes.answered("a");
    assertThat(nodes.isSilent("a", now)).isFalse();
    nodes.failed("a", LONG, now);
    assertThat(nodes.failed("a", 1_000, now)).as("refuses at once").isFalse();
    assertThat(nodes.isSilent("a", now)).isFalse();
  }

  @Test
  void probeWasDropped_anotherIsLetIn() {
    nodes.failed("a", LONG, now);
    seconds(10);
    nodes.begins("a", "probe");
    nodes.gone("another");
    assertThat(nodes.isSilent("a", now)).isTrue();
    nodes.gone("probe");
    assertThat(nodes.isSilent("a", now)).isFalse();
  }
}
