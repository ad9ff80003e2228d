package io.evenkeel.placement.core.sim;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;

/** That the one seed of {@link UniformityTest} was not a lucky one. */
@Tag("slow")
@Tag("once")
class UniformitySeedsTest extends UniformityTest {
  @Override
  LongStream seeds() {
    return LongStream.of(2, 3);
  }
}
