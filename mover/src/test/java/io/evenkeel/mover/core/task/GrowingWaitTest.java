package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class GrowingWaitTest {
  @Test
  void next_doublesUpToTheLongest_startsAnewAfterReset() {
    GrowingWait wait = new GrowingWait(40, 300);
    assertThat(LongStream.generate(wait::next).limit(5))
        .containsExactly(40L, 80L, 160L, 300L, 300L);
    wait.reset();
    assertThat(wait.next()).isEqualTo(40);
  }
}
