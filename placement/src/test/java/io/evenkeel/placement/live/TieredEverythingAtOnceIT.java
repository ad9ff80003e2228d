package io.evenkeel.placement.live;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The same with two storage tiers: one replica of a block on DISK, two on ARCHIVE. */
@Tag("slow")
@Timeout(600)
class TieredEverythingAtOnceIT extends EverythingAtOnceIT {
  @Override
  TestCluster start(Shape shape) throws Exception {
    return shape.tiered("WARM");
  }
}
