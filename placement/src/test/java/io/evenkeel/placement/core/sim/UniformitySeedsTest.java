package io.evenkeel.placement.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the one seed of {@link UniformityTest} was not a lucky one. */
@Tag("slow")
@Tag("once")
class UniformitySeedsTest extends UniformityTest {
  @Override
  LongStream seeds() {
    return LongStream.of(2, 3);
  }

  @Test
  void write_hundredThousandDataNodes_even() {
    Outcome outcome = new WriteLoad(Fleet.regular(1000, 5, 20, 0), false, 9608).write(3_000_000);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.03);
    assertThat(outcome.sharedHost() + outcome.oneRack() + outcome.missing()).isZero();
  }
}
